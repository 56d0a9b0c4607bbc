import { MAX_EXTERNAL_ID } from '../../../../common/external-ref.js';
import { printable } from '../../../../common/texts/text.js';
import { numberInKey } from '../../../../common/work-keys.js';
import { ITEMS, SPELLINGS, UnreadableFile, type ImportedRelation } from '../../reading/import-format.js';
import type { ImportItem, ImportOptions, ImportRecord } from '../../reading/import-format.js';
import type { ImportNotes } from '../../import-notes.js';
import { personOf, type Reading } from '../../reading/reading.js';
import { assertNoSurplus, Columns, declaredColumn, mappedColumns, type Cells, type ColumnUse } from '../columns.js';
import { csvRows } from '../csv-rows.js';
import { linearPriorityOf, linearStateOf } from './linear-state.js';

/** The fields of columns, by their headings in lower case. */
const HEADINGS: ReadonlyMap<string, string> = new Map([
  ['id', 'key'],
  ['uuid', 'uuid'],
  ['title', 'title'],
  ['description', 'description'],
  ['status', 'status'],
  ['estimate', 'points'],
  ['priority', 'priority'],
  ['team', 'metadata.team'],
  ['project', 'metadata.project'],
  ['project milestone', 'metadata.milestone'],
  ['creator', 'author'],
  ['assignee', 'assignee'],
  ['labels', 'labels'],
  ['cycle number', 'cycle'],
  ['cycle name', 'cycle name'],
  ['cycle start', 'cycle start'],
  ['cycle end', 'cycle end'],
  ['created', 'created'],
  ['started', 'started'],
  ['completed', 'completed'],
  ['canceled', 'canceled'],
  ['archived', 'archived'],
  ['due date', 'due'],
  ['parent issue', 'parent'],
  ['blocks', 'blocks'],
  ['blocked by', 'blocked by'],
  ['related to', 'related to'],
  ['duplicate of', 'duplicate of'],
]);

/** The fields of a mapping, which has the names of the fields of tasks. */
const MAPPED: Readonly<Record<string, string>> = {
  id: 'key',
  created_at: 'created',
  started_at: 'started',
  ended_at: 'completed',
  due_date: 'due',
};

function usesOf(header: readonly string[], options: ImportOptions, notes: ImportNotes): (ColumnUse | undefined)[] {
  const { mapping } = options;
  const mapped = mapping === undefined ? [] : mappedColumns(header, mapping, notes);
  return header.map((heading, at) => {
    const own = mapped.at(at);
    if (own !== undefined) return { field: MAPPED[own.field] ?? own.field, isGuess: false };
    const field = HEADINGS.get(heading.toLowerCase());
    return field === undefined ? declaredColumn(heading, options) : { field, isGuess: false };
  });
}

/** Yields the rows of the CSV export of a workspace, a team or a view. */
export async function* rows(
  file: AsyncIterable<Buffer>,
  options: ImportOptions,
  notes: ImportNotes,
): AsyncGenerator<ImportRecord> {
  let columns: Columns | undefined;
  for await (const row of csvRows(file, options)) {
    if (columns === undefined) {
      columns = new Columns(row.header, usesOf(row.header, options, notes));
      assertIsLinear(columns, row.header);
    }
    const data = columns.read(row);
    const [key = null, uuid] = [data.key?.at(0)?.trim(), data.uuid?.at(0)?.trim()];
    yield { line: row.line, section: ITEMS, key, data };
    if (key !== null && uuid !== undefined && uuid !== key && uuid.length <= MAX_EXTERNAL_ID) {
      yield { line: row.line, section: SPELLINGS, key: uuid, data: { of: key } };
    }
  }
  columns?.note(notes, 'map it to a field or to metadata.<name> to keep it');
}

function assertIsLinear(columns: Columns, header: readonly string[]): void {
  if (columns.has('title')) return;
  const names = header.slice(0, 10).map((name) => printable(name, 40));
  throw new UnreadableFile(
    `No column of the file is the title of an issue. It looks for the headings of Linear, such as ID, Title and Status, or ` +
      `for a mapping of a column to title; the headings are ${names.join(', ')}${header.length > names.length ? ', …' : ''}.`,
  );
}

