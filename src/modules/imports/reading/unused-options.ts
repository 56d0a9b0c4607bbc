import { formatOf, type FormatName } from '../formats/all.js';
import type { ImportOptions } from './import-format.js';
import { usedName, type ImportNotes } from '../import-notes.js';

/** The options that are tables by names in the file, and those that change how values are read. */
const TABLES = ['statuses', 'resolutions', 'links', 'people'] as const;
const RULES = ['date_format', 'timezone', 'decimal', 'archived'] as const;

/** Names the entries of options that matched nothing in the file. */
export function noteUnused(options: ImportOptions, used: ReadonlySet<string>, notes: ImportNotes): void {
  for (const option of TABLES) {
    for (const name of Object.keys(options[option] ?? {})) {
      if (!used.has(usedName(option, name)))
        notes.add('option', `${option}.${name}`, 'matches nothing in the file', null, 0);
    }
  }
  for (const option of RULES) {
    if (options[option] !== undefined && !used.has(option)) {
      notes.add('option', option, 'nothing in the file depends on it', null, 0);
    }
  }
}

/** Names the options for CSV files if the format is none. */
export function noteUnusable({ mapping = {}, delimiter }: ImportOptions, format: FormatName, notes: ImportNotes): void {
  if (formatOf(format).hasColumns) return;
  const message = `the format ${format} has no columns`;
  for (const name of Object.keys(mapping)) notes.add('mapping', name, message, null, 0);
  if (delimiter !== undefined) notes.add('option', 'delimiter', message, null, 0);
}
