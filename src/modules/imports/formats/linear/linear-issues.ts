import { isRecord, type JsonRecord } from '../../../../common/texts/json.js';
import { MAX_EXTERNAL_ID } from '../../../../common/external-ref.js';
import { numberInKey } from '../../../../common/work-keys.js';
import { ITEMS, RefusedLine, SPELLINGS, UnreadableFile } from '../../reading/import-format.js';
import type { ImportedPerson, ImportedRelation, ImportItem, ImportRecord } from '../../reading/import-format.js';
import type { ImportNotes } from '../../import-notes.js';
import type { Reading } from '../../reading/reading.js';
import { CONTENTS, FileShape } from '../file-shape.js';
import { jsonElements } from '../json-records.js';
import { linearPriorityOf, linearStateOf } from './linear-state.js';
import { isEmpty, namesIn, ownOf, recordOf, recordsOf, saidOf, textListOf, textOf } from '../values.js';

/** A file is the response of a query for issues, an array of such pages, or only the issues. */
const PATHS = {
  array: ['$.*', '$.*.data.issues.nodes.*'],
  object: [
    '$.data.issues.nodes.*',
    '$.data.team.issues.nodes.*',
    '$.data.project.issues.nodes.*',
    '$.issues.nodes.*',
    '$.nodes.*',
    '$.data.issues.pageInfo',
  ],
};

/** Properties that are read, or that describe the issue to programs only. */
const READ: ReadonlySet<string> = new Set(
  namesIn(
    'id identifier number previousIdentifiers title description url state priority priorityLabel estimate assignee creator',
    'labels cycle project projectMilestone team parent children relations inverseRelations comments createdAt updatedAt',
    'startedAt completedAt canceledAt archivedAt dueDate trashed labelIds branchName sortOrder boardOrder prioritySortOrder',
    'subIssueSortOrder __typename triagedAt startedTriageAt addedToCycleAt addedToProjectAt addedToTeamAt autoClosedAt',
    'autoArchivedAt customerTicketCount',
  ),
);

export async function* issues(
  file: AsyncIterable<Buffer>,
  expects: string,
  notes: ImportNotes,
): AsyncGenerator<ImportRecord> {
  const shape = new FileShape();
  let hasMore = false;
  for await (const { path, line, value } of jsonElements(file, PATHS, shape.onProperty)) {
    if (path === '$.data.issues.pageInfo') hasMore = value.hasNextPage === true;
    else if (isIssue(value)) {
      shape.items += 1;
      const key = textOf(value.identifier) ?? textOf(value.id) ?? null;
      yield { line: shape.items, section: ITEMS, key, data: value };
      for (const spelling of [textOf(value.id), ...textListOf(value.previousIdentifiers)]) {
        if (spelling === undefined || key === null || spelling === key || spelling.length > MAX_EXTERNAL_ID) continue;
        yield { line: shape.items, section: SPELLINGS, key: spelling, data: { of: key } };
      }
    } else if (!isRecord(value.data)) {
      notes.add('value', `${path} ${line}`, 'an element without title and state is no issue; left out', line);
    }
  }
  if (shape.items === 0 && shape.valueOf('errors') === CONTENTS) {
    throw new UnreadableFile('The file is an error of the API of Linear, not the response of a query for issues.');
  }
  shape.assertRecognized('linear', expects, []);
  shape.noteUnread(notes, new Set(['data', 'issues', 'nodes', 'pageInfo', 'extensions']));
  if (hasMore) notes.add('truncated', 'issues', 'the query has more pages than the file', null);
}

const isIssue = ({ title, state, identifier }: JsonRecord): boolean =>
  title !== undefined && (isRecord(state) || identifier !== undefined);

const nodesOf = (value: unknown): JsonRecord[] => recordsOf(recordOf(value).nodes);

function person(value: unknown): ImportedPerson | undefined {
  const { name, displayName, email } = recordOf(value);
  const known = textOf(name) ?? textOf(displayName) ?? textOf(email);
  return known === undefined ? undefined : { name: known, login: textOf(displayName), email: textOf(email) };
}

