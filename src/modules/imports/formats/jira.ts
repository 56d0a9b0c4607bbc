import type { JsonRecord } from '../../../common/json.js';
import { isRecord } from '../../../common/json.js';
import { ITEMS, type ImportedPerson, type ImportedRelation, type ImportFormat } from '../import-format.js';
import type { ImportItem, ImportOptions, ImportRecord } from '../import-format.js';
import { assertNoSurplus, csvRows, SURPLUS } from './csv.js';
import { jsonElements } from './json-records.js';
import { jiraTimeOf } from './jira-times.js';
import { beginsWith, withLongStart } from './long-start.js';
import {
  importedDueDate,
  numberOf,
  ownOf,
  personOf,
  recordOf,
  recordsOf,
  statusOf,
  textOf,
  titleOf,
} from './values.js';

/** A JSON file is the response of a search, or only its issues. */
const PATHS = { array: ['$.*'], object: ['$.issues.*'] };

const SECONDS_PER_HOUR = 3_600;

/** Reads JSON if the file begins with an object or array, otherwise CSV. */
async function* records(file: AsyncIterable<Buffer>, options: ImportOptions): AsyncGenerator<ImportRecord> {
  const pieces = withLongStart(file);
  const first = await pieces.next();
  const whole = async function* (): AsyncGenerator<Buffer> {
    if (first.done !== true) yield first.value;
    yield* pieces;
  };
  const isJson = first.done !== true && beginsWith(first.value, /^[[{]/);
  yield* isJson ? issues(whole()) : rows(whole(), options);
}

async function* issues(file: AsyncIterable<Buffer>): AsyncGenerator<ImportRecord> {
  for await (const { line, value } of jsonElements(file, PATHS)) {
    yield { line, section: ITEMS, key: textOf(value.key) ?? null, data: value };
  }
}

/** Combines columns of the same name, such as Labels and Comment, into one list. */
async function* rows(file: AsyncIterable<Buffer>, options: ImportOptions): AsyncGenerator<ImportRecord> {
  for await (const { line, header, cells } of csvRows(file, options)) {
    if (cells.length > header.length) {
      yield { line, section: ITEMS, key: null, data: { [SURPLUS]: cells.length } };
      continue;
    }
    const columns = new Map<string, string[]>();
    for (const [at, cell] of cells.entries()) {
      const values = columns.get(header[at]);
      if (cell === '') continue;
      if (values === undefined) columns.set(header[at], [cell]);
      else values.push(cell);
    }
    const key = columns.get('Issue key')?.[0] ?? null;
    yield { line, section: ITEMS, key, data: { csv: Object.fromEntries(columns) } };
  }
}

function item(record: ImportRecord, options: ImportOptions): ImportItem {
  assertNoSurplus(record.data);
  return isRecord(record.data.csv) ? fromRow(record, record.data.csv, options) : fromIssue(record, options);
}

/** The statuses of Jira's status categories, used if the request does not map the status. */
const CATEGORIES: Record<string, string> = { new: 'planned', indeterminate: 'active', done: 'done' };

function stateOf(name: unknown, category: string | undefined, options: ImportOptions): ImportItem['status'] {
  const isNamed = Object.keys(options.statuses ?? {}).some(
    (word) => word.toLowerCase() === textOf(name)?.toLowerCase(),
  );
  return statusOf(isNamed ? name : (ownOf(CATEGORIES, category ?? '') ?? name), options);
}

const LINKS: Record<string, ImportedRelation['type']> = { Blocks: 'blocks', Duplicate: 'duplicates' };

function fromIssue({ key, data }: ImportRecord, options: ImportOptions): ImportItem {
  const fields = recordOf(data.fields);
  const status = recordOf(fields.status);
  const category = textOf(recordOf(status.statusCategory).key);
  const resolution = textOf(recordOf(fields.resolution).name);
  const state = stateOf(status.name, category, options);
  const isRejected =
    state === 'done' && /^(?:won'?t|cannot reproduce|duplicate|declined|invalid)/i.test(resolution ?? '');
  const labels = Array.isArray(fields.labels) ? fields.labels.filter((label) => typeof label === 'string') : [];
  return {
    externalId: key,
    url: browseOf(data.self, key),
    title: titleOf(fields.summary),
    description: plain(fields.description),
    status: isRejected ? 'canceled' : state,
    canceledReason: isRejected ? resolution : undefined,
    createdAt: jiraTimeOf(fields.created, 'created'),
    endedAt: jiraTimeOf(fields.resolutiondate, 'resolutiondate'),
    dueDate: importedDueDate(fields.duedate, 'duedate'),
    estimate: hoursOf(fields.timeoriginalestimate),
    actual: hoursOf(fields.timespent),
    author: someone(fields.reporter ?? fields.creator),
    assignee: someone(fields.assignee),
    metadata: notes({ labels, type: recordOf(fields.issuetype).name, priority: recordOf(fields.priority).name }),
    comments: recordsOf(recordOf(fields.comment).comments).map(({ id, author, body, created }) => ({
      key: textOf(id) ?? '',
      author: someone(author),
      content: plain(body) ?? '',
      createdAt: jiraTimeOf(created, 'created'),
    })),
    relations: relationsOf(fields),
  };
}

function relationsOf(fields: JsonRecord): ImportedRelation[] {
  const parent = textOf(recordOf(fields.parent).key);
  const links = recordsOf(fields.issuelinks).flatMap(({ type, outwardIssue }): ImportedRelation[] => {
    const externalId = textOf(recordOf(outwardIssue).key);
    // Both issues contain the link; only the outward direction is read.
    if (externalId === undefined) return [];
    return [{ type: ownOf(LINKS, textOf(recordOf(type).name) ?? '') ?? 'relates_to', externalId }];
  });
  return [
    ...(parent === undefined ? [] : [{ type: 'parent_of' as const, externalId: parent, isIncoming: true }]),
    ...links,
  ];
}

function fromRow({ key }: ImportRecord, row: JsonRecord, options: ImportOptions): ImportItem {
  const cells = (name: string): string[] => (Array.isArray(row[name]) ? (row[name] as string[]) : []);
  const cell = (name: string): string | undefined => cells(name).at(0);
  const resolution = cell('Resolution');
  const state = stateOf(cell('Status'), ownOf(CATEGORY_NAMES, cell('Status Category') ?? ''), options);
  const isRejected =
    state === 'done' && /^(?:won'?t|cannot reproduce|duplicate|declined|invalid)/i.test(resolution ?? '');
  return {
    externalId: key,
    title: titleOf(cell('Summary')),
    description: textOf(cell('Description')),
    status: isRejected ? 'canceled' : state,
    canceledReason: isRejected ? resolution : undefined,
    createdAt: jiraTimeOf(cell('Created'), 'Created'),
    endedAt: jiraTimeOf(cell('Resolved'), 'Resolved'),
    dueDate: jiraTimeOf(cell('Due date') ?? cell('Due Date'), 'Due date'),
    estimate: hoursOf(cell('Original estimate') ?? cell('Original Estimate')),
    actual: hoursOf(cell('Time Spent')),
    author: personOf(cell('Reporter') ?? cell('Creator')),
    assignee: personOf(cell('Assignee')),
    metadata: notes({ labels: cells('Labels'), type: cell('Issue Type'), priority: cell('Priority') }),
    comments: cells('Comment').map(commentOf),
    relations: [
      ...cells('Parent key').map((externalId) => ({ type: 'parent_of' as const, externalId, isIncoming: true })),
      ...cells('Outward issue link (Blocks)').map((externalId) => ({ type: 'blocks' as const, externalId })),
      ...cells('Outward issue link (Duplicate)').map((externalId) => ({ type: 'duplicates' as const, externalId })),
      ...cells('Outward issue link (Relates)').map((externalId) => ({ type: 'relates_to' as const, externalId })),
    ],
  };
}

const CATEGORY_NAMES: Record<string, string> = { 'To Do': 'new', 'In Progress': 'indeterminate', Done: 'done' };

/** Parses a cell such as `20/Nov/26 10:00 AM;ann;The text; with semicolons`. */
function commentOf(cell: string) {
  const [, created, author, content] = /^([^;]+);([^;]*);([\s\S]*)$/.exec(cell) ?? [];
  if (content === undefined) return { key: cell.slice(0, 200), content: cell };
  const key = `${created};${author};${content.slice(0, 100)}`;
  return { key, author: personOf(author), content, createdAt: jiraTimeOf(created, 'Comment') };
}

const hoursOf = (value: unknown): number | undefined => {
  const seconds = numberOf(value, 'an estimate');
  return seconds === undefined ? undefined : Math.round((seconds / SECONDS_PER_HOUR) * 1e4) / 1e4;
};

function someone(value: unknown): ImportedPerson | undefined {
  const { displayName, name, emailAddress, accountId } = recordOf(value);
  const login = textOf(name) ?? textOf(accountId);
  if (textOf(displayName) === undefined && login === undefined) return undefined;
  return { name: textOf(displayName), login, email: textOf(emailAddress) };
}

function notes({ labels, type, priority }: { labels: unknown[]; type: unknown; priority: unknown }): JsonRecord {
  return {
    ...(labels.length > 0 && { labels }),
    ...(textOf(type) !== undefined && { type }),
    ...(textOf(priority) !== undefined && { priority }),
  };
}

/** Returns the page of an issue, such as `https://jira.example.com/browse/KEY-1`, from the URL of its API resource. */
function browseOf(self: unknown, key: string | null): string | undefined {
  const [site] = (textOf(self) ?? '').split('/rest/');
  return /^https?:\/\//.test(site) && key !== null ? `${site}/browse/${encodeURIComponent(key)}` : undefined;
}

/** Returns a text, or the plain text of an Atlassian document with its paragraphs, list items and code blocks. */
function plain(value: unknown): string | undefined {
  if (!isRecord(value)) return textOf(value);
  return textOf(
    textIn(value)
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim(),
  );
}

function textIn(node: JsonRecord): string {
  if (node.type === 'text') return textOf(node.text) ?? '';
  if (node.type === 'hardBreak') return '\n';
  if (node.type === 'mention') return textOf(recordOf(node.attrs).text) ?? '';
  const inner = recordsOf(node.content).map(textIn).join('');
  if (node.type === 'listItem') return `- ${inner.trim()}\n`;
  if (node.type === 'codeBlock') return `\`\`\`\n${inner}\n\`\`\`\n\n`;
  return ['paragraph', 'heading', 'blockquote', 'bulletList', 'orderedList'].includes(textOf(node.type) ?? '')
    ? `${inner}\n\n`
    : inner;
}

export const jiraFormat: ImportFormat = { source: 'jira', records, item };
