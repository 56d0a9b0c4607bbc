import type { Kind } from '../../common/kinds.js';
import { KINDS } from '../../common/kinds.js';

/** A JSON Schema as OpenAPI 3.1 has it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** One property of a representation: the SQL that yields it, its schema, and (only in types) what arrives. */
export interface Field<T> {
  sql: string;
  schema: JsonSchema;
  /** Never set: carries the type to {@link Wire}. */
  readonly type?: T;
}

/**
 * The representation of a resource, declared once: PostgreSQL builds the JSON from it for reads, lists, answers to
 * writes, events and exports, and the OpenAPI schema is made from it.
 */
export interface View<F extends Record<string, Field<unknown>> = Record<string, Field<unknown>>> {
  /** The name of the schema in the OpenAPI document. */
  name: string;
  kind: Kind;
  table: string;
  /** How {@link Field.sql} and `joins` call the row; a list or a write puts its own rows under this name. */
  alias: string;
  joins: string;
  fields: F;
}

/** What a client receives. */
export type Wire<V extends View> = { [K in keyof V['fields']]: V['fields'][K] extends Field<infer T> ? T : never };

/** The row of a statement that yields a representation. */
export interface Json {
  id: string;
  revision: number | null;
  body: string;
}

/** A representation as JSON text, ready to be sent; `revision` is null for what never changes. */
export class Representation {
  constructor(
    readonly id: string,
    readonly revision: number | null,
    readonly body: string,
  ) {}

  static of(row: Json | undefined): Representation {
    if (row === undefined) throw new Error('a row that was just written cannot be read');
    return new Representation(row.id, row.revision, row.body);
  }

  /** The same with more beside it. */
  with(more: Record<string, number | never[]>): Representation {
    return new Representation(this.id, this.revision, `${this.body.slice(0, -1)},${JSON.stringify(more).slice(1)}`);
  }

  /** The representation as an object, for code that goes on working with it. */
  read<V extends View>(_view: V): Wire<V> {
    return JSON.parse(this.body) as Wire<V>;
  }
}

export function defineView<F extends Record<string, Field<unknown>>>(view: View<F>): View<F> {
  return view;
}

const columns = (view: View): string =>
  Object.entries(view.fields)
    .map(([name, field]) => `${field.sql} AS "${name}"`)
    .join(', ');

/**
 * SQL for `id`, `revision` and `body` (JSON) of the rows that `from` puts under the view's alias. In fields and joins
 * `:me` stands for the id of the asking user; it becomes the statement's `$1`.
 */
export function rowsAsJson(view: View, from = `${view.table} ${view.alias}`): { select: string; from: string } {
  return { select: selections.get(view) ?? selectionOf(view), from: forMe(`${from} ${view.joins}`) };
}

const selections = new WeakMap<View, string>();

/** Made once for each view, because it is long and wanted at every request. */
function selectionOf(view: View): string {
  const { alias } = view;
  const revision = 'revision' in view.fields ? `${alias}.revision` : 'NULL::integer';
  const select = `${alias}.id, ${revision} AS revision, (SELECT row_to_json(wire) FROM (SELECT ${columns(view)}) wire) AS body`;
  selections.set(view, forMe(select));
  return forMe(select);
}

/** A whole statement for the one row that `where` names; yields a {@link Json}. */
export function oneAsJson(view: View, where: string, from?: string): string {
  const rows = rowsAsJson(view, from);
  return `SELECT id, revision, body::text AS body FROM (SELECT ${rows.select} FROM ${rows.from} WHERE ${where}) found`;
}

export const forMe = (sql: string): string => sql.replaceAll(/:me\b/g, '$1::text');

/** The OpenAPI schema of the representation; every property is always present. */
export function schemaOf(view: View): JsonSchema {
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(view.fields),
    properties: Object.fromEntries(Object.entries(view.fields).map(([name, field]) => [name, field.schema])),
  };
}

/** The form of a time on the wire (spec 01): UTC with milliseconds. */
export const wireTime = (sql: string): string => `to_char(${sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export const text = (sql: string, description?: string): Field<string> => ({
  sql,
  schema: { type: 'string', ...(description !== undefined && { description }) },
});
export const oneOf = <S extends string>(sql: string, values: readonly S[]): Field<S> => ({
  sql,
  schema: { type: 'string', enum: [...values] },
});
export const id = (sql: string, kind: Kind): Field<string> => ({
  sql,
  schema: { type: 'string', pattern: `^${KINDS[kind]}_[0-9a-f]{32}$` },
});
export const anyId = (sql: string): Field<string> => ({
  sql,
  schema: { type: 'string', pattern: '^[a-z]{3}_[0-9a-f]{32}$' },
});
export const whole = (sql: string): Field<number> => ({ sql, schema: { type: 'integer' } });
export const number = (sql: string, description?: string): Field<number> => ({
  sql,
  schema: { type: 'number', ...(description !== undefined && { description }) },
});
export const flag = (sql: string): Field<boolean> => ({ sql, schema: { type: 'boolean' } });
export const time = (sql: string): Field<string> => ({
  sql: wireTime(sql),
  schema: { type: 'string', format: 'date-time' },
});
export const json = <T>(sql: string, schema: JsonSchema): Field<T> => ({ sql, schema });
export const metadata = (sql: string): Field<Record<string, unknown>> => ({
  sql,
  schema: { type: 'object', additionalProperties: true },
});

/** The same property where it may be `null`; of one that may be already, itself. */
export function nullable<T>(field: Field<T>): Field<T | null> {
  const { type, enum: values, ...rest } = field.schema;
  if (Array.isArray(type)) return field;
  const schema =
    type === undefined
      ? { anyOf: [field.schema, { type: 'null' }] }
      : { type: [type, 'null'], ...(Array.isArray(values) && { enum: [...values, null] }), ...rest };
  return { sql: field.sql, schema };
}

/** Counts of work by status, as in `progress` and `summary`. */
export const counts = (sql: string, statuses: readonly string[]): Field<Record<string, number>> => ({
  sql,
  schema: {
    type: 'object',
    additionalProperties: false,
    required: [...statuses],
    properties: Object.fromEntries(statuses.map((status) => [status, { type: 'integer' }])),
  },
});
