import { rowsAsJson, type View } from '../../../platform/database/view.js';

/**
 * The variables of a template by name: SQL expressions that yield JSON. `:id` is the entity of the report, `:me` the
 * user, `:now` the time of the report.
 */
export type Variables = Record<string, string>;

/** The representation of the entity of the report. */
export const itself = (view: View): string => {
  const { select, from } = rowsAsJson(view);
  return `(SELECT body FROM (SELECT ${select} FROM ${from} WHERE ${view.alias}.id = :id) one)`;
};

/** How many bytes the entries of a list take together, so that long texts cannot fill memory and hold up other requests. */
const MOST_BYTES = 2 * 1024 * 1024;

/** The representations of those rows for which the condition holds, in that order, up to the first that does not fit. */
export const those = (view: View, where: string, order: string, limit: number): string => {
  const { select, from } = rowsAsJson(view);
  const several = `SELECT ${select} FROM ${from} WHERE ${where} ORDER BY ${order}, ${view.alias}.id LIMIT ${limit}`;
  // The window has the order of the rows that it is given, as the aggregate does.
  return `coalesce((SELECT json_agg(body) FROM (
    SELECT body, sum(octet_length(body::text)) OVER (ROWS UNBOUNDED PRECEDING) AS bytes FROM (${several}) several) fitting
    WHERE bytes <= ${MOST_BYTES}), '[]'::json)`;
};

/** The time zone of the entity's endeavour. */
const TIMEZONE = `to_json(coalesce((SELECT home.timezone FROM entities x JOIN endeavours home ON home.id = x.endeavour_id
  WHERE x.id = :id), 'UTC'))`;

/** A statement with the parameters me, id and now, that yields all variables as one JSON text. */
export function variablesStatement(variables: Variables): string {
  const all = { timezone: TIMEZONE, ...variables };
  const pairs = Object.entries(all).map(([name, sql]) => `SELECT '${name}' AS name, (${sql})::json AS value`);
  return `SELECT json_object_agg(name, value)::text AS variables FROM (${pairs.join(' UNION ALL ')}) known
    WHERE (:me, :id, :now) IS NOT NULL`
    .replaceAll(/:me\b/g, '$1::text')
    .replaceAll(/:id\b/g, '$2::text')
    .replaceAll(/:now\b/g, '$3::timestamptz');
}
