import { isRecord } from '../../common/json.js';

let areIgnored = false;

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
  if (!areIgnored || !isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)));
}
