import { seenEndeavours } from '../../access/visibility/visibility.js';
import { foldName } from '../../common/texts/fold-name.js';
import { written } from '../../platform/database/views/text-traits.js';
import { json, type ViewField } from '../../platform/database/views/view.js';
import { setFilter, type ChosenSet } from '../../platform/listing/chosen-set.js';
import type { Filter, ListRequest, Statement } from '../../platform/listing/definition.js';
import { parseFlag } from '../../platform/http/requests/parsed.js';
import { LABEL_PATTERN, labelErrors, MAX_LABEL } from './label.rules.js';

const DESCRIPTION =
  'Its labels, as they were spelled first in the endeavour. Renaming a label changes neither revision nor updated_at.';

/** SQL for the names of the labels with these ids, as JSON. */
const namesOf = (ids: string): string =>
  `CASE WHEN ${ids} IS NULL THEN '[]'::json ELSE to_json(label_names(${ids})) END`;

/** The names of the labels of a task or demand. */
export const labelsField = (row: string): ViewField<string[]> => ({
  ...written(
    json<string[]>(namesOf(`${row}.labels`), {
      type: 'array',
      items: { type: 'string', maxLength: MAX_LABEL },
      description: DESCRIPTION,
    }),
    'redactable',
  ),
  shown: (stored) => namesOf(`${stored}::text[]`),
});

type Filters = Pick<ListRequest, 'filters'>;

/** Filters by labels: any of them or, with `label.all`, all of them. */
export function labelFilters(row: string): Record<string, Filter> {
  const any = setFilter({
    item: { type: 'string', minLength: 1, maxLength: MAX_LABEL + 1, pattern: LABEL_PATTERN },
    description: 'With one of these labels, or with all of them if `label.all` is true.',
    match: (names, statement, request) => having(row, names, statement, request),
    isUnset: `${row}.labels IS NULL`,
    errorOf: (value) => {
      const [error] = labelErrors(value, 'label');
      return error === undefined ? undefined : { code: error.code, message: error.message };
    },
  });
  return {
    label: {
      ...any,
      modifier: 'label.all',
      where(chosen: ChosenSet, statement, request) {
        if (Array.isArray(chosen) || chosen.values.length === 0) {
          return any.where?.(chosen as never, statement, request) ?? 'true';
        }
        // Rows without labels are among these, so that each row is compared by itself instead of being looked up.
        const { values, isExcluded, includesUnset } = chosen;
        const matches = holding(row, values, statement, request);
        const either = includesUnset ? `(${row}.labels IS NULL OR ${matches})` : matches;
        return isExcluded ? `(${either}) IS NOT TRUE` : `(${either})`;
      },
    },
    'label.all': {
      schema: { type: 'boolean' },
      description: 'Whether `label` means all of its labels instead of any of them.',
      parse: parseFlag,
      isFlag: true,
    },
  };
}

/** Each of the alternatives that a row must have: all names, or any of them. */
const alternatives = (names: readonly string[], { filters }: Filters): string[][] => {
  const folded = [...new Set(names.map(foldName))];
  return filters.get('label.all') === true ? folded.map((name) => [name]) : [folded];
};

/** SQL: whether the row has the labels, by the table that is indexed by them. */
const having = (row: string, names: readonly string[], statement: Statement, request: Filters): string =>
  alternatives(names, request)
    .map((folded) => {
      const ids = idsOf(folded, statement, request);
      return `EXISTS (SELECT 1 FROM labeled_work w WHERE w.entity_id = ${row}.id AND w.label_id = ANY(ARRAY(${ids})))`;
    })
    .join(' AND ');

/** SQL: the same by the labels in the row. In an aggregate, the ids become one hash table; there can be thousands of them. */
const holding = (row: string, names: readonly string[], statement: Statement, request: Filters): string =>
  `(${alternatives(names, request)
    .map((folded) => {
      const ids = idsOf(folded, statement, request);
      return `(SELECT bool_or(held.id IN (${ids})) FROM unnest(${row}.labels) AS held (id)) IS TRUE`;
    })
    .join(' AND ')})`;

/** SQL for the ids of the labels with these folded names in the endeavours that are asked for, and of those merged into them. */
function idsOf(folded: readonly string[], statement: Statement, { filters }: Filters): string {
  const { me, bind } = statement;
  const asked = filters.get('endeavour_id');
  const scope = Array.isArray(asked)
    ? `root.endeavour_id = ANY(${bind(asked)}::text[])`
    : `root.endeavour_id = ANY(ARRAY(${seenEndeavours(me)}))`;
  const named = `root.merged_into IS NULL AND root.folded = ANY(${bind(folded)}::text[]) AND ${scope}`;
  return `SELECT root.id FROM labels root WHERE ${named}
    UNION ALL SELECT alias.id FROM labels root JOIN labels alias ON alias.merged_into = root.id WHERE ${named}`;
}
