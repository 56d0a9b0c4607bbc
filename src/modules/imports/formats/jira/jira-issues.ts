import { isRecord, type JsonRecord } from '../../../../common/texts/json.js';
import { numberInKey } from '../../../../common/work-keys.js';
import {
  ITEMS,
  SPELLINGS,
  type ImportedPerson,
  type ImportedRelation,
  type ImportedRemark,
} from '../../reading/import-format.js';
import type { ImportItem, ImportRecord, RecordName } from '../../reading/import-format.js';
import type { ImportNotes } from '../../import-notes.js';
import type { Reading } from '../../reading/reading.js';
import { saidPriority } from '../../words/priorities.js';
import { conceptOf, type Concept } from '../../words/headings.js';
import { FileShape } from '../file-shape.js';
import { jiraStateOf } from './jira-state.js';
import { plainText } from './jira-text.js';
import { workOfIssue } from './jira-worklogs.js';
import { jsonElements } from '../json-records.js';
import { isEmpty, recordOf, recordsOf, saidOf, textOf, textListOf, namesIn } from '../values.js';

/** A file is the response of a search, an array of pages, or only issues. */
const PATHS = { array: ['$.*', '$.*.issues.*'], object: ['$.issues.*', '$.names'] };

/** The field of the link to an epic in Jira Cloud. */
const EPIC_LINK = 'customfield_10014';
/** The field of the story point estimate in Jira Cloud. */
const STORY_POINTS = 'customfield_10016';
/** The field of the start date in Jira Cloud. */
const START_DATE = 'customfield_10015';
const ISSUE_KEY = /^[A-Z][A-Z0-9_]*-\d+$/;
const READ_FIELDS = new Set(
  namesIn(
    'summary status resolution resolutiondate description created duedate timeoriginalestimate timespent',
    'reporter creator assignee labels issuetype priority comment parent issuelinks project epic subtasks',
    'timetracking statuscategorychangedate statusCategory worklog',
  ),
);
const NAMES = 'names';
const READ_PROPERTIES: ReadonlySet<string> = new Set(
  namesIn('issues names total isLast nextPageToken startAt maxResults expand'),
);

export async function* issues(
  file: AsyncIterable<Buffer>,
  expects: string,
  notes: ImportNotes,
): AsyncGenerator<ImportRecord> {
  const shape = new FileShape();
  for await (const { path, line, value } of jsonElements(file, PATHS, shape.onProperty)) {
    const key = textOf(value.key) ?? textOf(value.id) ?? null;
    if (path === '$.names') yield { line: 0, section: NAMES, key: NAMES, data: value };
    else if (isRecord(value.fields)) {
      shape.items += 1;
      yield { line: path === '$.issues' ? line : shape.items, section: ITEMS, key, data: value };
      const id = textOf(value.id);
      if (id !== undefined && key !== null && id !== key)
        yield { line, section: SPELLINGS, key: id, data: { of: key } };
    } else if (!Array.isArray(value.issues)) {
      notes.add('value', key ?? `${path} ${line}`, 'an element without fields is no issue; left out', line);
    }
  }
  shape.assertRecognized('jira', expects, ['issues']);
  shape.noteUnread(notes, READ_PROPERTIES);
  const total = shape.valueOf('total');
  if (typeof total === 'number') notes.truncated('issues', shape.items, total, null);
  if (shape.valueOf('isLast') === false || typeof shape.valueOf('nextPageToken') === 'string') {
    notes.add('truncated', 'issues', 'the search has more pages than the file', null);
  }
}

/** The records that an issue needs: the names of fields. */
export const needsOfIssue: readonly RecordName[] = [[NAMES, NAMES]];

export function itemOfIssue({ key, data }: ImportRecord, reading: Reading): ImportItem {
  const fields = recordOf(data.fields);
  const status = recordOf(fields.status);
  const category = recordOf(status.statusCategory);
  const endedAt = reading.time(fields.resolutiondate, 'resolutiondate');
  const labels = textListOf(fields.labels);
  const tracking = recordOf(fields.timetracking);
  const { priority, unknown } = saidPriority(
    saidOf(fields, ['priority'], (value) => textOf(recordOf(value).name) ?? null),
  );
  return {
    externalId: key,
    number: numberInKey(key),
    url: browseOf(data.self, key),
    title: reading.title(fields.summary),
    description: saidOf(fields, ['description'], plainText),
    ...jiraStateOf(
      {
        name: status.name,
        category: category.key ?? category.name,
        resolution: isRecord(fields.resolution) ? fields.resolution.name : fields.resolution,
        isResolved: endedAt !== undefined,
        isArchived: recordOf(fields.project).archived === true,
      },
      reading,
    ),
    stage: textOf(status.name),
    createdAt: reading.time(fields.created, 'created'),
    endedAt,
    startDate: saidOf(fields, fieldsMeaning('start', START_DATE, fields, reading), (value) =>
      reading.day(value, 'Start date'),
    ),
    dueDate: saidOf(fields, ['duedate'], (value, name) => reading.day(value, name)),
    priority,
    points: saidOf(fields, fieldsMeaning('points', STORY_POINTS, fields, reading), (value) =>
      reading.number(value, 'Story Points'),
    ),
    estimate: saidOf({ ...tracking, ...fields }, ['timeoriginalestimate', 'originalEstimateSeconds'], (value, name) =>
      reading.hours(value, name),
    ),
    actual: saidOf({ ...tracking, ...fields }, ['timespent', 'timeSpentSeconds'], (value, name) =>
      reading.hours(value, name),
    ),
    author: someone(fields.reporter ?? fields.creator),
    ...(Object.hasOwn(fields, 'assignee') && {
      assignees: [someone(fields.assignee)].filter((one) => one !== undefined),
    }),
    ...(Object.hasOwn(fields, 'labels') && { labels: labels.length === 0 ? null : labels }),
    metadata: {
      ...(Object.hasOwn(fields, 'issuetype') && { type: textOf(recordOf(fields.issuetype).name) ?? null }),
      ...unknown,
      ...customValues(fields, reading),
    },
    comments: commentsOf(fields, reading),
    work: workOfIssue(fields, reading, someone),
    relations: relationsOf(fields, key, reading),
  };
}

