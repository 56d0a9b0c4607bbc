import type { Kind } from '../../../common/kinds.js';
import { KINDS } from '../../../common/kinds.js';

/** A JSON Schema of OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The value that events store instead of the property itself. */
export interface KeptInEvents {
  /** SQL for it; null if events do not store the property. */
  sql: string | null;
  /** Converts the previous value of a change to what events store; absent if they do not store it. */
  previous?: (value: unknown) => unknown;
}

/**
 * What other features do with a property that people write:
 *
 * - `personal`: its author finds it in their own data (`GET /auth/my-data`) also after losing access to the entity.
 * - `redactable`: its earlier values can be erased from the history.
 * - `compared`: comparisons show its lines.
 * - `searchedName`, `searchedText`: searches look for words in it; those in names count more.
 * - `approved`: approvals cover it; a change makes them stale.
 * - `watched`: text observers see what is written to it, such as alert terms.
 */
export type TextTrait =
  'personal' | 'redactable' | 'compared' | 'searchedName' | 'searchedText' | 'approved' | 'watched';

/** One property of a representation: its SQL, its schema, and (only in types) its value. */
export interface ViewField<T> {
  sql: string;
  /** SQL for a time before its conversion to the wire format. */
  stored?: string;
  schema: JsonSchema;
  /** Whether the value is text in which JSON escapes nothing, such as an id. */
  isPlain?: true;
  /** Absent if events store the value itself. */
  kept?: KeptInEvents;
  /** SQL for what clients see of a stored value, for previous values in events; absent if they see the value itself. */
  shown?: (stored: string) => string;
  /** Whether erasing a person blanks it in events, although it is no text. */
  isErased?: true;
  /** What other features do with the property, if people write it. */
  traits?: readonly TextTrait[];
  /** Never set; carries the type to {@link Wire}. */
  readonly type?: T;
}

/**
 * The representation of a resource, declared once: PostgreSQL builds the JSON from it for reads, lists, responses to
 * writes, events and exports, and the OpenAPI schema is made from it.
 */
export interface View<F extends Record<string, ViewField<unknown>> = Record<string, ViewField<unknown>>> {
  /** The name of the schema in the OpenAPI document. */
  name: string;
  kind: Kind;
  table: string;
  /** The name of the row in {@link ViewField.sql} and `joins`; lists and writes provide their rows under this name. */
  alias: string;
  joins: string;
  fields: F;
  /** Properties that cost more than others, which rows of lists have only where `fields` names them. */
  named?: Record<string, ViewField<unknown>>;
  /** The resources affected by events about the entity; none by default. */
  people?: AffectedPeople;
  /** The properties that GET one has besides these, by their SQL; the ETag of a write is computed with them. */
  readsMore?: Record<string, string>;
  /**
   * What GET answers with after a write with this representation, from which the ETag is computed, if that follows from
   * the representation; null if it would need another statement. By default the body with the properties of `readsMore`.
   */
  whenRead?: (written: Json) => string | null;
}

/** The resources affected by a change of the entity, which its events store. */
export interface AffectedPeople {
  /** Properties that hold the id of a resource, both before and after a change. */
  properties: readonly string[];
  /** SQL for a `text[]` of further resources, over the view's alias. */
  others?: string;
}

/** Names of properties of a view, in the order of the view. */
export type FieldNames = readonly string[];

/** The value that a client receives. */
export type Wire<V extends View> = { [K in keyof V['fields']]: V['fields'][K] extends ViewField<infer T> ? T : never };

/** The row of a statement that yields a representation. */
export interface Json {
  id: string;
  revision: number | null;
  body: string;
  /** JSON of the properties that GET one has besides those of the body; absent if there are none. */
  more?: string;
}

/** A representation as JSON text, ready to be sent; `revision` is null for immutable entities. */
export class Representation {
  constructor(
    readonly id: string,
    readonly revision: number | null,
    readonly body: string,
    /** What GET answers with, if that is not the body; null if it is not known. */
    readonly whenRead: string | null = body,
  ) {}

  /** The view is that of a write whose entity GET represents with more properties. */
  static of(row: Json | undefined, view?: View): Representation {
    if (row === undefined) throw new Error('a row that was just written cannot be read');
    const { id, revision, body } = row;
    return new Representation(id, revision, body, view === undefined ? body : whenReadOf(row, view));
  }

  /** Returns the representation with additional properties. */
  with(more: Record<string, number | object | null>): Representation {
    const body = `${this.body.slice(0, -1)},${JSON.stringify(more).slice(1)}`;
    return new Representation(this.id, this.revision, body, this.whenRead);
  }

  /** The parsed representation, for code that uses its values. */
  read<V extends View>(_view: V): Wire<V> {
    return JSON.parse(this.body) as Wire<V>;
  }
}

