import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';

/** The end of a page: the sort keys of its last row as text, and its id. */
export interface Position {
  keys: readonly (string | null)[];
  id: string;
}

const MAC_BYTES = 16;

const macOf = (key: KeyObject, list: string, payload: Buffer): Buffer =>
  createHmac('sha256', key).update(`${list}\n`).update(payload).digest().subarray(0, MAC_BYTES);

/** An opaque cursor that is signed by this installation and valid for the same list in the same order. */
export function sealCursor(key: KeyObject, list: string, position: Position): string {
  const payload = Buffer.from(JSON.stringify([...position.keys, position.id]));
  return Buffer.concat([macOf(key, list, payload), payload]).toString('base64url');
}

/** The position from an array of the keys followed by the id. */
export const positionOf = (keysAndId: readonly (string | null)[]): Position => ({
  keys: keysAndId.slice(0, -1),
  id: String(keysAndId.at(-1)),
});

/** Undefined if the cursor belongs to another list or was changed. */
export function openCursor(key: KeyObject, list: string, cursor: string): Position | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length <= MAC_BYTES) return undefined;
  const payload = bytes.subarray(MAC_BYTES);
  if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), macOf(key, list, payload))) return undefined;
  return positionOf(JSON.parse(payload.toString()) as (string | null)[]);
}
