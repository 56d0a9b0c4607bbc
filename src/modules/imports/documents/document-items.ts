import { isRecord, type JsonRecord } from '../../../common/texts/json.js';
import { recordOf, recordsOf, textOf, timeOf } from '../formats/values.js';
import type { ImportedArtifact } from '../../artifacts/imported-artifacts.service.js';
import type { ImportedDemand } from '../../demands/imported-demands.service.js';
import type { ImportedIteration } from '../../iterations/imported-iterations.service.js';
import type { ImportedRitual } from '../../rituals/imported-rituals.service.js';
import type { ImportedTask } from '../../tasks/imports/imported-tasks.service.js';
import { RefusedLine } from '../reading/import-format.js';
import type { DocumentContext } from './document-context.js';

/**
 * Returns the listed properties that the record has. Of a date, the day decides; its instant belongs to the time zone of
 * the exported endeavour.
 */
export const pick = (data: JsonRecord, names: readonly string[]): JsonRecord =>
  Object.fromEntries(
    names.filter((name) => data[name] !== undefined && !isDecidedByOther(data, name)).map((name) => [name, data[name]]),
  );

function isDecidedByOther(data: JsonRecord, name: string): boolean {
  const [, which, form] = /^(due|start|end)_(date|day)$/.exec(name) ?? [];
  const hasDay = typeof data[`${which}_day`] === 'string';
  return form === 'date' ? hasDay : form === 'day' && !hasDay;
}

/** Returns a time of the record, limited to the present. */
export function pastTimeOf(data: JsonRecord, name: string): Date | null {
  const time = timeOf(data[name], name);
  return time === undefined ? null : new Date(Math.min(Date.parse(time), Date.now()));
}

export const createdAtOf = (data: JsonRecord): Date => pastTimeOf(data, 'created_at') ?? new Date();

/** Returns the value if it is one of the words; rejects all others. */
export function enumValueOf<W extends string>(value: unknown, words: readonly W[], name: string): W {
  const match = words.find((word) => word === value);
  if (match !== undefined) return match;
  throw new RefusedLine(`${name} must be one of ${words.join(', ')}.`, 'invalid_input', 'invalid_value');
}

/** Returns the metadata without keys reserved for the service. `imported` contains the data that could not be imported. */
export function metadataOf({ metadata }: JsonRecord, imported: JsonRecord): JsonRecord {
  const own = Object.entries(recordOf(metadata)).filter(([name]) => !name.startsWith('dod_') && name !== 'imported');
  const earlier = recordOf(recordOf(metadata).imported);
  return { ...Object.fromEntries(own), imported: { ...earlier, format: 'worksmith', ...imported } };
}

/** The fields of a body that refer to other entities or are converted; all others are copied. */
type AdaptedField = `${string}_id` | 'external_ref' | 'metadata' | 'stage';

/** Lists the copied fields of a body. A missing field is a compile error, because an import would lose its value. */
export const copiedFields = <T>(fields: Record<Exclude<keyof T, AdaptedField>, true>): string[] => Object.keys(fields);

const DEMAND_FIELDS = copiedFields<ImportedDemand['dto']>({
  type: true,
  title: true,
  description: true,
  priority: true,
  start_date: true,
  due_date: true,
  due_day: true,
  labels: true,
});
const TASK_FIELDS = copiedFields<ImportedTask['dto']>({
  title: true,
  description: true,
  start_date: true,
  due_date: true,
  due_day: true,
  estimate: true,
  points: true,
  priority: true,
  labels: true,
});
const ARTIFACT_FIELDS = copiedFields<ImportedArtifact['dto']>({
  kind: true,
  title: true,
  url: true,
  summary: true,
  tags: true,
});

const NAMED = { owner: { property: 'owner_id' }, author: { property: 'creator_id', isAuthor: true } } as const;

const referenceOf = ({ external_ref: ref }: JsonRecord): JsonRecord => (ref === null ? {} : { external_ref: ref });

const ITERATION_FIELDS = copiedFields<ImportedIteration['dto']>({
  name: true,
  goal: true,
  start_day: true,
  end_day: true,
});

/** Converts a record to a body of POST /iterations. */
export const iterationBody = (data: JsonRecord, endeavourId: string): JsonRecord => ({
  ...Object.fromEntries(ITERATION_FIELDS.filter((name) => data[name] !== undefined).map((name) => [name, data[name]])),
  endeavour_id: endeavourId,
});

/** Converts a record to a body of POST /demands. */
export function demandBody(data: JsonRecord, context: DocumentContext, endeavourId: string): JsonRecord {
  return {
    ...pick(data, DEMAND_FIELDS),
    ...referenceOf(data),
    endeavour_id: endeavourId,
    iteration_id: context.referenceOf(data, 'iteration_id'),
    ...context.goalOf(data),
    metadata: metadataOf(data, {
      ...context.namesOf(data, endeavourId, NAMED),
      ...context.approvalsOf(data),
      ...context.lostGoalOf(data),
    }),
  };
}

