import { isWorkKey, KEYED_KINDS, partsOf } from '../../common/work-keys.js';
import { json, nullable, text, withoutEventValue, type ViewField } from '../../platform/database/views/view.js';
import type { Statement } from '../../platform/listing/definition.js';
import { actsAsAdministrator } from '../visibility/people.view.js';
import { endeavoursOf } from '../visibility/visibility.js';

const DESCRIPTION =
  'The key of its endeavour and its number there. It can be used instead of the id in paths, filters and bodies. Null ' +
  'until an upgraded service has numbered it.';

/** The key of a task or demand, from the key of its endeavour and its number. */
export const workKey = (endeavour: string, row: string): ViewField<string | null> =>
  nullable(text(`${endeavour}.key || '-' || ${row}.number`, DESCRIPTION));

/**
 * The keys that a task or demand had in other endeavours, of those that the caller sees. A function reads them, because
 * planning a query for the few that have any would cost each read of a task or demand more than most of its other parts.
 */
export const formerKeys = (row: string): ViewField<string[]> =>
  withoutEventValue(
    json<string[]>(
      `CASE WHEN ${row}.former_numbers IS NULL THEN '[]'::json ELSE former_keys(${row}.former_numbers, :me) END`,
      {
        type: 'array',
        items: { type: 'string' },
        description: 'Its keys in other endeavours that you see. They still lead to it.',
      },
    ),
  );

/** SQL for the key of the task or demand in a row. */
export const keyOfWork = (row: string): string => `(SELECT k.key FROM work_keys k WHERE k.entity_id = ${row}.id)`;

/** The key of the entity in a row with its id and kind, such as one of `entities`; null for those without keys. */
export const keyOfEntity = (x: string, kind = 'kind'): ViewField<string | null> =>
  withoutEventValue(
    nullable(
      text(
        `CASE WHEN ${x}.${kind} IN ('${KEYED_KINDS.join("', '")}')
          THEN ${keyOfWork(x)} END`,
        'The key of a task or demand; null for others.',
      ),
    ),
  );

/** SQL for the ids of the tasks and demands to which the text leads as a key, in endeavours that the caller sees. */
export function idsByKey(searched: string, { me, bind }: Statement): string | undefined {
  if (!isWorkKey(searched)) return undefined;
  const { prefix, number } = partsOf(searched);
  return `SELECT n.entity_id FROM endeavour_keys k
    JOIN work_numbers n ON n.endeavour_id = k.endeavour_id AND n.number = ${bind(number)}::integer
    WHERE k.key = ${bind(prefix)} AND (${actsAsAdministrator(me)} OR k.endeavour_id = ANY(ARRAY(${endeavoursOf(me)})))`;
}
