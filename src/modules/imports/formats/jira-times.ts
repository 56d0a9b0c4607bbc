import { RefusedLine } from '../import-format.js';
import { textOf, timeOf } from './values.js';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const CSV_TIME = /^(\d{1,2})\/([A-Za-z]{3})\/(\d{2}|\d{4})(?: (\d{1,2}):(\d\d)(?::\d\d)?(?: ?([AP])M)?)?$/i;

/** Parses a time of the API, or of the CSV export (`20/Nov/26 10:00 AM`, interpreted as UTC). */
export function jiraTimeOf(value: unknown, name: string): string | undefined {
  const text = textOf(value)?.trim();
  if (text === undefined) return undefined;
  const [, day, month, year, hour = '0', minute = '0', half] = CSV_TIME.exec(text) ?? [];
  if (day === undefined) return timeOf(text, name);
  const at = MONTHS.indexOf(month.toLowerCase());
  const full = year.length === 2 ? 2000 + Number(year) : Number(year);
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  const time = new Date(Date.UTC(full, at, Number(day), hours, Number(minute)));
  if (at >= 0 && time.getUTCDate() === Number(day) && hours < 24) return time.toISOString();
  throw new RefusedLine(`${name} must be a date such as 20/Nov/26 10:00 AM.`, undefined, 'invalid_date');
}