/** Returns a text without the quote that Linear puts before texts which spreadsheet programs would take for formulas. */
const unquoted = (text: string): string => text.replace(/^'(?=[+\-=@])/, '');

const namesOf = (cells: readonly string[]): string[] => [
  ...new Set(
    cells
      .flatMap((cell) => cell.split(','))
      .map((name) => name.trim())
      .filter(Boolean),
  ),
];

export function itemOfLinearRow({ key, data: row }: ImportRecord, reading: Reading): ImportItem {
  const data = row as Cells;
  assertNoSurplus(data);
  const cells = (name: string): readonly string[] => (Object.hasOwn(data, name) ? data[name] : []);
  const first = (name: string): string | undefined => cells(name).at(0);
  const said = <V>(name: string, read: (cell: string) => V | undefined): V | null | undefined => {
    if (!Object.hasOwn(data, name)) return undefined;
    return data[name].length === 0 ? null : read(data[name][0]);
  };
  const [startedAt, completedAt, canceledAt, archivedAt] = ['started', 'completed', 'canceled', 'archived'].map(
    (name) => reading.time(first(name), name),
  );
  const labels = namesOf(cells('labels'));
  return {
    externalId: key,
    number: numberInKey(key),
    title: reading.title(unquoted(first('title') ?? '')),
    description: said('description', unquoted),
    ...linearStateOf(
      {
        name: first('status'),
        isStarted: startedAt !== undefined,
        isCompleted: completedAt !== undefined,
        isCanceled: canceledAt !== undefined,
        isArchived: archivedAt !== undefined,
      },
      reading,
    ),
    stage: first('status'),
    createdAt: reading.time(first('created'), 'Created'),
    startedAt,
    endedAt: canceledAt ?? completedAt ?? archivedAt,
    dueDate: said('due', (cell) => reading.day(cell, 'Due Date')),
    ...(Object.hasOwn(data, 'priority') && { priority: linearPriorityOf(first('priority'), reading) }),
    points: said('points', (cell) => reading.number(cell, 'Estimate')),
    estimate: said('estimate', (cell) => reading.number(cell, 'estimate')),
    actual: said('actual', (cell) => reading.number(cell, 'actual')),
    author: personOf(first('author')),
    ...(Object.hasOwn(data, 'assignee') && { assignees: cells('assignee').flatMap((cell) => personOf(cell) ?? []) }),
    ...(Object.hasOwn(data, 'labels') && { labels: labels.length === 0 ? null : labels }),
    metadata: {
      ...(['cycle', 'cycle name'].some((name) => Object.hasOwn(data, name)) && {
        cycle: first('cycle name') ?? first('cycle') ?? null,
      }),
      ...metadataOf(data),
    },
    surplus: Object.fromEntries(
      ['cycle start', 'cycle end'].flatMap((name) => {
        const time = reading.sideTime(first(name), name);
        return time === undefined ? [] : [[name.replace(' ', '_'), time]];
      }),
    ),
    comments: [],
    relations: relationsOf(data, key),
  };
}

const OWN = 'metadata.';

function metadataOf(data: Cells): Record<string, unknown> {
  const own = Object.keys(data).filter((field) => field.startsWith(OWN));
  return Object.fromEntries(
    own.map((field) => {
      const name = field.slice(OWN.length);
      const cell = data[field].at(0) ?? null;
      return [name, cell];
    }),
  );
}

function relationsOf(data: Cells, key: string | null): ImportedRelation[] {
  const others = (name: string): string[] => namesOf(Object.hasOwn(data, name) ? data[name] : []);
  return [
    ...others('parent').map((externalId) => ({ type: 'parent_of' as const, externalId, isIncoming: true })),
    ...others('blocks').map((externalId) => ({ type: 'blocks' as const, externalId })),
    ...others('blocked by').map((externalId) => ({ type: 'blocks' as const, externalId, isIncoming: true })),
    ...others('duplicate of').map((externalId) => ({ type: 'duplicates' as const, externalId })),
    // Both issues can name each other, so that the relation goes from the smaller key to the larger one.
    ...others('related to').map((externalId) => ({
      type: 'relates_to' as const,
      externalId,
      isIncoming: key !== null && externalId < key,
    })),
  ];
}
