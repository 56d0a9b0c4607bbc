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

/** What spreadsheets may skip before the character that makes a cell a formula. */
const BLANKS_BEFORE_FORMULA = /^[\s\p{Z}\p{Cc}\p{Cf}\p{DI}]+(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/u;

function cellOf(value: unknown): string | number {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return BLANKS_BEFORE_FORMULA.test(value) ? `'${value}` : value;
  return typeof value === 'boolean' ? String(value) : JSON.stringify(value);
}