function commentsOf(fields: JsonRecord, reading: Reading): ImportedRemark[] {
  const comment = recordOf(fields.comment);
  const comments = recordsOf(comment.comments);
  reading.truncated('comments', comments.length, comment.total);
  return comments.map(({ id, author, body, created }) => ({
    key: textOf(id) ?? `${textOf(created) ?? ''};${textOf(recordOf(author).displayName) ?? ''}`,
    author: someone(author),
    content: plainText(body) ?? '',
    createdAt: reading.sideTime(created, 'created of a comment'),
  }));
}

function relationsOf(fields: JsonRecord, key: string | null, reading: Reading): ImportedRelation[] {
  const [parent, ...others] = parentsOf(fields, reading);
  const links = recordsOf(fields.issuelinks).flatMap((link): ImportedRelation[] => {
    const type = recordOf(link.type);
    const isIncoming = isRecord(link.inwardIssue);
    const other = recordOf(isIncoming ? link.inwardIssue : link.outwardIssue);
    const [externalId, ...alternatives] = [textOf(other.key), textOf(other.id)].filter((text) => text !== undefined);
    if (externalId === undefined) return [];
    const phrase = textOf(isIncoming ? type.inward : type.outward);
    const relation = reading.link({ name: textOf(type.name) ?? '', phrase, isIncoming });
    return [{ ...relation, externalId, alternatives }];
  });
  const subtasks = recordsOf(fields.subtasks).flatMap((subtask): ImportedRelation[] => {
    const externalId = textOf(subtask.key);
    // A subtask that is in the file has its parent; one that is not was perhaps imported earlier.
    return externalId === undefined || externalId === key ? [] : [{ type: 'parent_of', externalId, isOptional: true }];
  });
  return [
    ...(parent === undefined
      ? []
      : [{ type: 'parent_of' as const, externalId: parent, alternatives: others, isIncoming: true }]),
    ...links,
    ...subtasks,
  ];
}

/** Returns the spellings of the parent: key and id, and the link to the epic, whose field has a name or the usual id. */
function parentsOf(fields: JsonRecord, reading: Reading): string[] {
  const parent = recordOf(fields.parent);
  const epic = recordOf(fields.epic);
  const names = recordOf(reading.lookup(NAMES, NAMES).at(0));
  const links = Object.keys(fields)
    .filter((name) => isEpicLink(name, names[name]))
    .map((name) => textOf(fields[name]))
    .filter((text) => text !== undefined && ISSUE_KEY.test(text));
  const spellings = [parent.key, parent.id, epic.key, epic.id].map(textOf);
  return [...new Set([...spellings, ...links].filter((text) => text !== undefined))];
}

const isEpicLink = (field: string, name: unknown): boolean =>
  field === EPIC_LINK || (textOf(name) !== undefined && conceptOf(textOf(name) ?? '') === 'parent');

/** The custom fields with such a name, and without names the one of Jira Cloud. */
const fieldsMeaning = (concept: Concept, usual: string, fields: JsonRecord, reading: Reading): string[] => {
  const names = recordOf(reading.lookup(NAMES, NAMES).at(0));
  return Object.keys(fields).filter((field) => means(concept, usual, field, names[field]));
};

const means = (concept: Concept, usual: string, field: string, name: unknown): boolean =>
  textOf(name) === undefined ? field === usual : conceptOf(textOf(name) ?? '') === concept;

const isReadByName = (field: string, name: unknown): boolean =>
  isEpicLink(field, name) || means('points', STORY_POINTS, field, name) || means('start', START_DATE, field, name);

/** Returns the values of custom fields that the endeavour declares, by their names, and notes the others. */
function customValues(fields: JsonRecord, reading: Reading): JsonRecord {
  const names = recordOf(reading.lookup(NAMES, NAMES).at(0));
  const values: JsonRecord = {};
  for (const [field, value] of Object.entries(fields)) {
    if (READ_FIELDS.has(field) || isReadByName(field, names[field])) continue;
    const name = textOf(names[field]);
    const declared = reading.field(name ?? field);
    if (declared !== undefined) values[declared.key] = value;
    if (declared !== undefined || isEmpty(value)) continue;
    reading.note('property', name === undefined ? field : `${name} (${field})`, 'not imported');
  }
  return values;
}

function someone(value: unknown): ImportedPerson | undefined {
  const { displayName, name, emailAddress, accountId } = recordOf(value);
  const login = textOf(name) ?? textOf(accountId);
  if (textOf(displayName) === undefined && login === undefined) return undefined;
  return { name: textOf(displayName), login, email: textOf(emailAddress) };
}

/** Returns the page of an issue, such as `https://jira.example.com/browse/KEY-1`, from the URL of its API resource. */
function browseOf(self: unknown, key: string | null): string | undefined {
  const [site] = (textOf(self) ?? '').split('/rest/');
  return /^https?:\/\//.test(site) && key !== null ? `${site}/browse/${encodeURIComponent(key)}` : undefined;
}
