import { MAX_EXTERNAL_ID } from '../../../common/external-ref.js';
import { printable } from '../../../common/texts/text.js';
import { ITEMS, SPELLINGS, UnreadableFile, type ImportItem } from '../reading/import-format.js';
import type { ImportFormat } from '../reading/file-format.js';
import type { ImportedRelation, ImportOptions, ImportRecord } from '../reading/import-format.js';
import type { ImportNotes } from '../import-notes.js';
import { personOf, type Reading } from '../reading/reading.js';
import { foldWord } from '../words/fold.js';
import { saidPriority } from '../words/priorities.js';
import { conceptOf, type Concept } from '../words/headings.js';
import { assertNoSurplus, Columns, declaredColumn, mappedColumns, type Cells, type ColumnUse } from './columns.js';
import { csvRows } from './csv-rows.js';
import { beginsWith, peekedFile } from './long-start.js';
import { ownCsvRecord, ownJsonRecords } from './own-rows.js';

/** The fields that a column can be mapped to, besides `metadata.<key>`. */
export const CSV_FIELDS = [
  'id',
  'url',
  'title',
  'description',
  'status',
  'resolution',
  'canceled_reason',
  'assignee',
  'author',
  'start_date',
  'due_date',
  'priority',
  'points',
  'estimate',
  'actual',
  'created_at',
  'started_at',
  'ended_at',
  'canceled_at',
  'parent',
  'depends_on',
  'blocks',
  'relates_to',
  'duplicates',
  'labels',
] as const;

/** The fields of headings that are not names of fields. */
const FIELDS: Partial<Record<Concept, string>> = {
  key: 'id',
  number: 'number',
  url: 'url',
  title: 'title',
  description: 'description',
  status: 'status',
  category: 'category',
  resolution: 'resolution',
  canceledReason: 'canceled_reason',
  assignee: 'assignee',
  author: 'author',
  start: 'start_date',
  due: 'due_date',
  priority: 'priority',
  points: 'points',
  hours: 'estimate',
  hoursSpent: 'actual',
  created: 'created_at',
  started: 'started_at',
  resolved: 'ended_at',
  canceled: 'canceled_at',
  parent: 'parent',
  dependsOn: 'depends_on',
  blocks: 'blocks',
  relatesTo: 'relates_to',
  duplicates: 'duplicates',
  labels: 'labels',
};

const RELATIONS = ['parent', 'depends_on', 'blocks', 'relates_to', 'duplicates'];
/** Fields that several columns with different headings can fill. */
const LISTS = new Set([...RELATIONS, 'labels', 'assignee', 'number']);

/** Returns the use of each column: by the mapping of the request or, without one, by its heading. */
function usesOf(header: readonly string[], options: ImportOptions, notes: ImportNotes): (ColumnUse | undefined)[] {
  const { mapping } = options;
  if (mapping !== undefined) return mappedColumns(header, mapping, notes);
  const exact = new Set<string>(CSV_FIELDS);
  // A file with a key and an internal number is known by its keys.
  const hasKey = header.some((name) => /^(?:issue )?key$/i.test(name));
  const headings = new Map<string, string>();
  const uses = header.map((name): ColumnUse | undefined => {
    if (name === '') return undefined;
    if (exact.has(name) && !(name === 'id' && hasKey)) return { field: name, isGuess: false };
    const concept = conceptOf(name);
    const field = concept === undefined ? undefined : FIELDS[concept];
    if (field === undefined) return declaredColumn(name, options);
    return { field: field === 'id' && hasKey && !/key$/i.test(name) ? 'number' : field, isGuess: true };
  });
  for (const [at, use] of uses.entries()) {
    if (use !== undefined && !use.isGuess) headings.set(use.field, foldWord(header[at]));
  }
  return uses.map((use, at) => {
    if (use === undefined || LISTS.has(use.field)) return use;
    const heading = foldWord(header[at]);
    const first = headings.get(use.field);
    if (first === undefined) headings.set(use.field, heading);
    return first === undefined || first === heading || use.field === 'description' ? use : undefined;
  });
}

