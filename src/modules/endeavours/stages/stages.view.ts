import { seenEndeavours } from '../../../access/visibility/visibility.js';
import { foldName } from '../../../common/texts/fold-name.js';
import { isId } from '../../../common/ids.js';
import { id, nullable, text, withoutEventValue } from '../../../platform/database/views/view.js';
import { setFilter, type MatchValues } from '../../../platform/listing/chosen-set.js';
import type { Filter, Sort } from '../../../platform/listing/definition.js';
import { MAX_STAGE_NAME, STAGE_PATTERN, stageNameErrors } from './stages.js';

/** SQL about stages, for the tasks in them. */

/** SQL for the stage of a task as JSON, over its endeavour; null without one. */
const stageOf = (row: string, endeavour: string): string =>
  `stage_in(${endeavour}.stages, ${row}.status, ${row}.stage)`;

/** A property of the stage of a task. Endeavours without stages, which most are, cost no call. */
const ofStage = (row: string, endeavour: string, property: 'id' | 'name'): string =>
  `CASE WHEN ${endeavour}.stages IS NOT NULL THEN ${stageOf(row, endeavour)} ->> '${property}' END`;

/** The stage of the task in a row, by its id and its name; the name can change without a new revision of the task. */
export const stageFields = (row: string, endeavour: string) => ({
  stage: nullable(id(ofStage(row, endeavour, 'id'), 'stage')),
  stage_name: withoutEventValue(nullable(text(ofStage(row, endeavour, 'name')))),
});

const inEndeavour = (row: string): string => `FROM endeavours staged WHERE staged.id = ${row}.endeavour_id`;

/** SQL: the id of the stage in which readers see the task in a row; null without one. */
export const shownStage = (row: string): string => `(SELECT ${stageOf(row, 'staged')} ->> 'id' ${inEndeavour(row)})`;

/** Sorts by the place of the stage in its endeavour; without one last. */
export const stageSort = (row: string): Sort => ({
  sql: `(SELECT stage_place(staged.stages, ${row}.status, ${row}.stage) ${inEndeavour(row)})`,
  type: 'integer',
  nullable: true,
});

/** Filters tasks by their stages, which are named by ids or names. */
export const stageFilter = (row: string): Filter =>
  setFilter({
    item: { type: 'string', minLength: 1, maxLength: MAX_STAGE_NAME + 1, pattern: STAGE_PATTERN },
    description: 'In these stages, by their names (in any case) or ids.',
    isUnset: `NOT EXISTS (SELECT 1 ${inEndeavour(row)} AND ${stageOf(row, 'staged')} IS NOT NULL)`,
    errorOf(value) {
      const [error] = isId('stage', value) ? [] : stageNameErrors(value, 'stage');
      return error === undefined ? undefined : { code: error.code, message: error.message };
    },
    match: (wanted, statement, request) => isIn(row, wanted, statement, request),
  });

/**
 * SQL: whether the task is in one of the stages. The stages are found once, in the endeavours that are asked for; a task
 * without a stage of its own is in the first one of its status.
 */
const isIn = (row: string, ...[wanted, { me, bind }, { filters }]: Parameters<MatchValues>): string => {
  const asked = filters.get('endeavour_id');
  const scope = Array.isArray(asked)
    ? `staged.id = ANY(${bind(asked)}::text[])`
    : `staged.id = ANY(ARRAY(${seenEndeavours(me)}))`;
  const ids = bind(wanted.filter((value) => isId('stage', value)));
  const names = bind(wanted.filter((value) => !isId('stage', value)).map(foldName));
  const named = `FROM endeavours staged, jsonb_array_elements(staged.stages) AS stage (value)
    WHERE staged.stages IS NOT NULL AND ${scope} AND (stage.value ->> 'id' = ANY(${ids}::text[])
      OR fold_name(stage.value ->> 'name') = ANY(${names}::text[]))`;
  return `((${row}.stage = ANY(ARRAY(SELECT stage.value ->> 'id' ${named})) AND ${row}.status <> 'canceled')
    OR (${row}.stage IS NULL AND (${row}.endeavour_id, ${row}.status) IN (SELECT staged.id, stage.value ->> 'status' ${named}
      AND stage.value = stage_in(staged.stages, stage.value ->> 'status', NULL))))`;
};