function whenReadOf(row: Json, { whenRead }: View): string | null {
  if (whenRead !== undefined) return whenRead(row);
  return row.more === undefined ? row.body : `${row.body.slice(0, -1)},${row.more.slice(1)}`;
}

export function defineView<F extends Record<string, ViewField<unknown>>>(view: View<F>): View<F> {
  return view;
}

/** The properties that `fields` can name, in their order. */
export const selectableFields = ({ fields, named }: Pick<View, 'fields' | 'named'>): View['fields'] =>
  named === undefined ? fields : { ...fields, ...named };

/** SQL for `FROM`: the rows of the view under its alias, without its joins. */
export const rowsOf = ({ table, alias }: View): string => `${table} ${alias}`;

const columns = (fields: [string, string][]): string => fields.map(([name, sql]) => `${sql} AS "${name}"`).join(', ');

const sqlFields = (fields: View['fields']): [string, string][] =>
  Object.entries(fields).map(([name, { sql }]) => [name, sql]);

/**
 * SQL for `id`, `revision` and `body` (JSON) of the rows that `from` provides under the view's alias. In fields and
 * joins, `:me` stands for the id of the caller, `$1` of the statement. With `fields`, only those are computed.
 */
export function rowsAsJson(view: View, from = rowsOf(view), fields?: FieldNames): { select: string; from: string } {
  const select = fields === undefined ? wholeSelectionOf(view) : selectionOf(view, fields);
  return { select, from: bindCallerId(`${from} ${view.joins}`) };
}

/** SQL for the JSON alone, of rows without id and revision. */
export const bodyAsJson = (view: View): string => bindCallerId(objectOf(sqlFields(view.fields)));

/** Caches what is made of a view, because it is long and used by every request. */
function perView(make: (view: View) => string): (view: View) => string {
  const made = new WeakMap<View, string>();
  return (view) => {
    const sql = made.get(view) ?? make(view);
    made.set(view, sql);
    return sql;
  };
}

const wholeSelectionOf = perView((view) => selectionOf(view));
const wholeColumnsOf = perView(({ fields }) => bindCallerId(columns(sqlFields(fields))));

function selectionOf(view: View, fields?: FieldNames): string {
  const { alias } = view;
  const revision = 'revision' in view.fields ? `${alias}.revision` : 'NULL::integer';
  const selected = sqlFields(fields === undefined ? view.fields : selectableFields(view)).filter(
    ([name]) => fields?.includes(name) ?? true,
  );
  return bindCallerId(`${alias}.id, ${revision} AS revision, ${objectOf(selected)} AS body`);
}

/** SQL for a JSON object of these properties. */
export const objectOf = (fields: [string, string][]): string =>
  `(SELECT row_to_json(wire) FROM (SELECT ${columns(fields)}) wire)`;

/**
 * A statement for the one row that `where` selects; yields a {@link Json}. A whole representation is the row itself: a
 * subquery for its JSON, as lists have, would cost one more node and a parameter for each column.
 */
export function oneAsJson(view: View, where: string, fields?: FieldNames): string {
  if (fields === undefined && view.readsMore === undefined && view.fields.id?.sql === `${view.alias}.id`) {
    const from = bindCallerId(`${rowsOf(view)} ${view.joins}`);
    return `SELECT id, ${'revision' in view.fields ? 'revision' : 'NULL::integer AS revision'}, row_to_json(wire)::text AS body
      FROM (SELECT ${wholeColumnsOf(view)} FROM ${from} WHERE ${where}) wire`;
  }
  const rows = rowsAsJson(view, undefined, fields);
  const more = fields === undefined ? moreOf(view) : '';
  return `SELECT id, revision, body::text AS body${more === '' ? '' : ', more::text AS more'}
    FROM (SELECT ${rows.select}${more} FROM ${rows.from} WHERE ${where}) found`;
}

/** SQL for the JSON of the properties that GET one has besides those of the view, as a further column; empty for none. */
export const moreOf = ({ readsMore }: View): string =>
  readsMore === undefined ? '' : bindCallerId(`, ${objectOf(Object.entries(readsMore))} AS more`);

/** Replaces `:me` by the first parameter, the id of the caller. */
export const bindCallerId = (sql: string): string => sql.replaceAll(/:me\b/g, '$1::text');

/** The OpenAPI schema of the representation; every property is always present but those that requests name. */
export function schemaOf(view: View): JsonSchema {
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(view.fields),
    properties: Object.fromEntries(Object.entries(selectableFields(view)).map(([name, field]) => [name, field.schema])),
  };
}

