import { printable } from '../../common/texts/text.js';

/** What a note is about. */
export const NOTE_KINDS = [
  'column',
  'property',
  'status',
  'list',
  'resolution',
  'link',
  'person',
  'value',
  'truncated',
  'mapping',
  'option',
  'kept',
] as const;
export type NoteKind = (typeof NOTE_KINDS)[number];

/** Something in the file that was not understood or not taken as it is, and what was done instead. */
export interface Note {
  /** `used` marks an option of the request that applied to the file; such notes are not shown. */
  kind: NoteKind | 'used';
  name: string;
  message: string;
  /** The first line. */
  line: number | null;
  count: number;
  /** For something of which only a part is in the file. */
  found: number;
  total: number;
}

/** The number of names of one kind that are kept in a piece; more are counted together. */
const MAX_NAMES = 500;
const MAX_NAME = 200;
/** The name of the notes that are counted together. */
export const OTHERS = '…';

/** Collects what readers of a file could not use, so that the report can name it. */
export class ImportNotes {
  private readonly notes = new Map<string, Note>();
  private readonly names = new Map<string, number>();

  add(kind: Note['kind'], name: string, message: string, line: number | null, count = 1): void {
    this.sum({ kind, name, message, line, count, found: 0, total: 0 });
  }

  /** Notes that only `found` of `total` of something are in the file. */
  truncated(name: string, found: number, total: number, line: number | null): void {
    if (found < total) this.sum({ kind: 'truncated', name, message: '', line, count: 1, found, total });
  }

  /** Notes that an option applied to the file, such as `statuses` for the name of a status. */
  use(option: string, name = ''): void {
    this.sum({ kind: 'used', name: usedName(option, name), message: '', line: null, count: 1, found: 0, total: 0 });
  }

  get all(): readonly Note[] {
    return [...this.notes.values()];
  }

  private sum(note: Note): void {
    const name = printable(note.name, MAX_NAME);
    const key = JSON.stringify([note.kind, name, note.message]);
    const known = this.notes.get(key);
    if (known !== undefined) {
      known.count += note.count;
      known.found += note.found;
      known.total += note.total;
      return;
    }
    const names = (this.names.get(note.kind) ?? 0) + 1;
    if (names > MAX_NAMES && name !== OTHERS && note.kind !== 'used') return this.sum({ ...note, name: OTHERS });
    this.names.set(note.kind, names);
    this.notes.set(key, { ...note, name });
  }
}

/** The name under which the use of an option is stored. */
export const usedName = (option: string, name: string): string => (name === '' ? option : `${option}.${name}`);
