/** A UTF-16 code unit takes at most three bytes in UTF-8. */
const MAX_BYTES_PER_UNIT = 3;
/** Reused, because memory outside the heap burdens the garbage collector. */
const scratch = Buffer.allocUnsafeSlow(512 * 1024);

/**
 * Encodes the response of a list, once for its ETag, its length and the socket. The items are encoded one by one: a single
 * character outside of Latin-1 makes a text of all of them several times as expensive.
 */
export function encodeList(items: readonly string[], meta: object, beside: object = {}): Buffer {
  const end = `],${JSON.stringify({ ...beside, meta }).slice(1)}`;
  const units = items.reduce((sum, { length }) => sum + length + 1, '{"data":['.length + end.length);
  const isLarge = units * MAX_BYTES_PER_UNIT > scratch.length;
  const buffer = isLarge ? Buffer.allocUnsafeSlow(units * MAX_BYTES_PER_UNIT) : scratch;
  let at = buffer.write('{"data":[');
  for (const [index, item] of items.entries()) {
    if (index > 0) at += buffer.write(',', at);
    at += buffer.write(item, at);
  }
  at += buffer.write(end, at);
  return Buffer.from(buffer.subarray(0, at));
}
