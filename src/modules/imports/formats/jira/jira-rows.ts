import { MAX_EXTERNAL_ID } from '../../../../common/external-ref.js';
import { printable } from '../../../../common/texts/text.js';
import { numberInKey } from '../../../../common/work-keys.js';
import {
  ITEMS,
  SPELLINGS,
  UnreadableFile,
  type ImportedRelation,
  type ImportedRemark,
} from '../../reading/import-format.js';
import type { ImportItem, ImportOptions, ImportRecord } from '../../reading/import-format.js';
import type { ImportNotes } from '../../import-notes.js';
import { personOf, type Reading } from '../../reading/reading.js';
import { saidPriority } from '../../words/priorities.js';
import { conceptOf, linkColumnOf, type Concept } from '../../words/headings.js';
import { assertNoSurplus, Columns, declaredColumn, mappedColumns, type Cells, type ColumnUse } from '../columns.js';
import { csvRows } from '../csv-rows.js';
import { jiraStateOf } from './jira-state.js';
import { workOfCells } from './jira-worklogs.js';

const READ: ReadonlySet<Concept> = new Set([
  ...([
    'key',
    'number',
    'url',
    'title',
    'description',
    'status',
    'category',
    'resolution',
    'priority',
    'points',
    'type',
  ] as const),
  ...(['assignee', 'assigneeLogin', 'author', 'authorLogin', 'created', 'resolved', 'start', 'due', 'labels'] as const),
  ...(['estimate', 'spent', 'comment', 'work', 'parent'] as const),
]);
/** The fields of a mapping, which has the names of the fields of tasks. */
const MAPPED: Readonly<Record<string, Concept>> = {
  id: 'key',
  created_at: 'created',
  started_at: 'started',
  ended_at: 'resolved',
  start_date: 'start',
  due_date: 'due',
  estimate: 'hours',
  actual: 'hoursSpent',
};
const ENGLISH = new Set(
  ['Summary', 'Issue key', 'Issue id', 'Issue Type', 'Status', 'Status Category', 'Resolution', 'Priority', 'Assignee']
    .concat([
      'Assignee Id',
      'Reporter',
      'Reporter Id',
      'Creator',
      'Created',
      'Resolved',
      'Start date',
      'Custom field (Start date)',
      'Due date',
      'Due Date',
      'Labels',
    ])
    .concat([
      'Description',
      'Original estimate',
      'Original Estimate',
      'Time Spent',
      'Comment',
      'Log Work',
      'Parent',
      'Parent id',
    ])
    .concat(['Parent key', 'Custom field (Epic Link)']),
);
/** Begins the fields of links; the rest is `in` or `out` and the name of the type. */
const LINK = 'link ';

function usesOf(header: readonly string[], options: ImportOptions, notes: ImportNotes): (ColumnUse | undefined)[] {
  const { mapping } = options;
  const mapped = mapping === undefined ? [] : mappedColumns(header, mapping, notes);
  return header.map((heading, at) => {
    const own = mapped.at(at);
    if (own !== undefined) return { field: MAPPED[own.field] ?? own.field, isGuess: false };
    const link = linkColumnOf(heading);
    if (link !== undefined) return { field: `${LINK}${link.isIncoming ? 'in' : 'out'} ${link.name}`, isGuess: false };
    const concept = conceptOf(heading);
    if (concept === undefined || !READ.has(concept)) return declaredColumn(heading, options);
    return { field: concept, isGuess: !ENGLISH.has(heading) };
  });
}

/** Combines columns of the same meaning, such as Labels and Comment, into one list. */
export async function* rows(
  file: AsyncIterable<Buffer>,
  options: ImportOptions,
  notes: ImportNotes,
): AsyncGenerator<ImportRecord> {
  let columns: Columns | undefined;
  for await (const row of csvRows(file, options)) {
    if (columns === undefined) {
      columns = new Columns(row.header, usesOf(row.header, options, notes));
      assertIsJira(columns, row.header);
    }
    const data = columns.read(row);
    const key = data.key?.at(0)?.trim() ?? data.number?.at(0)?.trim() ?? null;
    yield { line: row.line, section: ITEMS, key, data };
    for (const spelling of new Set([...(data.number ?? []), ...(data.url ?? [])].map((text) => text.trim()))) {
      if (key === null || spelling === key || spelling.length > MAX_EXTERNAL_ID) continue;
      yield { line: row.line, section: SPELLINGS, key: spelling, data: { of: key } };
    }
  }
  columns?.note(notes, 'map it to a field or to metadata.<name> to keep it');
}

function assertIsJira(columns: Columns, header: readonly string[]): void {
  if (columns.has('title')) return;
  const names = header.slice(0, 10).map((name) => printable(name, 40));
  throw new UnreadableFile(
    `No column of the file is the summary of an issue. It looks for headings such as Summary and Issue key, also in ` +
      `German, French, Spanish, Portuguese and Japanese, or for a mapping of a column to title; the headings are ` +
      `${names.join(', ')}${header.length > names.length ? ', …' : ''}.`,
  );
}

