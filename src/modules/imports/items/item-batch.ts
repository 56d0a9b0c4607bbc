import type { ImportItem } from '../reading/import-format.js';
import type { ImportNotes } from '../import-notes.js';
import type { ImportState, LineRefusal, StoredLine } from '../imports.repository.js';
import type { ImportPeople } from '../reading/people.js';

/** A line and the item that was read from it. */
export interface ReadLine {
  line: StoredLine;
  item: ImportItem;
}

/** What a batch of an import has in common. */
export interface ItemBatch {
  state: ImportState;
  people: ImportPeople;
  notes: ImportNotes;
  refusals: LineRefusal[];
  /** The numbers of the lines whose tasks exist after the import. */
  imported: Set<number>;
}
