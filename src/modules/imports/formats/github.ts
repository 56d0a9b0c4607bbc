import type { JsonRecord } from '../../../common/texts/json.js';
import { isRecord } from '../../../common/texts/json.js';
import { importedNumber } from '../../../common/work-keys.js';
import { ITEMS, SPELLINGS, RefusedLine, type ImportedPerson, type ImportItem } from '../reading/import-format.js';
import type { ImportFormat } from '../reading/file-format.js';
import type { ImportedRelation, ImportOptions, ImportRecord, RecordName } from '../reading/import-format.js';
import type { ImportNotes } from '../import-notes.js';
import type { Reading } from '../reading/reading.js';
import { FileShape } from './file-shape.js';
import { jsonElements } from './json-records.js';
import { isEmpty, recordOf, recordsOf, saidOf, textOf, namesIn } from './values.js';

/** A file is an array of issues, an array of pages (`gh api --paginate --slurp`), or an object of issues and comments. */
const PATHS = { array: ['$.*', '$.*.*'], object: ['$.issues.*', '$.comments.*'] };
const EXPECTS =
  'issues with title and state, as an array (gh issue list --json, gh api repos/OWNER/REPO/issues), or in an object ' +
  'with issues and comments; the issues of a search are in its array items, which can be sent by itself';

/** Matches the URL of an issue's page or API resource, for keys such as `acme/garden#17`. */
const REPOSITORY = /^https?:\/\/[^/]+\/(?:api\/v3\/)?(?:repos\/)?([^/]+\/[^/]+)\/(?:issues|pull)\/(\d+)/;

/** Properties that are read, or that describe the issue to programs only. */
const READ = new Set(
  namesIn(
    'number title body state state_reason stateReason labels assignees assignee milestone user author',
    'comments created_at createdAt closed_at closedAt closed html_url url id node_id repository_url',
    'labels_url comments_url events_url timeline_url parent_issue_url parent author_association updated_at',
    'updatedAt performed_via_github_app score repository issue_field_values projectItems',
  ),
);

function nameOf(url: unknown): string | undefined {
  const [, repository, number] = REPOSITORY.exec(textOf(url) ?? '') ?? [];
  return repository === undefined ? undefined : `${repository}#${number}`;
}

async function* records(
  file: AsyncIterable<Buffer>,
  _options: ImportOptions,
  notes: ImportNotes,
): AsyncGenerator<ImportRecord> {
  const shape = new FileShape();
  for await (const { path, line, value } of jsonElements(file, PATHS, shape.onProperty)) {
    const isComment = value.title === undefined && value.issue_url !== undefined;
    const isIssue = value.title !== undefined && value.state !== undefined;
    if (isComment) yield { line: shape.items, section: 'comments', key: nameOf(value.issue_url) ?? null, data: value };
    else if (isIssue) {
      shape.items += 1;
      const key = nameOf(value.html_url) ?? nameOf(value.url) ?? textOf(value.number) ?? null;
      yield { line: shape.items, section: ITEMS, key, data: value };
      const number = textOf(value.number);
      if (key !== null && number !== undefined && number !== key) {
        yield { line: shape.items, section: SPELLINGS, key: `#${number}`, data: { of: key } };
      }
    } else if (/^\$(?:\.\d+|\.issues|\.comments)?$/.test(path)) {
      notes.add('value', path, 'an element that is neither an issue nor a comment; left out', line);
    }
  }
  shape.assertRecognized('github', EXPECTS, ['issues']);
  shape.noteUnread(notes, new Set(['issues', 'comments']));
}

const person = (value: unknown): ImportedPerson | undefined => {
  const { login, name, email } = recordOf(value);
  if (textOf(login) === undefined) return undefined;
  return { login: textOf(login), name: textOf(name) ?? textOf(login), email: textOf(email) };
};

/** Returns the property under its name in the API or in `gh issue list --json`. */
const either = (data: JsonRecord, api: string, gh: string): unknown => data[api] ?? data[gh];

function commentOf(data: JsonRecord, reading: Reading) {
  return {
    key: textOf(data.url) ?? textOf(data.html_url) ?? textOf(data.id) ?? '',
    author: person(data.user ?? data.author),
    content: textOf(data.body) ?? '',
    createdAt: reading.sideTime(either(data, 'created_at', 'createdAt'), 'created_at of a comment'),
  };
}

/** Returns the day of a milestone, which the API shows as midnight in California. */
function milestoneDay(value: unknown, reading: Reading): string | undefined {
  const isDay = /T(?:00|07|08):00:00Z$/.test(textOf(value) ?? '');
  return isDay ? reading.day(value, 'due_on') : reading.dayOrTime(value, 'due_on');
}

/** The item of a project that the issue is in: the name of the project, and of the column, which is the field Status. */
interface ProjectItem {
  project: string | undefined;
  column: string | undefined;
}