/** The form of a time on the wire (spec 01): UTC with milliseconds. */
export const wireTime = (sql: string): string => `to_char(${sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export const text = (sql: string, description?: string): ViewField<string> => ({
  sql,
  schema: { type: 'string', ...(description !== undefined && { description }) },
});
export const oneOf = <S extends string>(sql: string, values: readonly S[], description?: string): ViewField<S> => ({
  sql,
  schema: { type: 'string', enum: [...values], ...(description && { description }) },
  isPlain: true,
});
export const id = (sql: string, kind: Kind): ViewField<string> => ({
  sql,
  schema: { type: 'string', pattern: `^${KINDS[kind]}_[0-9a-f]{32}$` },
  isPlain: true,
});
export const anyId = (sql: string): ViewField<string> => ({
  sql,
  schema: { type: 'string', pattern: '^[a-z]{3}_[0-9a-f]{32}$' },
  isPlain: true,
});
export const integer = (sql: string, description?: string): ViewField<number> => ({
  sql,
  schema: { type: 'integer', ...(description !== undefined && { description }) },
});
export const number = (sql: string, description?: string): ViewField<number> => ({
  sql,
  schema: { type: 'number', format: 'double', multipleOf: 0.0001, ...(description !== undefined && { description }) },
});
export const boolean = (sql: string, description?: string): ViewField<boolean> => ({
  sql,
  schema: { type: 'boolean', ...(description !== undefined && { description }) },
});
/** A property that is erased with its person, in events too. */
export const erased = <T>(field: ViewField<T>): ViewField<T> => ({ ...field, isErased: true });
export const time = (sql: string): ViewField<string> => ({
  sql: wireTime(sql),
  stored: sql,
  schema: { type: 'string', format: 'date-time' },
});
/** SQL: the offset from UTC of a time zone at an instant: Z, or such as +01:00. */
function offsetOf(instant: string, timezone: string): string {
  const [local, utc] = [`(${instant} AT TIME ZONE ${timezone})`, `(${instant} AT TIME ZONE 'UTC')`];
  return `CASE WHEN ${local} = ${utc} THEN 'Z' WHEN ${local} < ${utc} THEN to_char(${utc} - ${local}, '"-"HH24:MI')
    ELSE to_char(${local} - ${utc}, '"+"HH24:MI') END`;
}

/** The columns of a date: its instant, its day (null for an instant), and the time zone of its days. */
export interface DateColumns {
  instant: string;
  day: string;
  timezone: string;
}

/**
 * SQL for a date on the wire (spec 01): an instant in UTC, or the derived instant of a day with the offset of its time
 * zone, so that its first ten characters are the day.
 */
export const wireDate = ({ instant, day, timezone }: DateColumns): string => `CASE WHEN ${day} IS NULL
  THEN ${wireTime(instant)}
  ELSE to_char(${instant} AT TIME ZONE ${timezone}, 'YYYY-MM-DD"T"HH24:MI:SS.MS') || ${offsetOf(instant, timezone)} END`;

/** A day or an instant, shown as an instant. */
export const date = (parts: DateColumns): ViewField<string> => ({
  sql: wireDate(parts),
  schema: { type: 'string', format: 'date-time' },
  isPlain: true,
});
export const day = (sql: string, description: string): ViewField<string> => ({
  sql: `${sql}::text`,
  schema: { type: 'string', format: 'date', description },
  isPlain: true,
});
export const json = <T>(sql: string, schema: JsonSchema): ViewField<T> => ({ sql, schema });
export const metadata = (sql: string): ViewField<Record<string, unknown>> => ({
  sql,
  schema: { type: 'object', additionalProperties: true },
});

/** The property with another example in the OpenAPI document. */
export const withExample = <T>(field: ViewField<T>, example: T): ViewField<T> => ({
  ...field,
  schema: { ...field.schema, example },
});

/** The property with a schema that also allows null. */
export function nullable<T>(field: ViewField<T>): ViewField<T | null> {
  const { type, enum: values, ...rest } = field.schema;
  if (Array.isArray(type)) return field;
  const schema =
    type === undefined
      ? { anyOf: [field.schema, { type: 'null' }] }
      : { type: [type, 'null'], ...(Array.isArray(values) && { enum: [...values, null] }), ...rest };
  return { ...field, schema };
}

/**
 * The property without its value in events: it contains names of other entities, depends on the caller, or is a text
 * that can be erased later. Clients read it from the entity.
 */
export const withoutEventValue = <T>(field: ViewField<T>): ViewField<T> => ({ ...field, kept: { sql: null } });

/** Counts of work by status, as in `progress` and `summary`. */
export const counts = (sql: string, statuses: readonly string[]): ViewField<Record<string, number>> => ({
  sql,
  schema: {
    type: 'object',
    additionalProperties: false,
    required: [...statuses],
    properties: Object.fromEntries(statuses.map((status) => [status, { type: 'integer' }])),
  },
});
