import { stringify } from 'csv-stringify/sync';

export const CSV_TYPE = 'text/csv';

/** Cells with one of these are quoted, because some readers treat each as the end of a record. */
const LINE_BREAK = /[\r\n]/;

/** The header line with the names of the columns. */
export const csvHeader = (columns: readonly string[]): string => line([[...columns]]);

/**
 * Rows as lines of CSV (RFC 4180), one cell per column. Texts that a spreadsheet would evaluate as formulas get a
 * leading apostrophe, because any user can write them.
 */
export const csvLines = <R extends object>(columns: readonly (keyof R & string)[], rows: readonly R[]): string =>
  line(rows.map((row) => columns.map((column) => cellOf(row[column]))));

const line = (records: (string | number)[][]): string =>
  stringify(records, { record_delimiter: 'windows', escape_formulas: true, quoted_match: LINE_BREAK });

function cellOf(value: unknown): string | number {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'string') return value;
  return typeof value === 'boolean' ? String(value) : JSON.stringify(value);
}
