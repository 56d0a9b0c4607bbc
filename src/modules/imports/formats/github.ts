import type { JsonRecord } from '../../../common/json.js';
import { ITEMS, RefusedLine, type ImportedPerson, type ImportFormat, type ImportItem } from '../import-format.js';
import type { ImportRecord, Lookup, RecordName } from '../import-format.js';
import { jsonElements } from './json-records.js';
import { recordOf, recordsOf, textOf, timeOf, titleOf } from './values.js';

/** A file is an array of issues, an array of pages (`gh api --paginate --slurp`), or an object of issues and comments. */
const PATHS = { array: ['$.*', '$.*.*'], object: ['$.issues.*', '$.comments.*'] };

/** Matches the URL of an issue's page or API resource, for keys such as `acme/garden#17`. */
const REPOSITORY = /^https?:\/\/[^/]+\/(?:api\/v3\/)?(?:repos\/)?([^/]+\/[^/]+)\/(?:issues|pull)\/(\d+)/;

function nameOf(url: unknown): string | undefined {
  const [, repository, number] = REPOSITORY.exec(textOf(url) ?? '') ?? [];
  return repository === undefined ? undefined : `${repository}#${number}`;
}

async function* records(file: AsyncIterable<Buffer>): AsyncGenerator<ImportRecord> {
  let line = 0;
  for await (const { value } of jsonElements(file, PATHS)) {
    const isComment = value.title === undefined && value.issue_url !== undefined;
    if (isComment) yield { line, section: 'comments', key: nameOf(value.issue_url) ?? null, data: value };
    else if (value.title !== undefined && value.state !== undefined) {
      line += 1;
      const key = nameOf(value.html_url) ?? nameOf(value.url) ?? textOf(value.number) ?? null;
      yield { line, section: ITEMS, key, data: value };
    }
  }
}

const person = (value: unknown): ImportedPerson | undefined => {
  const { login, name, email } = recordOf(value);
  if (textOf(login) === undefined) return undefined;
  return { login: textOf(login), name: textOf(name) ?? textOf(login), email: textOf(email) };
};

/** Returns the property under its name in the API or in `gh issue list --json`. */
const either = (data: JsonRecord, api: string, gh: string): unknown => data[api] ?? data[gh];

function commentOf(data: JsonRecord) {
  return {
    key: textOf(data.url) ?? textOf(data.html_url) ?? textOf(data.id) ?? '',
    author: person(data.user ?? data.author),
    content: textOf(data.body) ?? '',
    createdAt: timeOf(either(data, 'created_at', 'createdAt'), 'created_at'),
  };
}

function item({ data, key }: ImportRecord, _options: unknown, lookup: Lookup): ImportItem {
  if (data.pull_request !== undefined) throw new RefusedLine('The line is a pull request, not an issue.');
  const isClosed = textOf(data.state)?.toLowerCase() === 'closed';
  const reason = textOf(either(data, 'state_reason', 'stateReason'))?.toLowerCase();
  const isCanceled = isClosed && (reason === 'not_planned' || reason === 'duplicate');
  const labels = recordsOf(data.labels).map(({ name }) => textOf(name));
  const assignees = [...recordsOf(data.assignees), ...recordsOf([data.assignee])];
  const milestone = recordOf(data.milestone);
  const inside = recordsOf(data.comments);
  return {
    externalId: key,
    url: textOf(data.html_url) ?? textOf(data.url),
    title: titleOf(data.title),
    description: textOf(data.body),
    status: isCanceled ? 'canceled' : isClosed ? 'done' : 'planned',
    canceledReason: isCanceled ? `Closed as ${reason}.` : undefined,
    createdAt: timeOf(either(data, 'created_at', 'createdAt'), 'created_at'),
    endedAt: isClosed ? timeOf(either(data, 'closed_at', 'closedAt'), 'closed_at') : undefined,
    dueDate: timeOf(either(milestone, 'due_on', 'dueOn'), 'due_on'),
    author: person(data.user ?? data.author),
    assignee: person(assignees[0]),
    metadata: {
      ...(labels.length > 0 && { labels: labels.filter(Boolean) }),
      ...(textOf(milestone.title) !== undefined && { milestone: milestone.title }),
    },
    comments: [...inside, ...(key === null ? [] : lookup('comments', key))].map(commentOf),
    relations: [],
  };
}

const needs = ({ key }: ImportRecord): readonly RecordName[] => (key === null ? [] : [['comments', key]]);

export const githubFormat: ImportFormat = { source: 'github', records, needs, item };