/** Reads the items of projects as `gh issue list --json projectItems` and the GraphQL API name them. */
function projectItemsOf({ projectItems }: JsonRecord): ProjectItem[] {
  const items = Array.isArray(projectItems) ? projectItems : recordOf(projectItems).nodes;
  return recordsOf(items).map((one) => ({
    project: textOf(one.title) ?? textOf(recordOf(one.project).title),
    column: textOf(recordOf(one.status).name) ?? textOf(recordOf(one.fieldValueByName).name),
  }));
}

/** The status of an open issue in that column; one in a column of done work is open nevertheless. */
function openStatusOf(state: string | undefined, column: string | undefined, reading: Reading): ImportItem['status'] {
  const read = reading.status(column ?? state);
  if (column === undefined || read === 'planned' || read === 'active') return read;
  if (read !== undefined) reading.note('status', column, 'the issue is open; read as active');
  return read === undefined ? reading.status(state) : 'active';
}

function stateOf(
  data: JsonRecord,
  column: string | undefined,
  reading: Reading,
): Pick<ImportItem, 'status' | 'canceledReason'> {
  const state = textOf(data.state);
  const reason = textOf(either(data, 'state_reason', 'stateReason'))?.toLowerCase();
  const isClosed =
    state?.toLowerCase() === 'closed' || (state === undefined && !isEmpty(either(data, 'closed_at', 'closedAt')));
  if (!isClosed) return { status: openStatusOf(state, column, reading) };
  const outcome = reason === undefined || reason === 'reopened' ? 'done' : reading.resolution(reason);
  return outcome === 'canceled' ? { status: 'canceled', canceledReason: `Closed as ${reason}.` } : { status: 'done' };
}

function item({ data, key }: ImportRecord, reading: Reading): ImportItem {
  if (!isEmpty(data.pull_request)) throw new RefusedLine('The line is a pull request, not an issue.');
  for (const [name, value] of Object.entries(data)) {
    if (!READ.has(name) && !isEmpty(value)) reading.note('property', name, 'not imported');
  }
  const [projectItem, ...otherItems] = projectItemsOf(data);
  const state = stateOf(data, projectItem?.column, reading);
  const isClosed = state.status === 'done' || state.status === 'canceled';
  const labels = recordsOf(data.labels).flatMap(({ name }) => textOf(name) ?? []);
  const names = Array.isArray(data.labels) ? data.labels.filter((label) => typeof label === 'string') : [];
  const isAssigned = Object.hasOwn(data, 'assignees') || Object.hasOwn(data, 'assignee');
  const comments = [...recordsOf(data.comments), ...(key === null ? [] : reading.lookup('comments', key))];
  reading.truncated('comments', comments.length, data.comments);
  return {
    externalId: key,
    number: importedNumber(data.number),
    url: textOf(data.html_url) ?? textOf(data.url),
    title: reading.title(data.title),
    description: saidOf(data, ['body'], textOf),
    ...state,
    stage: projectItem?.column,
    createdAt: reading.time(either(data, 'created_at', 'createdAt'), 'created_at'),
    endedAt: isClosed ? reading.time(either(data, 'closed_at', 'closedAt'), 'closed_at') : undefined,
    ...(Object.hasOwn(data, 'milestone') && {
      dueDate: milestoneDay(either(recordOf(data.milestone), 'due_on', 'dueOn'), reading) ?? null,
    }),
    author: person(data.user ?? data.author),
    ...(isAssigned && { assignees: assigneesOf(data) }),
    ...(Object.hasOwn(data, 'labels') && {
      labels: [...labels, ...names].length === 0 ? null : [...labels, ...names],
    }),
    metadata: {
      ...(Object.hasOwn(data, 'milestone') && { milestone: textOf(recordOf(data.milestone).title) ?? null }),
      ...(Object.hasOwn(data, 'projectItems') && { project: projectItem?.project ?? null }),
    },
    surplus: otherItems.length === 0 ? {} : { projects: otherItems },
    comments: comments.map((comment) => commentOf(comment, reading)),
    relations: parentOf(data),
  };
}

/** Returns the assignees, without the first of them that the API repeats as `assignee`. */
function assigneesOf(data: JsonRecord): ImportedPerson[] {
  const people = recordsOf(data.assignees).flatMap((one) => person(one) ?? []);
  const single = person(data.assignee);
  return single === undefined || people.some(({ login }) => login === single.login) ? people : [single, ...people];
}

function parentOf(data: JsonRecord): ImportedRelation[] {
  const parent = isRecord(data.parent) ? (data.parent.html_url ?? data.parent.url) : data.parent_issue_url;
  const externalId = nameOf(parent);
  return externalId === undefined ? [] : [{ type: 'parent_of', externalId, isIncoming: true }];
}

const needs = ({ key }: ImportRecord): readonly RecordName[] => (key === null ? [] : [['comments', key]]);

export const githubFormat: ImportFormat = { source: 'github', hasColumns: false, records, needs, item };
