import type { ImportItem, ImportOptions, ImportRecord, RecordName } from './import-format.js';
import type { ImportNotes } from '../import-notes.js';
import type { Reading } from './reading.js';

/** The parser of one file format. */
export interface FileFormat {
  /** The default of the option `source`. */
  source: string;
  /** Whether its files can be CSV, to which `mapping` and `delimiter` apply; the report names them for others. */
  hasColumns: boolean;
  /** Yields the records of the file as it arrives; throws {@link UnreadableFile}. */
  records(file: AsyncIterable<Buffer>, options: ImportOptions, notes: ImportNotes): AsyncIterable<ImportRecord>;
  /** The sections that are imported, in that order; `items` by default. */
  sections?: readonly string[];
}

/** The format of a file with tasks of another system. */
export interface ImportFormat extends FileFormat {
  /** Returns the names of the records in other sections that an item needs. */
  needs?(record: ImportRecord): readonly RecordName[];
  /** Converts a record to an item, or to undefined if the options leave it out; throws {@link RefusedLine}. */
  item(record: ImportRecord, reading: Reading): ImportItem | undefined;
}
