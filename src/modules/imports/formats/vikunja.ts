import type { JsonRecord } from '../../../common/json.js';
import { ITEMS, type ImportedPerson, type ImportFormat, type ImportItem, type ImportRecord } from '../import-format.js';
import type { ImportedRelation, Lookup, RecordName } from '../import-format.js';
import { jsonElements } from './json-records.js';
import { recordOf, recordsOf, textOf, timeOf, titleOf } from './values.js';
import { zippedFile } from './zip.js';

/** A file is an array of projects with their tasks, or a zip archive that contains it. */
const PATHS = { array: ['$.*'], object: [], parts: ['$.*.tasks.*', '$.*.buckets.*'] };

async function* records(file: AsyncIterable<Buffer>): AsyncGenerator<ImportRecord> {
  let line = 0;
  for await (const { value: project } of jsonElements(zippedFile(file, 'data.json'), PATHS)) {
    const key = textOf(project.id) ?? null;
    const { tasks, buckets, ...own } = project;
    yield { line: 0, section: 'projects', key, data: { title: own.title, buckets: recordsOf(buckets).map(titled) } };
    for (const task of recordsOf(tasks)) {
      line += 1;
      yield { line, section: ITEMS, key: textOf(task.id) ?? null, data: { ...task, project_id: project.id } };
    }
  }
}

const titled = ({ id, title }: JsonRecord): JsonRecord => ({ id, title });

/** Parses a time; undefined for the year 1, which Vikunja writes for an unset time. */
function timeFrom(value: unknown, name: string): string | undefined {
  const text = textOf(value);
  return text === undefined || text.startsWith('0001-') ? undefined : timeOf(text, name);
}

function person(value: unknown): ImportedPerson | undefined {
  const { username, name, email } = recordOf(value);
  if (textOf(username) === undefined) return undefined;
  return { login: textOf(username), name: textOf(name) ?? textOf(username), email: textOf(email) };
}

/** The relation types, from the point of view of the task that contains them. */
const RELATIONS: Readonly<Record<string, Pick<ImportedRelation, 'type' | 'isIncoming'>>> = {
  subtask: { type: 'parent_of' },
  parenttask: { type: 'parent_of', isIncoming: true },
  blocking: { type: 'blocks' },
  blocked: { type: 'blocks', isIncoming: true },
  precedes: { type: 'blocks' },
  follows: { type: 'blocks', isIncoming: true },
  duplicateof: { type: 'duplicates' },
  duplicates: { type: 'duplicates', isIncoming: true },
  related: { type: 'relates_to' },
};

function relationsOf(related: unknown, own: string | null): ImportedRelation[] {
  return Object.entries(recordOf(related)).flatMap(([word, others]) => {
    const relation = Object.hasOwn(RELATIONS, word) ? RELATIONS[word] : undefined;
    if (relation === undefined) return [];
    return recordsOf(others).flatMap(({ id }) => {
      const externalId = textOf(id);
      // Both tasks contain the relation; it is read from the task with the smaller id.
      const isRepeated = relation.type === 'relates_to' && Number(externalId) < Number(own);
      return externalId === undefined || isRepeated ? [] : [{ ...relation, externalId }];
    });
  });
}

const PRIORITIES = [undefined, 'low', 'medium', 'high', 'urgent', 'do now'];

function item({ key, data }: ImportRecord, _options: unknown, lookup: Lookup): ImportItem {
  const isDone = data.done === true;
  const project = lookup('projects', textOf(data.project_id) ?? '').at(0) ?? {};
  const bucket = recordsOf(project.buckets).find(({ id }) => id !== 0 && id === data.bucket_id);
  const labels = recordsOf(data.labels).flatMap(({ title }) => textOf(title) ?? []);
  const priority = PRIORITIES[Number(textOf(data.priority))];
  const percent = Number(textOf(data.percent_done));
  const startDate = timeFrom(data.start_date, 'start_date');
  const isBegun = !isDone && Number.isFinite(percent) && percent > 0;
  return {
    externalId: key,
    title: titleOf(data.title),
    description: textOf(data.description),
    status: isDone ? 'done' : isBegun ? 'active' : 'planned',
    createdAt: timeFrom(data.created, 'created'),
    endedAt: isDone ? timeFrom(data.done_at, 'done_at') : undefined,
    dueDate: timeFrom(data.due_date, 'due_date') ?? timeFrom(data.end_date, 'end_date'),
    author: person(data.created_by),
    assignee: recordsOf(data.assignees).map(person).at(0),
    metadata: {
      ...(textOf(project.title) !== undefined && { project: project.title }),
      ...(bucket !== undefined && { bucket: bucket.title }),
      ...(labels.length > 0 && { labels }),
      ...(priority !== undefined && { priority }),
      ...(isBegun && { percent_done: Math.round(percent * 100) }),
      ...(startDate !== undefined && { start_date: startDate }),
      ...(textOf(data.identifier) !== undefined && { identifier: data.identifier }),
    },
    comments: recordsOf(data.comments).map((comment) => ({
      key: textOf(comment.id) ?? '',
      author: person(comment.author),
      content: textOf(comment.comment) ?? '',
      createdAt: timeFrom(comment.created, 'created'),
    })),
    relations: relationsOf(data.related_tasks, key),
  };
}

const needs = ({ data }: ImportRecord): readonly RecordName[] => [['projects', textOf(data.project_id) ?? '']];

export const vikunjaFormat: ImportFormat = { source: 'vikunja', records, needs, item };
