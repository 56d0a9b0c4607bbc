import { joinEndeavour } from '../../../access/visibility/containers.view.js';
import { rowsAsJson, rowsOf, type View } from '../../../platform/database/views/view.js';

/**
 * The variables of a template by name: SQL expressions that yield JSON. `:id` is the entity of the report, `:me` the
 * user, `:now` the time of the report.
 */
export type Variables = Record<string, string>;

/** SQL: the representation of the entity of the report. */
export const entityVariable = (view: View): string => {
  const { select, from } = rowsAsJson(view);
  return `(SELECT body FROM (SELECT ${select} FROM ${from} WHERE ${view.alias}.id = :id) one)`;
};

/** SQL: a value of the entity of the report, over the alias of its view. */
export const valueVariable = (view: View, value: string): string =>
  `(SELECT ${value} FROM ${rowsOf(view)} WHERE ${view.alias}.id = :id)`;

/** SQL: the number of rows that meet the condition. */
export const countVariable = (view: View, where: string): string =>
  `(SELECT to_json(count(*)) FROM ${rowsOf(view)} WHERE ${where})`;

/** The maximum size of a list in bytes, so that long texts cannot exhaust memory or delay other requests. */
const MAX_BYTES = 2 * 1024 * 1024;

/**
 * SQL: the representations of the rows that meet the condition, in the given order, up to the limit of rows and bytes.
 */
export const entityListVariable = (view: View, where: string, order: string, limit: number): string => {
  const { select, from } = rowsAsJson(view);
  const rows = `SELECT ${select} FROM ${from} WHERE ${where} ORDER BY ${order}, ${view.alias}.id LIMIT ${limit}`;
  // Without ORDER BY, the window and the aggregate use the order of the rows of the subquery.
  return `coalesce((SELECT json_agg(body) FROM (
    SELECT body, sum(octet_length(body::text)) OVER (ROWS UNBOUNDED PRECEDING) AS bytes FROM (${rows}) several) fitting
    WHERE bytes <= ${MAX_BYTES}), '[]'::json)`;
};

/** SQL: the time zone of the endeavour of the entity. */
const TIMEZONE = `to_json(coalesce((SELECT home.timezone FROM entities x ${joinEndeavour('home', 'x.endeavour_id')}
  WHERE x.id = :id), 'UTC'))`;

/** A statement with the parameters me, id and now that returns all variables as one JSON text. */
export function variablesStatement(variables: Variables): string {
  const all = { timezone: TIMEZONE, ...variables };
  const pairs = Object.entries(all).map(([name, sql]) => `SELECT '${name}' AS name, (${sql})::json AS value`);
  return `SELECT json_object_agg(name, value)::text AS variables FROM (${pairs.join(' UNION ALL ')}) known
    WHERE (:me, :id, :now) IS NOT NULL`
    .replaceAll(/:me\b/g, '$1::text')
    .replaceAll(/:id\b/g, '$2::text')
    .replaceAll(/:now\b/g, '$3::timestamptz');
}