export function itemOfLinearIssue({ key, data }: ImportRecord, reading: Reading): ImportItem {
  if (data.trashed === true) throw new RefusedLine('The issue is in the trash of Linear.');
  for (const [name, value] of Object.entries(data)) {
    if (!READ.has(name) && !isEmpty(value)) reading.note('property', name, 'not imported');
  }
  const state = recordOf(data.state);
  const time = (name: string): string | undefined => reading.time(data[name], name);
  const [startedAt, completedAt, canceledAt, archivedAt] = [
    time('startedAt'),
    time('completedAt'),
    time('canceledAt'),
    time('archivedAt'),
  ];
  const creator = person(data.creator);
  const assignee = person(data.assignee);
  return {
    externalId: key,
    number: numberInKey(key),
    url: textOf(data.url),
    title: reading.title(data.title),
    description: saidOf(data, ['description'], textOf),
    stage: textOf(state.name),
    ...linearStateOf(
      {
        name: state.name,
        type: state.type,
        isStarted: startedAt !== undefined,
        isCompleted: completedAt !== undefined,
        isCanceled: canceledAt !== undefined,
        isArchived: archivedAt !== undefined,
      },
      reading,
    ),
    createdAt: time('createdAt'),
    startedAt,
    endedAt: canceledAt ?? completedAt ?? archivedAt,
    dueDate: saidOf(data, ['dueDate'], (value, name) => reading.day(value, name)),
    ...(Object.hasOwn(data, 'priority') && { priority: linearPriorityOf(data.priority, reading) }),
    points: saidOf(data, ['estimate'], (value, name) => reading.number(value, name)),
    ...(creator !== undefined && { author: creator }),
    ...(Object.hasOwn(data, 'assignee') && { assignees: assignee === undefined ? [] : [assignee] }),
    ...(Object.hasOwn(data, 'labels') && { labels: labelsOf(data, reading) }),
    metadata: metadataOf(data),
    surplus: cycleDays(data, reading),
    comments: commentsOf(data, reading),
    relations: relationsOf(data, key, reading),
  };
}

function labelsOf(data: JsonRecord, reading: Reading): string[] | null {
  const labels = nodesOf(data.labels).flatMap(({ name }) => textOf(name) ?? []);
  noteMore(data, 'labels', reading);
  return labels.length === 0 ? null : labels;
}

function metadataOf(data: JsonRecord): JsonRecord {
  const cycle = recordOf(data.cycle);
  const named = { team: data.team, project: data.project, milestone: data.projectMilestone };
  return {
    ...(Object.hasOwn(data, 'cycle') && { cycle: textOf(cycle.name) ?? textOf(cycle.number) ?? null }),
    ...Object.fromEntries(
      Object.entries(named).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, textOf(recordOf(value).name) ?? null]],
      ),
    ),
  };
}

function cycleDays(data: JsonRecord, reading: Reading): JsonRecord {
  const { startsAt, endsAt } = recordOf(data.cycle);
  const times = { cycle_start: reading.sideTime(startsAt, 'startsAt'), cycle_end: reading.sideTime(endsAt, 'endsAt') };
  return Object.fromEntries(Object.entries(times).filter(([, time]) => time !== undefined));
}

function commentsOf(data: JsonRecord, reading: Reading): ImportItem['comments'] {
  noteMore(data, 'comments', reading);
  return nodesOf(data.comments).map(({ id, body, user, createdAt }) => ({
    key: textOf(id) ?? textOf(createdAt) ?? '',
    author: person(user),
    content: textOf(body) ?? '',
    createdAt: reading.sideTime(createdAt, 'createdAt of a comment'),
  }));
}

/** Notes that a list of the issue has more pages than the file. */
function noteMore(data: JsonRecord, name: string, reading: Reading): void {
  if (recordOf(recordOf(data[name]).pageInfo).hasNextPage !== true) return;
  reading.note('truncated', name, `the issue has more ${name} than the file`);
}

const RELATIONS: Readonly<Record<string, ImportedRelation['type']>> = {
  blocks: 'blocks',
  duplicate: 'duplicates',
  related: 'relates_to',
  similar: 'relates_to',
};

function relationsOf(data: JsonRecord, key: string | null, reading: Reading): ImportedRelation[] {
  const [parent, ...others] = spellingsOf(data.parent);
  const children = nodesOf(data.children).flatMap((child): ImportedRelation[] => {
    const [externalId, ...alternatives] = spellingsOf(child);
    // A child that is in the file names its parent; one that is not was perhaps imported earlier.
    return externalId === undefined || externalId === key
      ? []
      : [{ type: 'parent_of', externalId, alternatives, isOptional: true }];
  });
  return [
    ...(parent === undefined
      ? []
      : [{ type: 'parent_of' as const, externalId: parent, alternatives: others, isIncoming: true }]),
    ...children,
    ...linksOf(data.relations, 'relatedIssue', reading),
    ...linksOf(data.inverseRelations, 'issue', reading),
  ];
}

/** Returns the relations of a list to the issues that are in that property. */
function linksOf(list: unknown, property: 'relatedIssue' | 'issue', reading: Reading): ImportedRelation[] {
  const isIncoming = property === 'issue';
  return nodesOf(list).flatMap((link): ImportedRelation[] => {
    const [externalId, ...alternatives] = spellingsOf(link[property]);
    if (externalId === undefined) return [];
    const name = textOf(link.type) ?? '';
    const known = ownOf(RELATIONS, name);
    const relation = known === undefined ? reading.link({ name, isIncoming }) : { type: known, isIncoming };
    return [{ ...relation, externalId, alternatives }];
  });
}

const spellingsOf = (issue: unknown): string[] => {
  const { identifier, id } = recordOf(issue);
  return [textOf(identifier), textOf(id)].filter((text) => text !== undefined);
};
