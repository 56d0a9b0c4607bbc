import { invalidInput, referenceNotFound, type FieldError } from '../../../common/errors.js';
import { foldName } from '../../../common/texts/fold-name.js';
import { isId, newId } from '../../../common/ids.js';
import { fieldError, NO_FIELD_ERRORS } from '../../../platform/http/bodies/fields/field.js';
import { textErrors } from '../../../platform/http/bodies/fields/text.js';

/** The statuses that stages divide. Canceled tasks are in no stage. */
export const STAGE_STATUSES = ['planned', 'active', 'done'] as const;
export type StageStatus = (typeof STAGE_STATUSES)[number];

/** The most stages of an endeavour. */
export const MAX_STAGES = 20;
export const MAX_WIP_LIMIT = 100_000;

/** The longest name of a stage, in characters. */
export const MAX_STAGE_NAME = 100;

/** A part of a status, such as a column of a board. */
export interface Stage {
  id: string;
  name: string;
  /** The status of the tasks in it; never changes. */
  status: StageStatus;
  /** The number of tasks from which members cannot move more into it; null for any number. */
  wip_limit: number | null;
}

/** A stage in a request. */
interface SentStage {
  id?: string;
  name: string;
  status: StageStatus;
  wip_limit?: number | null;
}

/** The pattern of a name, which can stand in a filter between others: no comma, and no ! at its beginning. */
export const STAGE_PATTERN = '^[^!,][^,]*$';
const FORM = new RegExp(STAGE_PATTERN, 's');

/** What a filter calls the absence of a stage. */
const NONE = 'none';

/** The errors of a trimmed name of a stage. */
export function stageNameErrors(value: unknown, at: string): readonly FieldError[] {
  const errors = textErrors(value, at, { min: 1, max: MAX_STAGE_NAME, isLine: true });
  if (errors.length > 0) return errors;
  const name = value as string;
  if (!FORM.test(name)) return fieldError(at, 'invalid_format', 'must have no comma, and no ! at the beginning.');
  if (isId('stage', name)) return fieldError(at, 'invalid_format', 'must not be an id of a stage.');
  const folded = foldName(name);
  if (folded === NONE)
    return fieldError(at, 'invalid_value', 'must not be none, which stands for no stage in filters.');
  return folded === '' ? fieldError(at, 'invalid_text', 'must have visible characters.') : NO_FIELD_ERRORS;
}

/**
 * The stages of an endeavour after a request that replaces the current ones; null for none. Those with a known id or
 * name stay, all others are new. Rejects unknown and repeated ids, repeated names, another status and limits of done ones.
 */
export function stagesAfter(sent: readonly SentStage[], current: readonly Stage[] | null | undefined): Stage[] | null {
  const errors: FieldError[] = [];
  const kept = keptStages(sent, current ?? []);
  const names = new Set<string>();
  const ids = new Set<string>();
  const stages = sent.map(({ id, name, status, wip_limit: limit = null }, index): Stage => {
    const at = `stages.${index}`;
    const existing = kept[index];
    if (id !== undefined && (existing === undefined || ids.has(id))) errors.push(referenceNotFound(`${at}.id`));
    if (id !== undefined) ids.add(id);
    if (names.has(foldName(name)))
      errors.push(...fieldError(`${at}.name`, 'invalid_value', 'repeats an earlier name.'));
    names.add(foldName(name));
    if (existing !== undefined && existing.status !== status) {
      errors.push(...fieldError(`${at}.status`, 'invalid_value', `must stay ${existing.status}.`, [existing.status]));
    }
    if (status === 'done' && limit !== null) {
      errors.push(...fieldError(`${at}.wip_limit`, 'invalid_value', 'is not possible for done stages.'));
    }
    return { id: existing?.id ?? newId('stage'), name, status, wip_limit: limit };
  });
  if (errors.length > 0) throw invalidInput(errors);
  return stages.length === 0 ? null : stages;
}

/** The existing stage that each sent one means, by its id or else by its name. */
function keptStages(sent: readonly SentStage[], current: readonly Stage[]): (Stage | undefined)[] {
  const named = new Set(sent.map(({ id }) => id));
  return sent.map(({ id, name }) =>
    id === undefined
      ? current.find((stage) => !named.has(stage.id) && foldName(stage.name) === foldName(name))
      : current.find((stage) => stage.id === id),
  );
}

/** The stages that another list of stages no longer has. */
export const removedStages = (current: readonly Stage[] | null | undefined, next: readonly Stage[] | null): Stage[] =>
  (current ?? []).filter(({ id }) => next?.some((stage) => stage.id === id) !== true);

/** The stage with that id, or that name in any spelling. */
export const findStage = (stages: readonly Stage[] | null | undefined, named: string): Stage | undefined =>
  stages?.find(({ id }) => id === named) ?? stages?.find(({ name }) => foldName(name) === foldName(named));

/** The stage in which a task with this status is shown: its own one, else the first one of the status, if any. */
export function stageIn(
  stages: readonly Stage[] | null | undefined,
  status: string,
  own: string | null | undefined,
): Stage | undefined {
  const possible = (stages ?? []).filter((stage) => stage.status === status);
  return possible.find(({ id }) => id === own) ?? possible.at(0);
}
