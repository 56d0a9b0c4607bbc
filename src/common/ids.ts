import { randomBytes, randomUUID } from 'node:crypto';
import { KINDS, type Kind } from './kinds.js';

let lastMillisecond = 0;
let sequence = 0;

/**
 * A new UUIDv7 as 32 hex digits. The 12 bits after the millisecond count up within it, so that ids made by one process
 * sort by creation.
 */
function uuidV7(): string {
  const now = Date.now();
  if (now > lastMillisecond) {
    lastMillisecond = now;
    sequence = randomBytes(2).readUInt16BE() & 0x3ff;
  } else if (++sequence > 0xfff) {
    lastMillisecond += 1;
    sequence = 0;
  }
  // The variant and the 62 bits after it are taken from a random UUID, because Node generates these in bulk.
  const random = randomUUID();
  const tail = random.slice(19, 23) + random.slice(24);
  return lastMillisecond.toString(16).padStart(12, '0') + '7' + sequence.toString(16).padStart(3, '0') + tail;
}

/** A new id of that kind: `tsk_` and 32 hex digits of a UUIDv7. */
export function newId(kind: Kind): string {
  return `${KINDS[kind]}_${uuidV7()}`;
}

const FORM = /^([a-z]{3})_[0-9a-f]{32}$/;
const KIND_OF_PREFIX = new Map<string, Kind>(Object.entries(KINDS).map(([kind, prefix]) => [prefix, kind as Kind]));

/** The kind that an id has according to its prefix; undefined for an invalid id. */
export function kindOf(value: unknown): Kind | undefined {
  const prefix = typeof value === 'string' ? FORM.exec(value)?.[1] : undefined;
  return prefix === undefined ? undefined : KIND_OF_PREFIX.get(prefix);
}

/** Whether the value has the form of an id of that kind; the entity need not exist. */
export function isId(kind: Kind, value: unknown): value is string {
  return kindOf(value) === kind;
}