async function* records(
  file: AsyncIterable<Buffer>,
  options: ImportOptions,
  notes: ImportNotes,
): AsyncGenerator<ImportRecord> {
  const { start, whole } = await peekedFile(file);
  if (beginsWith(start, /^\{/)) return yield* ownJsonRecords(whole);
  let columns: Columns | undefined;
  for await (const row of csvRows(whole, options)) {
    const own = ownCsvRecord(row);
    if (own !== undefined) {
      yield own;
      continue;
    }
    if (columns === undefined) {
      columns = new Columns(row.header, usesOf(row.header, options, notes));
      assertHasTitle(columns, row.header);
    }
    const data = columns.read(row);
    const key = data.id?.at(0)?.trim() ?? null;
    yield { line: row.line, section: ITEMS, key, data };
    if (key === null || !RELATIONS.some((field) => columns?.has(field))) continue;
    for (const spelling of spellingsOf(data, key)) {
      yield { line: row.line, section: SPELLINGS, key: spelling, data: { of: key } };
    }
  }
  columns?.note(notes, 'map it to a field or to metadata.<name> to keep it');
}

/** Returns the other texts by which lines can refer to a line. */
const spellingsOf = ({ url = [], title = [], number = [] }: Cells, key: string): string[] =>
  [...new Set([...url, ...title, ...number].map((text) => text.trim()))].filter(
    (text) => text !== key && text.length <= MAX_EXTERNAL_ID,
  );

function assertHasTitle(columns: Columns, header: readonly string[]): void {
  if (columns.has('title')) return;
  const names = header.slice(0, 10).map((name) => printable(name, 40));
  throw new UnreadableFile(
    `No column of the file is the title. It looks for a heading such as title, Summary or Name, or for a mapping ` +
      `of one to title; the headings are ${names.join(', ')}${header.length > names.length ? ', …' : ''}.`,
  );
}

const listOf = (cells: readonly string[] = []): string[] =>
  cells.flatMap((cell) =>
    cell
      .split(/[,;\n]/)
      .map((part) => part.trim())
      .filter(Boolean),
  );

function relationsOf(data: Cells): ImportedRelation[] {
  const of = (field: string, type: ImportedRelation['type'], isIncoming = false): ImportedRelation[] =>
    listOf(data[field]).map((externalId) => ({ type, externalId, isIncoming }));
  return [
    ...of('parent', 'parent_of', true),
    ...of('depends_on', 'depends_on'),
    ...of('blocks', 'blocks'),
    ...of('relates_to', 'relates_to'),
    ...of('duplicates', 'duplicates'),
  ];
}

/** Returns undefined without a column for the field, null if it is empty, or else what `read` makes of the first cell. */
const saidCell = <V>(
  data: Cells,
  field: string,
  read: (cell: string, field: string) => V | undefined,
): V | null | undefined => {
  if (!Object.hasOwn(data, field)) return undefined;
  return data[field].length === 0 ? null : read(data[field][0], field);
};

function item({ data: row, key }: ImportRecord, reading: Reading): ImportItem {
  const data = row as Cells;
  assertNoSurplus(data);
  const first = (field: string): string | undefined => (Object.hasOwn(data, field) ? data[field].at(0) : undefined);
  const own = Object.keys(data).filter((field) => field.startsWith('metadata.'));
  const canceledAt = reading.time(first('canceled_at'), 'canceled_at');
  const endedAt = reading.time(first('ended_at'), 'ended_at') ?? canceledAt;
  const stated = reading.status(first('status'), 'status', reading.status(first('category')));
  const resolution = reading.resolution(first('resolution'));
  const finished = resolution ?? (canceledAt !== undefined ? 'canceled' : endedAt !== undefined ? 'done' : undefined);
  const status = stated === 'done' && resolution === 'canceled' ? 'canceled' : (stated ?? finished);
  const single = Object.keys(data).filter((field) => !LISTS.has(field) && !field.startsWith('metadata.'));
  const { priority, unknown } = saidPriority(saidCell(data, 'priority', (cell) => cell));
  const surplus = single.filter((field) => field !== 'description' && data[field].length > 1);
  return {
    externalId: key,
    url: first('url'),
    title: reading.title(first('title')),
    description: saidCell(data, 'description', () => data.description.join('\n\n')),
    status,
    stage: first('status'),
    canceledReason: first('canceled_reason') ?? (resolution === 'canceled' ? first('resolution') : undefined),
    createdAt: reading.time(first('created_at'), 'created_at'),
    startedAt: reading.time(first('started_at'), 'started_at'),
    endedAt,
    startDate: saidCell(data, 'start_date', (cell, field) => reading.day(cell, field)),
    dueDate: saidCell(data, 'due_date', (cell, field) => reading.dayOrTime(cell, field)),
    priority,
    points: saidCell(data, 'points', (cell, field) => reading.number(cell, field)),
    estimate: saidCell(data, 'estimate', (cell, field) => reading.number(cell, field)),
    actual: saidCell(data, 'actual', (cell, field) => reading.number(cell, field)),
    author: personOf(first('author')),
    ...(Object.hasOwn(data, 'assignee') && { assignees: peopleIn(data.assignee) }),
    ...(Object.hasOwn(data, 'labels') && { labels: emptyAsNull([...new Set(listOf(data.labels))]) }),
    metadata: {
      ...unknown,
      ...Object.fromEntries(own.map((field) => [field.slice('metadata.'.length), valueOf(data[field])])),
    },
    surplus: Object.fromEntries(surplus.map((field) => [field, data[field]])),
    comments: [],
    relations: relationsOf(data),
  };
}

const emptyAsNull = <T>(values: readonly T[]): readonly T[] | null => (values.length === 0 ? null : values);
const valueOf = (cells: readonly string[]): unknown => (cells.length > 1 ? cells : (cells.at(0) ?? null));

/** Returns the people in cells; a cell can name several, separated by semicolons. */
const peopleIn = (cells: readonly string[]) =>
  cells
    .flatMap((cell) => cell.split(/[;\n]/))
    .map(personOf)
    .filter((person) => person !== undefined);

export const csvFormat: ImportFormat = {
  source: 'csv',
  hasColumns: true,
  records,
  item,
};