export function itemOfRow({ key, data: row }: ImportRecord, reading: Reading): ImportItem {
  const data = row as Cells;
  assertNoSurplus(data);
  const cells = (name: string): readonly string[] => (Object.hasOwn(data, name) ? data[name] : []);
  const first = (name: string): string | undefined => cells(name).at(0);
  const said = <V>(name: string, read: (cell: string) => V | undefined): V | null | undefined => {
    if (!Object.hasOwn(data, name)) return undefined;
    return data[name].length === 0 ? null : read(data[name][0]);
  };
  const endedAt = reading.time(first('resolved'), 'Resolved');
  const own = Object.keys(data).filter((field) => field.startsWith('metadata.'));
  const estimate = said('estimate', (cell) => reading.hours(cell, 'Original estimate'));
  const actual = said('spent', (cell) => reading.hours(cell, 'Time Spent'));
  const { priority, unknown } = saidPriority(said('priority', (cell) => cell));
  const labels = [
    ...new Set(
      cells('labels')
        .flatMap((cell) => cell.split(/[\s,;]+/))
        .filter(Boolean),
    ),
  ];
  return {
    externalId: key,
    number: numberInKey(key),
    url: first('url'),
    title: reading.title(first('title')),
    description: said('description', (cell) => cell),
    ...jiraStateOf(
      {
        name: first('status'),
        category: first('category'),
        resolution: first('resolution'),
        isResolved: endedAt !== undefined,
      },
      reading,
    ),
    stage: first('status'),
    createdAt: reading.time(first('created'), 'Created'),
    startedAt: reading.time(first('started'), 'started_at'),
    endedAt,
    startDate: said('start', (cell) => reading.day(cell, 'Start date')),
    dueDate: said('due', (cell) => reading.day(cell, 'Due date')),
    priority,
    points: said('points', (cell) => reading.number(cell, 'Story Points')),
    estimate: said('hours', (cell) => reading.number(cell, 'estimate')) ?? estimate,
    actual: said('hoursSpent', (cell) => reading.number(cell, 'actual')) ?? actual,
    author: withLogin(personOf(first('author')), first('authorLogin')),
    ...(Object.hasOwn(data, 'assignee') && {
      assignees: cells('assignee').flatMap((cell) => withLogin(personOf(cell), first('assigneeLogin')) ?? []),
    }),
    ...(Object.hasOwn(data, 'labels') && { labels: labels.length === 0 ? null : labels }),
    metadata: {
      ...(Object.hasOwn(data, 'type') && { type: first('type') ?? null }),
      ...unknown,
      ...Object.fromEntries(
        own.map((field) => [
          field.slice('metadata.'.length),
          cells(field).length > 1 ? cells(field) : (first(field) ?? null),
        ]),
      ),
    },
    comments: commentsOf(cells('comment'), reading),
    ...(Object.hasOwn(data, 'work') && { work: workOfCells(data.work, reading) }),
    relations: relationsOf(data, reading),
  };
}

const withLogin = (person: ReturnType<typeof personOf>, login: string | undefined) =>
  person && login !== undefined ? { ...person, login } : person;

function relationsOf(data: Cells, reading: Reading): ImportedRelation[] {
  const [parent, ...others] = Object.hasOwn(data, 'parent') ? data.parent.map((cell) => cell.trim()) : [];
  const links = Object.keys(data)
    .filter((field) => field.startsWith(LINK) && data[field].length > 0)
    .flatMap((field) => {
      const [, direction, name] = /^link (in|out) (.*)$/s.exec(field) ?? [];
      const relation = reading.link({ name, isIncoming: direction === 'in' });
      return data[field].map((externalId) => ({ ...relation, externalId: externalId.trim() }));
    });
  return [
    ...(parent === undefined
      ? []
      : [{ type: 'parent_of' as const, externalId: parent, alternatives: others, isIncoming: true }]),
    ...links,
  ];
}

/** Reads cells such as `20/Nov/26 10:00 AM;ann;The text; with semicolons`. */
function commentsOf(cells: readonly string[], reading: Reading): ImportedRemark[] {
  const counts = new Map<string, number>();
  return cells.map((cell) => {
    const [, date, author, content] = /^([^;\n]+);([^;\n]*);([\s\S]*)$/.exec(cell) ?? [];
    if (content === undefined) return { key: cell.slice(0, 200), content: cell };
    const name = `${date};${author}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return {
      key: count === 1 ? name : `${name};${count}`,
      formerKey: `${name};${content.slice(0, 100)}`,
      author: personOf(author),
      content,
      createdAt: reading.sideTime(date, 'Comment'),
    };
  });
}
