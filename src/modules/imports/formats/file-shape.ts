import { printable } from '../../../common/texts/text.js';
import { UnreadableFile } from '../reading/import-format.js';
import type { ImportNotes } from '../import-notes.js';
import { isEmpty } from './values.js';

/** The value of a property that is an object or array with contents. */
export const CONTENTS = Symbol('contents');

/** What a JSON file has, to reject files of other formats and to name what is not read. */
export class FileShape {
  /** The number of records that are items of the format. */
  items = 0;
  private readonly properties = new Map<string, unknown>();

  /** Called with each property of the object of the file. */
  readonly onProperty = (name: string, value: unknown): void => {
    if (this.properties.size < 1_000) this.properties.set(name, value);
  };

  valueOf(name: string): unknown {
    return this.properties.get(name);
  }

  /** Rejects a file without items and without the arrays in which they are. */
  assertRecognized(format: string, expects: string, containers: readonly string[]): void {
    if (this.items > 0 || containers.some((name) => this.properties.has(name))) return;
    const names = [...this.properties.keys()].slice(0, 10).map((name) => printable(name, 40));
    const found =
      names.length === 0 ? 'The file has nothing of it.' : `The file has the properties ${names.join(', ')}.`;
    throw new UnreadableFile(`The format ${format} looks for ${expects}. ${found}`);
  }

  /** Names the properties with values that nothing reads. */
  noteUnread(notes: ImportNotes, read: ReadonlySet<string>): void {
    for (const [name, value] of this.properties) {
      if (read.has(name) || (value !== CONTENTS && isEmpty(value))) continue;
      notes.add('property', name, 'not imported', null);
    }
  }
}
