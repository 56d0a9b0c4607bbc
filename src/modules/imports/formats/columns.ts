import { fieldNamed } from '../reading/field-names.js';
import { RefusedLine, type ImportOptions } from '../reading/import-format.js';
import type { ImportNotes } from '../import-notes.js';
import type { CsvRow } from './csv-rows.js';

/** How a column is read. */
export interface ColumnUse {
  field: string;
  /** Whether the field was chosen by the words of the heading, which the report says. */
  isGuess: boolean;
}

/** The cells of a row by field: several for a field with several columns, none if its columns are empty. */
export type Cells = Record<string, readonly string[]>;

/** The property that marks a row with values beyond the header. */
const SURPLUS = ' surplus';

/** Sorts the cells of rows into fields, and counts what is in columns that nothing reads. */
export class Columns {
  private readonly filled: number[];

  constructor(
    private readonly header: readonly string[],
    private readonly uses: readonly (ColumnUse | undefined)[],
  ) {
    this.filled = header.map(() => 0);
  }

  has(field: string): boolean {
    return this.uses.some((use) => use?.field === field);
  }

  /** Returns the cells by field. Cells that a short row does not have count as absent, not as empty. */
  read({ cells, hasSurplus }: CsvRow): Cells {
    if (hasSurplus) return { [SURPLUS]: [] };
    const data: Record<string, string[]> = {};
    for (const [at, cell] of cells.entries()) {
      const isFilled = cell.trim() !== '';
      if (isFilled) this.filled[at] += 1;
      const use = this.uses[at];
      if (use === undefined) continue;
      const known = Object.hasOwn(data, use.field) ? data[use.field] : (data[use.field] = []);
      if (isFilled) known.push(cell);
    }
    return data;
  }

  /** Names the columns with values that nothing reads, and those that were chosen by their words. */
  note(notes: ImportNotes, hint: string): void {
    for (const [at, heading] of this.header.entries()) {
      const use = this.uses[at];
      const name = heading === '' ? `column ${at + 1}` : heading;
      if (this.filled[at] === 0) continue;
      if (use === undefined) notes.add('column', name, `not imported; ${hint}`, null, this.filled[at]);
      else if (use.isGuess) notes.add('column', name, `read as ${use.field}`, null, this.filled[at]);
    }
  }
}

/** Returns the use of a column whose heading is the key or name of a declared field. */
export function declaredColumn(heading: string, { fields = [] }: ImportOptions): ColumnUse | undefined {
  const field = fieldNamed(fields, heading);
  return field === undefined ? undefined : { field: `metadata.${field.key}`, isGuess: true };
}

export function assertNoSurplus(data: object): void {
  if (Object.hasOwn(data, SURPLUS)) {
    throw new RefusedLine('The line has more values than the header has columns, so that they could be misread.');
  }
}

/** Returns the fields of columns with a mapping by the name of the column, and notes names that no column has. */
export function mappedColumns(
  header: readonly string[],
  mapping: Readonly<Record<string, string>>,
  notes: ImportNotes,
): (ColumnUse | undefined)[] {
  const fold = (name: string): string => name.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
  const byName = new Map(Object.entries(mapping).map(([name, field]) => [fold(name), field]));
  const known = new Set(header.map(fold));
  for (const name of Object.keys(mapping)) {
    if (!known.has(fold(name))) notes.add('mapping', name, 'matches no column', null, 0);
  }
  return header.map((name) => {
    const field = byName.get(fold(name));
    return field === undefined ? undefined : { field, isGuess: false };
  });
}
