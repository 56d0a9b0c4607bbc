import { isRecord } from '../../common/texts/json.js';

let areIgnored = false;
let isLenient = (): boolean => false;

/** Whether the client wants unknown input ignored (`Prefer: handling=lenient`, RFC 7240). */
export const prefersLenient = (prefer: string | string[] | undefined): boolean =>
  prefer !== undefined && /(^|[,;\s])handling=lenient\b/i.test(String(prefer));

/** Whether the current request asks for unknown properties to be ignored (`Prefer: handling=lenient`). */
export function ignoreUnknownFieldsIf(asked: () => boolean): void {
  isLenient = asked;
}

/** Whether unknown properties of the body of the current request are dropped instead of rejected. */
export const areBodyFieldsIgnored = (): boolean => areIgnored || isLenient();

/**
 * Whether unknown input is dropped instead of rejected (`UNKNOWN_FIELDS=ignore`): properties of bodies at every depth
 * that the service reads, query parameters, and filter values of closed sets.
 */
export function ignoreUnknownFields(ignore: boolean): void {
  areIgnored = ignore;
}

export const areUnknownFieldsIgnored = (): boolean => areIgnored;

/** The object reduced to these properties if unknown ones are ignored; otherwise unchanged. */
export function dropUnknown(value: unknown, names: readonly string[]): unknown {
  if (!areBodyFieldsIgnored() || !isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)));
}
