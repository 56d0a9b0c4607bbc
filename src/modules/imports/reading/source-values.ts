import { createHash } from 'node:crypto';
import { CHECKLIST, withoutGivenIds } from '../../../common/checklist.js';
import type { JsonRecord } from '../../../common/texts/json.js';
import { sameJson } from '../../../common/texts/json.js';
import { dayEdge, parseDay, parseInstant } from '../../../common/time.js';
import { foldName } from '../../../common/texts/fold-name.js';
import { areSameLabels } from '../../labels/label.rules.js';
import type { PresentTask } from '../../tasks/imports/imported-tasks.service.js';
import type { ImportItem } from './import-format.js';
import { nameOf } from './people.js';

/** The values of an entity in the other system, by property: their JSON, or the hash of it if it is long. */
export type SourceValues = Record<string, string>;

const MAX_JSON = 200;
/** Lists are kept longer, because their members are compared. */
const MAX_LIST = 4_000;
const METADATA = 'metadata.';
const LABELS = 'labels';
const STAGE = 'stage';
/** Under which releases without labels kept those of the source. */
const FORMER_LABELS = `${METADATA}${LABELS}`;

/** Returns the JSON of a value, or its hash if that is long. */
export function printOf(value: unknown): string {
  const json = JSON.stringify(value ?? null);
  if (json.length <= MAX_JSON || (isTexts(value) && json.length <= MAX_LIST)) return json;
  return `#${createHash('sha256').update(json).digest('base64')}`;
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** The properties of an item that the file has, by their names in requests; null for those that are empty. */
export function propertiesOf(item: ImportItem): Map<string, unknown> {
  const {
    title,
    description,
    startDate,
    dueDate,
    estimate,
    points,
    priority,
    actual,
    labels,
    status,
    assignees,
    metadata,
  } = item;
  const properties: [string, unknown][] = [
    ['title', title],
    ['description', description],
    ['start_date', startDate],
    ['due_date', dueDate],
    ['estimate', estimate],
    ['points', points],
    ['priority', priority],
    ['actual', actual],
    [LABELS, labels],
    ['status', status],
    ['assignee_id', assignees?.map(nameOf)],
    ...Object.entries(metadata).map(([key, value]): [string, unknown] => [`${METADATA}${key}`, value]),
  ];
  return new Map(properties.filter(([, value]) => value !== undefined));
}

/** Returns the values of an item for the comparison with a later import. */
export const sourceValuesOf = (item: ImportItem, assigneeId: string | null): SourceValues =>
  Object.fromEntries([
    ...[...propertiesOf(item)].map(([name, value]) => [name, printOf(value)]),
    ...(item.stage === undefined ? [] : [[STAGE, printOf(item.stage)]]),
    // The match of a person can change although the file does not.
    ...(item.assignees === undefined ? [] : [['assignee', printOf(assigneeId)]]),
  ]);

/** What an item changes in an existing task. */
export interface ItemChanges {
  /** The properties to change, without the status; a stage of another status is that of `status`. */
  changes: JsonRecord;
  /** The status to reach; undefined if it stays. */
  status: ImportItem['status'];
  /** The properties that were edited here and not in the source. */
  kept: string[];
}

/**
 * Compares an item with the task and with the values at the last import: what changed in the source since then is
 * changed here, everything else stays. Without values of a last import, the source decides, but empties nothing.
 */
export function changesOf(
  item: ImportItem,
  task: PresentTask,
  then: SourceValues | undefined,
  assigneeId: string | null,
): ItemChanges {
  const result: ItemChanges = { changes: {}, status: undefined, kept: [] };
  const metadata: JsonRecord = {};
  for (const [name, value] of propertiesOf(item)) {
    const wanted = name === 'assignee_id' ? assigneeId : value;
    // The work log accounts for the hours.
    if (name === 'actual' && task.hasTimeEntries && item.work !== undefined && item.work.length > 0) continue;
    if (isHere(name, wanted, task)) continue;
    const isKept = name === 'actual' && task.hasTimeEntries;
    if (isKept || !isNew(name, value, task, then, assigneeId)) {
      if (isKept || then !== undefined) result.kept.push(name);
    } else if (name === 'status') result.status = item.status;
    else if (name === LABELS) result.changes[name] = mergedList(task.labels, value, formerOf(name, then), foldName);
    else if (!name.startsWith(METADATA)) result.changes[name] = wanted;
    else {
      const key = name.slice(METADATA.length);
      metadata[key] = mergedList(task.metadata[key], value, formerOf(name, then));
    }
  }
  if (Object.keys(metadata).length > 0) result.changes.metadata = metadata;
  addStage(result, item, task, then);
  return result;
}

/** Adds the stage of the item. With another status it always changes, and where the status stays another one, it stays too. */
function addStage(
  result: ItemChanges,
  { stage, status }: ImportItem,
  task: PresentTask,
  then: SourceValues | undefined,
): void {
  if (stage === undefined) return;
  if (result.status === undefined) {
    if (status !== task.status || stage === task.stage) return;
    const former = formerOf(STAGE, then);
    // A task that is older than the stages is in the first one until it is moved.
    const isKept = then !== undefined && (former === undefined ? !task.isInFirstStage : former === printOf(stage));
    if (isKept) {
      result.kept.push(STAGE);
      return;
    }
  }
  result.changes[STAGE] = stage;
}

/** Whether the source has a value that it did not have at the last import. */
function isNew(
  name: string,
  value: unknown,
  task: PresentTask,
  then: SourceValues | undefined,
  assigneeId: string | null,
): boolean {
  if (then === undefined) return name === 'assignee_id' ? assigneeId !== null : value !== null;
  const isChanged = (formerOf(name, then) ?? printOf(null)) !== printOf(value);
  if (isChanged || name !== 'assignee_id') return isChanged;
  // Somebody who has become a member is assigned, unless the assignee was changed here.
  return then.assignee !== printOf(assigneeId) && then.assignee === printOf(task.assigneeId);
}

/** The value at the last import. */
const formerOf = (name: string, then: SourceValues | undefined): string | undefined =>
  then?.[name] ?? (name === LABELS ? then?.[FORMER_LABELS] : undefined);

/** The value of metadata without the ids that items of a checklist get here. */
const withoutIdsOf = (key: string, value: unknown): unknown =>
  key === CHECKLIST && Array.isArray(value) ? withoutGivenIds(value) : value;

/** Whether the task has the value already. */
function isHere(name: string, value: unknown, task: PresentTask): boolean {
  if (name.startsWith(METADATA)) {
    const key = name.slice(METADATA.length);
    return sameJson(withoutIdsOf(key, task.metadata[key]) ?? null, withoutIdsOf(key, value));
  }
  if (name === LABELS) return areSameLabels(task.labels, isTexts(value) ? value : []);
  if (name === 'due_date') {
    return typeof value === 'string' ? isSameDueDate(value, task) : value === null && task.dueDate === null;
  }
  const current: JsonRecord = {
    title: task.title,
    description: task.description,
    start_date: task.startDate,
    estimate: task.estimate,
    points: task.points,
    priority: task.priority,
    actual: task.actual,
    assignee_id: task.assigneeId,
    status: task.status,
  };
  return sameJson(current[name] ?? null, value);
}

/**
 * Applies to a list what was added and removed in the source, so that additions made here stay. `fold` gives members that
 * are alike the same form.
 */
function mergedList(
  here: unknown,
  value: unknown,
  former: string | undefined,
  fold = (member: string): string => member,
): unknown {
  const before: unknown = former?.startsWith('[') === true ? JSON.parse(former) : undefined;
  if (!isTexts(here) || !isTexts(before) || !(isTexts(value) || value === null)) return value;
  if (sameJson(here, before)) return value;
  const [own, earlier, later] = [here, before, value ?? []].map((members) => new Set(members.map(fold)));
  const merged = [
    ...here.filter((one) => later.has(fold(one)) || !earlier.has(fold(one))),
    ...(value ?? []).filter((one) => !own.has(fold(one)) && !earlier.has(fold(one))),
  ];
  return merged.length === 0 ? null : merged;
}

/**
 * Whether the text, a day or an instant, means the due date of the task; false if it is neither. A day is the same as the
 * instant of its end, because the instant of a day is derived from it.
 */
function isSameDueDate(text: string, { dueDate, dueDay, timezone }: PresentTask): boolean {
  if (text === dueDay) return true;
  const day = parseDay(text);
  const instant = day ? dayEdge(day, 'end', timezone) : parseInstant(text);
  return instant !== undefined && instant.getTime() === dueDate?.getTime();
}
