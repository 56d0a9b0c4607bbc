import { foldWord } from './fold.js';

/** The beginnings of month names in English, German, French, Spanish and Portuguese, without accents. */
const MONTHS: readonly (readonly string[])[] = [
  ['jan', 'ene'],
  ['feb', 'fev'],
  ['mar', 'mrz'],
  ['apr', 'avr', 'abr'],
  ['may', 'mai'],
  ['jun', 'juin'],
  ['jul', 'juil'],
  ['aug', 'aou', 'ago'],
  ['sep', 'set'],
  ['oct', 'okt', 'out'],
  ['nov'],
  ['dec', 'dez', 'dic'],
];

/** Returns the month, from 1, of a name such as `Oct`, `oct.`, `octobre`, `März` or `10月`. */
export function monthOf(name: string): number | undefined {
  const word = foldWord(name).replaceAll(' ', '');
  const number = /^(\d{1,2})月$/.exec(word)?.[1];
  if (number !== undefined) return Number(number) >= 1 && Number(number) <= 12 ? Number(number) : undefined;
  if (!/^[a-z]{3,12}$/.test(word)) return undefined;
  const at = MONTHS.findIndex((beginnings) => beginnings.some((beginning) => word.startsWith(beginning)));
  return at < 0 ? undefined : at + 1;
}
