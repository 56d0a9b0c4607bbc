import { isRecord } from '../../common/json.js';

let areIgnored = false;

/**
 * Whether what is unknown is dropped instead of refused (`UNKNOWN_FIELDS=ignore`): properties of bodies at every depth that
 * the service reads, query parameters, and values of closed sets in filters.
 */
export function ignoreUnknownFields(ignore: boolean): void {
  areIgnored = ignore;
}

export const areUnknownFieldsIgnored = (): boolean => areIgnored;

/** The object with its properties of these names alone where others are ignored; everything else as it is. */
export function dropUnknown(value: unknown, names: readonly string[]): unknown {
  if (!areIgnored || !isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)));
}
