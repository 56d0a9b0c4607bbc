import type { DeclaredField } from '../../../common/declared-field.js';
import type { ConflictReason } from '../../../common/reasons.js';
import type { FieldCode } from '../../../common/errors.js';
import { isDeeperThan, MAX_JSON_DEPTH, type JsonRecord } from '../../../common/texts/json.js';
import { MAX_EXTERNAL_ID } from '../../../common/external-ref.js';
import { isCleanText, isLongerThan } from '../../../common/texts/text.js';
import type { TaskStatus } from '../../../common/statuses.js';
import type { Priority } from '../../demands/demand.lifecycle.js';
import type { LinkOption, RelationType } from '../words/links.js';

/** The parameters of the request that describe the file. */
export interface ImportOptions {
  /** The name of the other system for `external_ref.source`. */
  source: string;
  /** The fields of CSV columns, by the names of the columns. */
  mapping?: Record<string, string>;
  /** The ids of resources or users, by the names, logins or e-mail addresses of people in the file. */
  people?: Record<string, string>;
  /** The statuses, by the names of states in the file. */
  statuses?: Record<string, TaskStatus>;
  /** Whether finished work was done or canceled, by the names of resolutions in the file. */
  resolutions?: Record<string, 'done' | 'canceled'>;
  /** The relations of links, by the names of link types in the file. */
  links?: Record<string, LinkOption>;
  /** The separator of a CSV file; detected if absent. */
  delimiter?: string;
  /** The order of day, month and year, such as `DD/MM/YYYY`. */
  date_format?: string;
  /** The time zone of times without an offset; UTC if absent. */
  timezone?: string;
  /** The decimal mark; without it, numbers that can be read in two ways are refused. */
  decimal?: '.' | ',';
  /** The language of the file, for dates and numbers. */
  language?: string;
  /** What happens to open work in archived lists and projects; `cancel` if absent. */
  archived?: 'cancel' | 'skip';
  /** The fields that the endeavour declares for tasks. They are no parameter of the request. */
  fields?: readonly DeclaredField[];
}

/** A person in the file. */
export interface ImportedPerson {
  name?: string;
  login?: string;
  email?: string;
}

/** A relation to another item of the file or of an earlier import. */
export interface ImportedRelation {
  type: RelationType;
  /** The other item, as the file spells it: its id, number, URL or title. */
  externalId: string;
  /** Other spellings of the same item. */
  alternatives?: readonly string[];
  /** Whether the other item is the source of the relation. */
  isIncoming?: boolean;
  /** Whether the other item may be missing, because the file has the relation at the other item too. */
  isOptional?: boolean;
}

/** A comment of the file. */
export interface ImportedRemark {
  /** Identifies the comment in a repeated import. */
  key: string;
  /** A key under which earlier versions of this service stored the comment. */
  formerKey?: string;
  author?: ImportedPerson;
  content: string;
  createdAt?: string;
}

/** Time that was spent on an item, as an entry of its work log. */
export interface ImportedWork {
  /** Identifies the entry in a repeated import. */
  key: string;
  author?: ImportedPerson;
  minutes: number;
  /** `YYYY-MM-DD`. */
  day: string;
  note?: string;
  createdAt?: string;
}

/**
 * An entity of the file, converted to the properties of this service. A property is undefined if the file does not have
 * it, and null if it is empty there.
 */
export interface ImportItem {
  externalId: string | null;
  /** Its number in the other system, which it keeps if it is free here. */
  number?: number | null;
  url?: string;
  title: string;
  description?: string | null;
  status?: TaskStatus;
  /** The name of the column or state in which it is; that of a stage of its status once it is known to be one. */
  stage?: string;
  canceledReason?: string;
  createdAt?: string;
  startedAt?: string;
  endedAt?: string;
  /** `YYYY-MM-DD`. */
  startDate?: string | null;
  dueDate?: string | null;
  estimate?: number | null;
  points?: number | null;
  priority?: Priority | null;
  actual?: number | null;
  labels?: readonly string[] | null;
  author?: ImportedPerson;
  /** The first is the assignee; the names of all are kept. */
  assignees?: readonly ImportedPerson[];
  /** Other properties, stored in `metadata`. */
  metadata: JsonRecord;
  /** Further values of properties that have only one, stored in `metadata.imported`. */
  surplus?: JsonRecord;
  comments: readonly ImportedRemark[];
  /** The entries of its work log. */
  work?: readonly ImportedWork[];
  relations: readonly ImportedRelation[];
}

/** A record of the file. The section is `items` for entities; items refer to records in other sections. */
export interface ImportRecord {
  line: number;
  section: string;
  key: string | null;
  data: JsonRecord;
}

/** The name by which other records refer to a record; not unique. */
export type RecordName = readonly [section: string, key: string];

/** Returns the records with that name, to which items refer. */
export type Lookup = (section: string, key: string) => readonly JsonRecord[];

/** The error for a file that cannot be read. */
export class UnreadableFile extends Error {}

/** The error for a line that cannot be imported. */
export class RefusedLine extends Error {
  constructor(
    message: string,
    readonly code: string = 'invalid_input',
    readonly reason: FieldCode | ConflictReason | null = null,
  ) {
    super(message);
  }
}

/** The section of the entities themselves. */
export const ITEMS = 'items';
/** The section of other spellings of items, which have the name of the item as `data.of`. */
export const SPELLINGS = 'spellings';
/** Marks a record that could not be stored; its value is the reason. */
const UNSTORED = ' unstored';
/** The maximum length of the JSON of a record, which one with a thousand long comments does not reach. */
const MAX_STORED = 4 * 1024 * 1024;

const UNSTORED_REASONS = {
  out_of_range: `The record has more than ${MAX_JSON_DEPTH} levels of objects and arrays.`,
  invalid_text: 'The record contains characters that cannot be stored.',
  too_long: `The record has more than ${MAX_STORED / 1024 / 1024} MiB, or an id of more than ${MAX_EXTERNAL_ID} characters.`,
} as const;
type UnstoredReason = keyof typeof UNSTORED_REASONS;

/** Returns the record with its JSON or, if it cannot be stored, a placeholder that `assertStored` rejects later. */
export function storable(
  record: ImportRecord,
  sections: readonly string[],
): Omit<ImportRecord, 'data'> & { data: string } {
  let reason = reasonAgainst(record);
  if (reason === undefined) {
    const data = JSON.stringify(record.data);
    if (data.length <= MAX_STORED) return { ...record, data };
    reason = 'too_long';
  }
  const section = sections.includes(record.section) ? record.section : sections[0];
  return { line: record.line, section, key: null, data: JSON.stringify({ [UNSTORED]: reason }) };
}

/** Rejects the placeholder of a record that could not be stored. */
export function assertStored(data: JsonRecord): void {
  const reason = data[UNSTORED] as UnstoredReason | undefined;
  if (reason !== undefined) throw new RefusedLine(UNSTORED_REASONS[reason], 'invalid_input', reason);
}

function reasonAgainst({ data, key }: ImportRecord): UnstoredReason | undefined {
  if (isDeeperThan(data, MAX_JSON_DEPTH)) return 'out_of_range';
  if (!isClean(data)) return 'invalid_text';
  return key !== null && isLongerThan(key, MAX_EXTERNAL_ID) ? 'too_long' : undefined;
}

function isClean(value: unknown): boolean {
  if (typeof value === 'string') return isCleanText(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, inner]) => isCleanText(name) && isClean(inner));
}
