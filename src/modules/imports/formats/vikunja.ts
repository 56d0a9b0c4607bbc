import type { JsonRecord } from '../../../common/texts/json.js';
import { importedNumber } from '../../../common/work-keys.js';
import { ITEMS, type ImportedPerson, type ImportItem, type ImportRecord } from '../reading/import-format.js';
import type { ImportFormat } from '../reading/file-format.js';
import type { ImportedRelation, ImportOptions, RecordName } from '../reading/import-format.js';
import type { Priority } from '../../demands/demand.lifecycle.js';
import type { ImportNotes } from '../import-notes.js';
import type { Reading } from '../reading/reading.js';
import { FileShape } from './file-shape.js';
import { jsonElements } from './json-records.js';
import { isEmpty, recordOf, recordsOf, saidOf, textOf, namesIn } from './values.js';
import { zippedFile } from './zip.js';

/** A file is an array of projects with their tasks, or a zip archive that contains it. */
const PATHS = { array: ['$.*'], object: [], parts: ['$.*.tasks.*', '$.*.buckets.*'] };
const EXPECTS = 'the data export, an array of projects with tasks, as the zip file or its data.json';

/** Properties that are read, or that describe the thing to programs only. */
const READ_OF_TASK: ReadonlySet<string> = new Set(
  namesIn(
    'id title description done done_at due_date start_date end_date priority percent_done labels assignees',
    'comments related_tasks identifier created created_by project_id bucket_id updated index position',
    'kanban_position uid subscription max_permission comment_count buckets',
  ),
);
const READ_OF_PROJECT: ReadonlySet<string> = new Set(
  namesIn(
    'id title tasks buckets is_archived created updated identifier position max_permission owner',
    'parent_project_id hex_color views positions task_buckets subscription is_favorite',
  ),
);

async function* records(
  file: AsyncIterable<Buffer>,
  _options: ImportOptions,
  notes: ImportNotes,
): AsyncGenerator<ImportRecord> {
  const shape = new FileShape();
  let isExport = false;
  for await (const { value: project, line } of jsonElements(zippedFile(file, 'data.json'), PATHS, shape.onProperty)) {
    const key = textOf(project.id) ?? null;
    const { tasks, buckets, title, is_archived: isArchived } = project;
    if (!Array.isArray(tasks) && tasks !== null) {
      notes.add('value', textOf(title) ?? `element ${line}`, 'an element without tasks is no project; left out', line);
      continue;
    }
    isExport = true;
    for (const [name, value] of Object.entries(project)) {
      if (!READ_OF_PROJECT.has(name) && !isEmpty(value)) notes.add('property', `project.${name}`, 'not imported', line);
    }
    const data = { title, is_archived: isArchived === true, buckets: recordsOf(buckets).map(titled) };
    yield { line: 0, section: 'projects', key, data };
    for (const task of recordsOf(tasks)) {
      shape.items += 1;
      yield {
        line: shape.items,
        section: ITEMS,
        key: textOf(task.id) ?? null,
        data: { ...task, project_id: project.id },
      };
    }
  }
  if (!isExport) shape.assertRecognized('vikunja', EXPECTS, []);
}

const titled = ({ id, title }: JsonRecord): JsonRecord => ({ id, title });

/** Returns a time; undefined for the year 1, which Vikunja writes for an unset time. */
const setTime = (value: unknown): unknown => ((textOf(value) ?? '').startsWith('0001-') ? undefined : value);

function person(value: unknown): ImportedPerson | undefined {
  const { username, name, email } = recordOf(value);
  if (textOf(username) === undefined) return undefined;
  return { login: textOf(username), name: textOf(name) ?? textOf(username), email: textOf(email) };
}

/** The relation types, from the point of view of the task that contains them. */
const RELATIONS: ReadonlyMap<string, Pick<ImportedRelation, 'type' | 'isIncoming'>> = new Map([
  ['subtask', { type: 'parent_of' }],
  ['parenttask', { type: 'parent_of', isIncoming: true }],
  ['blocking', { type: 'blocks' }],
  ['blocked', { type: 'blocks', isIncoming: true }],
  ['precedes', { type: 'blocks' }],
  ['follows', { type: 'blocks', isIncoming: true }],
  ['duplicateof', { type: 'duplicates' }],
  ['duplicates', { type: 'duplicates', isIncoming: true }],
  ['related', { type: 'relates_to' }],
  ['copiedfrom', { type: 'relates_to' }],
  ['copiedto', { type: 'relates_to', isIncoming: true }],
]);

