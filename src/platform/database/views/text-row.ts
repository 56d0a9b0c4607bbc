import {
  bindCallerId,
  selectableFields,
  wireTime,
  type FieldNames,
  type JsonSchema,
  type View,
  type ViewField,
} from './view.js';

/** A row with values as PostgreSQL text, in the order of the columns. */
export type TextRow = readonly (string | null)[];

/** Writes the value of a column as JSON. */
type Writer = (value: string) => string;

/** Converts rows of a view to JSON: the columns to select, and the code that assembles them. */
export interface TextColumns {
  /** SQL of the columns, over the view's alias and joins. */
  select: string;
  /** The JSON of a row whose columns begin at that index, identical to the JSON that PostgreSQL builds. */
  toJson(row: TextRow, first: number): string;
}

const verbatim: Writer = (value) => value;

/** For values that contain no character that JSON escapes. */
const quoted: Writer = (value) => `"${value}"`;

/** What JSON escapes; PostgreSQL has no lone surrogates. */
// oxlint-disable-next-line no-control-regex
const ESCAPED = /["\\\u0000-\u001f]/;

const WRITERS: Record<string, Writer> = {
  string: (value) => (ESCAPED.test(value) ? JSON.stringify(value) : quoted(value)),
  integer: verbatim,
  number: verbatim,
  boolean: (value) => (value === 't' ? 'true' : 'false'),
};

const wholeViews = new WeakMap<View, TextColumns>();

/**
 * Splits the work of building a representation: PostgreSQL sends plain columns, which costs it half as much as building
 * JSON, and the service writes them as JSON (docs/decisions/0046).
 */
export function textColumnsOf(view: View, fields?: FieldNames): TextColumns {
  if (fields !== undefined) return makeColumns(view, fields);
  const columns = wholeViews.get(view) ?? makeColumns(view);
  wholeViews.set(view, columns);
  return columns;
}

function makeColumns(view: View, fields?: FieldNames): TextColumns {
  const possible = fields === undefined ? view.fields : selectableFields(view);
  const shown = Object.entries(possible).filter(([name]) => fields?.includes(name) ?? true);
  const columns = shown.map(([, field]) => columnOf(field));
  const names = shown.map(([name], index) => `${index === 0 ? '' : ','}${JSON.stringify(name)}:`);
  const writers = columns.map(({ writer }) => writer);
  return {
    select: bindCallerId(columns.map(({ sql }, index) => `${sql} AS c${index}`).join(', ')),
    toJson(row, first) {
      let json = '{';
      for (let index = 0; index < writers.length; index += 1) {
        const value = row[first + index];
        json += names[index] + (value === null ? 'null' : writers[index](value));
      }
      return `${json}}`;
    },
  };
}

function columnOf({ sql, stored, schema, isPlain }: ViewField<unknown>): { sql: string; writer: Writer } {
  // Views that hide a time from some callers, or read it from another table, have other SQL for it.
  if (stored !== undefined && sql === wireTime(stored)) return { sql: stored, writer: timeToJson };
  const writer = isPlain ? quoted : WRITERS[typeOf(schema)];
  // PostgreSQL converts other types to JSON itself.
  return writer === undefined ? { sql: `to_json(${sql})`, writer: verbatim } : { sql, writer };
}

function typeOf({ type }: JsonSchema): string {
  const types = (Array.isArray(type) ? type : [type]).filter((name) => name !== 'null');
  return types.length === 1 ? String(types[0]) : '';
}

const ZONE = '+00';
const [DAY, CLOCK] = ['2026-01-02', '03:04:05'];
const SECONDS_END = DAY.length + 1 + CLOCK.length;

/** Converts a PostgreSQL time (`2026-01-02 03:04:05.6+00`; in UTC, as the role is configured) to the wire format. */
function timeToJson(value: string): string {
  if (!value.endsWith(ZONE)) throw new Error(`PostgreSQL sent a time that is not in UTC: ${value}`);
  const milliseconds = value
    .slice(SECONDS_END + 1, -ZONE.length)
    .padEnd(3, '0')
    .slice(0, 3);
  return `"${value.slice(0, DAY.length)}T${value.slice(DAY.length + 1, SECONDS_END)}.${milliseconds}Z"`;
}
