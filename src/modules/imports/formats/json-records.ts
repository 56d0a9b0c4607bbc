import { JSONParser } from '@streamparser/json';
import { isRecord, type JsonRecord } from '../../../common/json.js';
import { UnreadableFile } from '../import-format.js';
import { JsonLimits } from './json-limits.js';
import { beginsWith, withLongStart } from './long-start.js';

/** The maximum size of a record, which a record with many comments does not reach. */
const MAX_RECORD = 8 * 1024 * 1024;
/** The maximum number of values in a record, each of which costs more time and memory than its bytes tell. */
const MAX_VALUES = 100_000;

/** An object of the file with its path, such as `$.issues` for the elements of that array. */
interface JsonElement {
  path: string;
  /** The index of the object in the array, from 1. */
  line: number;
  value: JsonRecord;
}

/** The paths of the objects to read, for files that are an array and for files that are an object. */
interface JsonPaths {
  array: readonly string[];
  object: readonly string[];
  /** The paths of the parts of a selected object that has any number of them. */
  parts?: readonly string[];
}

/** Keeps U+FEFF at the start of chunks, which the parser's own decoder would drop as a byte order mark. */
function keepByteOrderMarks(parser: JSONParser): void {
  const { bufferedString } = Reflect.get(parser, 'tokenizer') as { bufferedString: { decoder: unknown } };
  bufferedString.decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
}

/** Yields the objects at these paths (such as `$.issues.*`), without keeping the rest of the file in memory. */
export async function* jsonElements(file: AsyncIterable<Buffer>, paths: JsonPaths): AsyncGenerator<JsonElement> {
  const elements: JsonElement[] = [];
  let parser: JSONParser | undefined;
  let failure: Error | undefined;
  let bytesOfRecord = 0;
  const limits = new JsonLimits();
  const createParser = (piece: Buffer): JSONParser => {
    const selected = beginsWith(piece, /^\[/) ? paths.array : paths.object;
    const created = new JSONParser({ paths: [...selected, ...(paths.parts ?? [])], keepStack: false });
    keepByteOrderMarks(created);
    created.onValue = ({ value, key, stack }) => {
      // A value within a selected object does not complete the object, so the count goes on.
      const isWithinSelected = stack.slice(1).some(({ emit }) => emit);
      if (!isWithinSelected) bytesOfRecord = 0;
      if (!isWithinSelected || paths.parts !== undefined) limits.startRecord();
      if (isWithinSelected && paths.parts !== undefined) return;
      if (!isRecord(value) || key === undefined) return;
      const path = ['$', ...stack.slice(1).map((level) => String(level.key))].join('.');
      if (typeof key === 'number') elements.push({ path, line: key + 1, value });
      else if (paths.object.includes(`${path}.${key}`)) elements.push({ path: `${path}.${key}`, line: 1, value });
    };
    created.onError = (error) => {
      failure = error;
    };
    return created;
  };
  for await (const piece of withLongStart(file)) {
    bytesOfRecord += piece.length;
    const isFirst = parser === undefined;
    parser ??= createParser(piece);
    try {
      for (const part of limits.partsOf(isFirst && piece[0] === 0xef ? piece.subarray(3) : piece)) parser.write(part);
    } catch (error) {
      failure ??= error as Error;
    }
    if (failure instanceof UnreadableFile) throw failure;
    if (failure !== undefined) throw new UnreadableFile('The file is not valid JSON.');
    if (bytesOfRecord > MAX_RECORD) throw new UnreadableFile('A record of the file is larger than 8 MiB.');
    if (limits.values > MAX_VALUES) {
      throw new UnreadableFile(`A record of the file has more than ${MAX_VALUES} values.`);
    }
    yield* elements.splice(0);
  }
  if (parser?.isEnded !== true) throw new UnreadableFile('The file is not valid JSON: it ends too early.');
  yield* elements.splice(0);
}
