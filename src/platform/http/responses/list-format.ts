import { CSV_TYPE } from './csv.js';
import { prefersType } from '../requests/negotiation.js';

export const NDJSON_TYPE = 'application/x-ndjson';

/** The formats for complete lists. */
export type ListFormat = typeof CSV_TYPE | typeof NDJSON_TYPE;

export const LIST_FORMATS: readonly ListFormat[] = [CSV_TYPE, NDJSON_TYPE];

/** The format that the client prefers over a page of JSON; usually undefined. */
export function listFormatOf(accept: string | undefined): ListFormat | undefined {
  const preferred = LIST_FORMATS.filter((type) => prefersType(accept, type, 'application/json'));
  return preferred.length === 2 && prefersType(accept, NDJSON_TYPE, CSV_TYPE) ? NDJSON_TYPE : preferred[0];
}