/** Converts a record to a body of POST /tasks. */
export function taskBody(data: JsonRecord, context: DocumentContext, endeavourId: string): JsonRecord {
  const names = context.namesOf(data, endeavourId, { ...NAMED, assignee: { property: 'assignee_id' } });
  const isAttested = recordOf(data.metadata).dod_attested === true;
  return {
    ...pick(data, TASK_FIELDS),
    ...referenceOf(data),
    endeavour_id: endeavourId,
    demand_id: context.referenceOf(data, 'demand_id'),
    // Stages have other ids here.
    ...(typeof data.stage_name === 'string' && { stage: data.stage_name }),
    iteration_id: context.referenceOf(data, 'iteration_id'),
    ...context.goalOf(data),
    metadata: metadataOf(data, {
      ...names,
      ...context.approvalsOf(data),
      ...context.lostGoalOf(data),
      ...(isAttested && { dod_attested: true }),
    }),
  };
}

/** The file of an artifact, for `metadata.imported`: an export does not contain it. */
const lostFileOf = ({ file }: JsonRecord): JsonRecord =>
  isRecord(file) ? { file: pick(file, ['length', 'sha256', 'media_type']) } : {};

/**
 * Converts a record to a body of POST /artifacts. A result goes to `metadata.imported`, where it is not evidence, and so does
 * what is known of a file.
 */
export function artifactBody(data: JsonRecord, context: DocumentContext, endeavourId: string): JsonRecord {
  const names = context.namesOf(data, endeavourId, { author: { property: 'created_by', isAuthor: true } });
  const { result, ...metadata } = recordOf(data.metadata);
  return {
    ...pick(data, ARTIFACT_FIELDS),
    ...referenceOf(data),
    endeavour_id: endeavourId,
    task_id: context.referenceOf(data, 'task_id'),
    metadata: metadataOf(
      { metadata },
      { ...names, ...context.approvalsOf(data), ...(result !== undefined && { result }), ...lostFileOf(data) },
    ),
  };
}

/** Converts a record to a body of POST for rituals or templates, without the container. */
export const versionedBody = (
  data: JsonRecord,
  context: DocumentContext,
  endeavourId: string | null,
  properties: readonly string[],
): JsonRecord => ({
  ...pick(data, properties),
  metadata: metadataOf(data, {
    ...context.namesOf(data, endeavourId, { author: { property: 'created_by', isAuthor: true } }),
    ...context.approvalsOf(data),
  }),
});

const RITUAL_FIELDS = copiedFields<Omit<ImportedRitual['dto'], 'task' | 'is_enabled'>>({
  name: true,
  description: true,
  prompt: true,
  schedule: true,
  iteration_days: true,
  lang: true,
});
const RITUAL_TASK_FIELDS = ['title', 'description', 'start_in', 'due_in', 'labels', 'checklist'];

/** Converts a record to a body of POST /rituals, without the container; `containerId` is an endeavour or organization. */
export function ritualBody(data: JsonRecord, context: DocumentContext, containerId: string): JsonRecord {
  const body = versionedBody(data, context, containerId, RITUAL_FIELDS);
  if (!isRecord(data.task)) return { ...body, task: null };
  const { task } = data;
  const names = context.namesOf(task, containerId, { task_assignee: { property: 'assignee_id' } });
  return {
    ...body,
    task: {
      ...pick(task, RITUAL_TASK_FIELDS),
      assignee_id: context.memberOf(task, 'assignee_id', containerId) ?? null,
      demand_id: context.referenceOf(task, 'demand_id'),
    },
    metadata: metadataOf({ metadata: body.metadata }, { ...recordOf(recordOf(body.metadata).imported), ...names }),
  };
}

/** Converts a record to a body of POST /endeavours. Goals lose their links, whose targets are not imported yet. */
export function endeavourBody(data: JsonRecord, organizationId: string): JsonRecord {
  return {
    ...pick(data, [
      'key',
      'name',
      'description',
      'timezone',
      'lang',
      'start_date',
      'start_day',
      'end_date',
      'end_day',
      'is_private',
    ]),
    ...referenceOf(data),
    goals: recordsOf(data.goals).map((goal) => ({
      ...pick(goal, ['title', 'status']),
      ...(typeof goal.due_day === 'string' && { due_day: goal.due_day }),
    })),
    stages: recordsOf(data.stages).map(({ name, status, wip_limit: limit }) => ({
      name,
      status,
      ...(limit !== null && { wip_limit: limit }),
    })),
    fields: recordsOf(data.fields).map((field) =>
      pick(field, ['key', 'name', 'type', 'options', 'applies_to', 'required_on', 'description']),
    ),
    status: data.status === 'pending' ? 'pending' : 'active',
    organization_id: organizationId,
    metadata: metadataOf(data, {}),
  };
}

/** Returns the version data of a ritual or template, with its predecessor and lineage if they were imported too. */
export function lineageOf(data: JsonRecord, context: DocumentContext, id: string) {
  const predecessorId = context.optionalReferenceOf(data, 'predecessor_id');
  return {
    version: typeof data.version === 'number' && Number.isInteger(data.version) && data.version > 0 ? data.version : 1,
    origin: data.origin === 'custom' ? 'custom' : 'fork',
    predecessorId,
    lineageId: context.optionalReferenceOf(data, 'lineage_id') ?? id,
  };
}

/** The reason for which work of an export was canceled; null for other work. */
export const canceledReasonOf = ({ status, canceled_reason: reason }: JsonRecord): string | null =>
  status === 'canceled' ? (textOf(reason) ?? 'Canceled elsewhere.') : null;