function relationsOf(related: unknown, own: string | null, reading: Reading): ImportedRelation[] {
  return Object.entries(recordOf(related)).flatMap(([word, value]) => {
    const others = recordsOf(value).flatMap(({ id }) => textOf(id) ?? []);
    if (others.length === 0) return [];
    const relation = RELATIONS.get(word) ?? reading.link({ name: word, isIncoming: false });
    return others.flatMap((externalId) => {
      // Both tasks contain the relation; it is read from the task with the smaller id.
      const isRepeated = word === 'related' && Number(externalId) < Number(own);
      return isRepeated ? [] : [{ ...relation, externalId }];
    });
  });
}

/** The priorities of Vikunja by their numbers; the last two are urgent, and do now. */
const PRIORITIES: readonly (Priority | null)[] = [null, 'low', 'medium', 'high', 'urgent', 'urgent'];

/**
 * The status of a task: done, that of the stage that is called like its bucket, or begun; canceled if it is open in an
 * archived project.
 */
function stateOf(
  data: JsonRecord,
  isArchived: boolean,
  staged: ImportItem['status'],
): Pick<ImportItem, 'status' | 'canceledReason'> {
  if (data.done === true || (data.done === undefined && !isEmpty(setTime(data.done_at)))) return { status: 'done' };
  if (staged === 'done') return { status: 'done' };
  if (isArchived) return { status: 'canceled', canceledReason: 'The project is archived in Vikunja.' };
  return { status: staged ?? (Number(textOf(data.percent_done)) > 0 ? 'active' : 'planned') };
}

function item({ key, data }: ImportRecord, reading: Reading): ImportItem | undefined {
  const project = recordOf(reading.lookup('projects', textOf(data.project_id) ?? '').at(0));
  const bucket = recordsOf(project.buckets).find(({ id }) => id !== 0 && id === data.bucket_id);
  const state = stateOf(data, project.is_archived === true, reading.stage(bucket?.title)?.status);
  if (state.status === 'canceled' && reading.skipsArchived('list', textOf(project.title) ?? '')) return undefined;
  for (const [name, value] of Object.entries(data)) {
    if (!READ_OF_TASK.has(name) && !isEmpty(value)) reading.note('property', name, 'not imported');
  }
  const labels = recordsOf(data.labels).flatMap(({ title }) => textOf(title) ?? []);
  const comments = recordsOf(data.comments);
  reading.truncated('comments', comments.length, data.comment_count);
  const dueDate = setTime(data.due_date) ?? setTime(data.end_date);
  return {
    externalId: key,
    number: importedNumber(data.index),
    title: reading.title(data.title),
    description: saidOf(data, ['description'], textOf),
    ...state,
    stage: textOf(bucket?.title),
    createdAt: reading.time(setTime(data.created), 'created'),
    endedAt: state.status === 'done' ? reading.time(setTime(data.done_at), 'done_at') : undefined,
    startDate: saidOf({ ...data, start_date: setTime(data.start_date) }, ['start_date'], (value, name) =>
      reading.day(value, name),
    ),
    dueDate: saidOf({ ...data, due_date: dueDate }, ['due_date'], (value, name) => reading.dayOrTime(value, name)),
    ...(Object.hasOwn(data, 'priority') && { priority: PRIORITIES[Number(textOf(data.priority))] ?? null }),
    author: person(data.created_by),
    ...(Object.hasOwn(data, 'assignees') && {
      assignees: recordsOf(data.assignees).flatMap((assignee) => person(assignee) ?? []),
    }),
    ...(Object.hasOwn(data, 'labels') && { labels: labels.length === 0 ? null : labels }),
    metadata: {
      ...(textOf(project.title) !== undefined && { project: project.title }),
      bucket: bucket === undefined ? null : bucket.title,
      percent_done: state.status === 'active' ? Math.round(Number(data.percent_done) * 100) : null,
      // Where earlier releases kept it.
      start_date: null,
      ...(textOf(data.identifier) !== undefined && { identifier: data.identifier }),
    },
    surplus: typeof data.position === 'number' && data.position !== 0 ? { position: data.position } : {},
    comments: comments.map((comment) => ({
      key: textOf(comment.id) ?? '',
      author: person(comment.author),
      content: textOf(comment.comment) ?? '',
      createdAt: reading.sideTime(setTime(comment.created), 'created of a comment'),
    })),
    relations: relationsOf(data.related_tasks, key, reading),
  };
}

const needs = ({ data }: ImportRecord): readonly RecordName[] => [['projects', textOf(data.project_id) ?? '']];

export const vikunjaFormat: ImportFormat = { source: 'vikunja', hasColumns: false, records, needs, item };
