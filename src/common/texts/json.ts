/** A JSON object as JSON.parse makes it: `__proto__` and `constructor` may be keys like any other. */
export type JsonRecord = Record<string, unknown>;

/** Whether the value is a JSON object: neither null nor an array. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Deeper than metadata may be, which is checked separately. */
export const MAX_JSON_DEPTH = 40;

/** Whether objects and arrays are nested deeper than that; looks no deeper, because such input could exhaust the stack. */
export const isDeeperThan = (value: unknown, levels: number): boolean =>
  isContainer(value) && (levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1)));

interface JsonSize {
  bytes: number;
  depth: number;
  keys: number;
}

/**
 * Measures a JSON value: UTF-8 bytes of its shortest text, levels of nesting (a scalar has 0) and keys on all levels.
 * Iterates by level, because deeply nested input must not exhaust the stack, and stops after more than `maxBytes`.
 */
export function measureJson(value: unknown, maxBytes = Infinity): JsonSize {
  const size: JsonSize = { bytes: isContainer(value) ? 0 : bytesOf(value), depth: 0, keys: 0 };
  for (let level = [value].filter(isContainer); level.length > 0; size.depth++) {
    const nextLevel: object[] = [];
    for (const container of level) {
      for (const child of addOwnSize(container, size, maxBytes)) {
        if (size.bytes > maxBytes) return size;
        if (isContainer(child)) nextLevel.push(child);
        else size.bytes += bytesOf(child);
      }
    }
    level = nextLevel;
  }
  return size;
}

/**
 * Adds the brackets and commas of an object or array, and an object's keys with their colons; returns its children,
 * which are not counted.
 */
function addOwnSize(container: object, size: JsonSize, maxBytes: number): unknown[] {
  const children: unknown[] = Object.values(container);
  size.bytes += 2 + Math.max(0, children.length - 1);
  if (Array.isArray(container)) return children;
  size.keys += children.length;
  for (const key of Object.keys(container)) {
    if (size.bytes > maxBytes) break;
    size.bytes += bytesOf(key) + 1;
  }
  return children;
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;
/** A missing value counts like null, although an object is stored without it. */
const bytesOf = (scalar: unknown): number => Buffer.byteLength(JSON.stringify(scalar ?? null));

/** Applies a JSON merge patch (RFC 7396) and returns a new value; the arguments are not changed. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  // A spread keeps an own `__proto__` property; an assignment would set the prototype.
  const result: JsonRecord = isRecord(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else define(result, key, mergePatch(ownValue(result, key), value));
  }
  return result;
}

function ownValue(record: JsonRecord, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function define(record: JsonRecord, key: string, value: unknown): void {
  Object.defineProperty(record, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Whether two JSON values are equal; the order of keys does not matter, that of array items does. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  );
}
