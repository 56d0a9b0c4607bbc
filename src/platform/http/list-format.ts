import { CSV_TYPE } from './csv.js';
import { prefersType } from './negotiation.js';

export const NDJSON_TYPE = 'application/x-ndjson';

/** The forms in which lists are sent whole. */
export type ListFormat = typeof CSV_TYPE | typeof NDJSON_TYPE;

export const LIST_FORMATS: readonly ListFormat[] = [CSV_TYPE, NDJSON_TYPE];

/** The form that a client wants more than a page of JSON; undefined for nearly all. */
export function listFormatOf(accept: string | undefined): ListFormat | undefined {
  const wanted = LIST_FORMATS.filter((type) => prefersType(accept, type, 'application/json'));
  return wanted.length === 2 && prefersType(accept, NDJSON_TYPE, CSV_TYPE) ? NDJSON_TYPE : wanted[0];
}
