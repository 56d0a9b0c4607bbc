import type { ConflictReason } from '../../common/reasons.js';
import type { FieldCode } from '../../common/errors.js';
import type { JsonRecord } from '../../common/json.js';
import { MAX_EXTERNAL_ID } from '../../common/external-ref.js';
import { isCleanText, isLongerThan } from '../../common/text.js';
import type { TaskStatus } from '../../common/statuses.js';

/** What the request says about the file. */
export interface ImportOptions {
  /** The other system, as `external_ref.source` names it. */
  source: string;
  /** Columns of CSV files, and the fields that they become. */
  mapping?: Record<string, string>;
  /** People of the file by name, login or address, and the resources that they are here. */
  people?: Record<string, string>;
  /** Words for states in the file, and the states that they are here. */
  statuses?: Record<string, TaskStatus>;
  /** What separates the columns of a CSV file; found out where it is absent. */
  delimiter?: string;
}

/** A person, as the file names them. */
export interface ImportedPerson {
  name?: string;
  login?: string;
  email?: string;
}

/** A relation to another item of the file or of an earlier import. */
export interface ImportedRelation {
  type: 'depends_on' | 'blocks' | 'parent_of' | 'relates_to' | 'duplicates';
  externalId: string;
  /** The other item is the source. */
  isIncoming?: boolean;
}

/** One thing of the file, in the terms of this service. */
export interface ImportItem {
  externalId: string | null;
  url?: string;
  title: string;
  description?: string;
  status?: TaskStatus;
  canceledReason?: string;
  createdAt?: string;
  startedAt?: string;
  endedAt?: string;
  dueDate?: string;
  estimate?: number;
  actual?: number;
  author?: ImportedPerson;
  assignee?: ImportedPerson;
  /** What the file says beside that: kept in `metadata`. */
  metadata: JsonRecord;
  comments: { key: string; author?: ImportedPerson; content: string; createdAt?: string }[];
  relations: ImportedRelation[];
}

/** A record of the file; `section` is `items` for things, else what things refer to. */
export interface ImportRecord {
  line: number;
  section: string;
  key: string | null;
  data: JsonRecord;
}

/** What records are found by: several can have the same name. */
export type RecordName = readonly [section: string, key: string];

/** Finds what items refer to elsewhere in the file. */
export type Lookup = (section: string, key: string) => readonly JsonRecord[];

/** How files of one kind are taken apart. */
export interface FileFormat {
  /** The `source` where the request names none. */
  source: string;
  /** The records of the file, as it arrives. Throws {@link UnreadableFile}. */
  records(file: AsyncIterable<Buffer>, options: ImportOptions): AsyncIterable<ImportRecord>;
  /** The sections of which each record is brought, in that order; `items` alone where nothing is said. */
  sections?: readonly string[];
}

/** How files are read that hold tasks of another system. */
export interface ImportFormat extends FileFormat {
  /** The records of other sections that an item is made of; none where this is absent. */
  needs?(record: ImportRecord): readonly RecordName[];
  /** Throws {@link RefusedLine}. */
  item(record: ImportRecord, options: ImportOptions, lookup: Lookup): ImportItem;
}

/** The file as a whole cannot be read. */
export class UnreadableFile extends Error {}

/** A line that is not brought, and why. */
export class RefusedLine extends Error {
  constructor(
    message: string,
    readonly code: string = 'invalid_input',
    readonly reason: FieldCode | ConflictReason | null = null,
  ) {
    super(message);
  }
}

/** The section of the things themselves. */
export const ITEMS = 'items';
/** Marks a record of which nothing could be stored; its value is why. */
const UNSTORED = ' unstored';

const UNSTORED_REASONS = {
  invalid_text: 'The record contains characters that cannot be stored.',
  too_long: `The id of the record is longer than ${MAX_EXTERNAL_ID} characters.`,
} as const;
type UnstoredReason = keyof typeof UNSTORED_REASONS;

/** The record, or its place alone, as one that is brought, where it cannot be stored as it is. */
export function storable(record: ImportRecord, sections: readonly string[]): ImportRecord {
  const reason = reasonAgainst(record);
  if (reason === undefined) return record;
  const section = sections.includes(record.section) ? record.section : sections[0];
  return { line: record.line, section, key: null, data: { [UNSTORED]: reason } };
}

/** Refuses a record that could not be stored. */
export function assertStored(data: JsonRecord): void {
  const reason = data[UNSTORED] as UnstoredReason | undefined;
  if (reason !== undefined) throw new RefusedLine(UNSTORED_REASONS[reason], 'invalid_input', reason);
}

function reasonAgainst({ data, key }: ImportRecord): UnstoredReason | undefined {
  if (!isClean(data)) return 'invalid_text';
  return key !== null && isLongerThan(key, MAX_EXTERNAL_ID) ? 'too_long' : undefined;
}

function isClean(value: unknown): boolean {
  if (typeof value === 'string') return isCleanText(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, inner]) => isCleanText(name) && isClean(inner));
}
