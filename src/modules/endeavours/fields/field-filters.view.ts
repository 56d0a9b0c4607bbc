import { escapeLiteral } from 'pg';
import type { DeclaredField, FieldKind } from '../../../common/declared-field.js';
import { isId } from '../../../common/ids.js';
import { parseDay } from '../../../common/time.js';
import { RESOURCE_REFERENCE } from '../../../platform/http/bodies/fields/links.js';
import { setFilter } from '../../../platform/listing/chosen-set.js';
import type { Filter, Sort } from '../../../platform/listing/definition.js';
import type { Parsed } from '../../../platform/http/requests/parsed.js';
import { textSort } from '../../../platform/listing/sorts.js';
import { MAX_NUMBER } from './field-values.rules.js';

/** SQL about the values of declared fields, for lists of the work that has them. */

/** A field of the endeavour whose work is listed. */
export interface ListedField {
  field: DeclaredField;
  endeavourId: string;
  kind: FieldKind;
  /** The name of the row of a task or demand. */
  row: string;
  /** Whether a job is still reading its values, so that lists read them from the rows instead. */
  isPending: boolean;
}

/** The length of what the database keeps of a text by itself (`declared_values`). */
const MAX_KEPT = 500;
const NUMBER = /^-?\d{1,16}(?:\.\d{1,15})?$/;

/** The columns of `field_values` that have values. */
type Column = 'text_value' | 'number_value' | 'day_value' | 'flag_value';

/** SQL: the values of the field of a row, as `v`, to which conditions can be added. */
function valuesOf({ field, endeavourId, kind, row, isPending }: ListedField): string {
  // Keys and ids have no character that SQL would read.
  if (!isPending) {
    return `field_values v WHERE v.entity_id = ${row}.id AND v.endeavour_id = '${endeavourId}' AND v.key = '${field.key}'`;
  }
  // A literal, because PostgreSQL does not inline a function with a subquery in its arguments.
  return `declared_values(${row}.metadata, ${escapeLiteral(JSON.stringify([field]))}::jsonb, '${kind}') v WHERE true`;
}

/** SQL: the values of the field in the endeavour, as `v`, of which each row has one at most. */
const valuesIn = ({ field: { key }, endeavourId }: ListedField, column: Column): string =>
  `(SELECT w.entity_id, w.${column} FROM field_values w WHERE w.endeavour_id = '${endeavourId}' AND w.key = '${key}'
    AND w.item = 0 AND w.${column} IS NOT NULL) v`;

/** The filters by a field: its values, and for numbers and days their range. */
export function fieldFilters(listed: ListedField): Record<string, Filter> {
  const { field } = listed;
  const name = `metadata.${field.key}`;
  const own = { [name]: valueFilter(listed) };
  switch (field.type) {
    case 'number':
      return {
        ...own,
        ...rangeFilters(listed, { column: 'number_value', type: 'double precision', parse: parseNumber }),
      };
    case 'day':
      return { ...own, ...rangeFilters(listed, { column: 'day_value', type: 'date', parse: parseDate }) };
    default:
      return own;
  }
}

function valueFilter(listed: ListedField): Filter {
  const { field, row } = listed;
  const description = `With these values of ${field.name}.`;
  const isUnset = `NOT EXISTS (SELECT 1 FROM ${valuesOf(listed)})`;
  const having = (column: Column, value: string): string =>
    `EXISTS (SELECT 1 FROM ${valuesOf(listed)} AND v.${column} ${value})`;
  // Literals, because the planner has to know how many rows have the value; each was read as one of its type.
  const amongLiterals = (column: Column, type: string) => (wanted: readonly string[]) =>
    having(column, `= ANY(ARRAY[${wanted.map((value) => escapeLiteral(value)).join(', ')}]::${type}[])`);
  switch (field.type) {
    case 'number':
      return setFilter({
        item: { type: 'number' },
        description,
        isUnset,
        errorOf: errorOf(parseNumber),
        match: amongLiterals('number_value', 'double precision'),
      });
    case 'day':
      return setFilter({
        item: { type: 'string', format: 'date' },
        description,
        isUnset,
        errorOf: errorOf(parseDate),
        match: amongLiterals('day_value', 'date'),
      });
    case 'flag':
      return setFilter({
        item: { type: 'boolean' },
        description,
        isUnset,
        errorOf: errorOfOption(['true', 'false']),
        match: amongLiterals('flag_value', 'boolean'),
      });
    case 'choice':
    case 'choices':
      return setFilter({
        item: { type: 'string', enum: [...field.options] },
        description,
        isUnset,
        errorOf: errorOfOption(field.options),
        match: amongLiterals('text_value', 'text'),
      });
    case 'person':
      return setFilter({
        item: { ...RESOURCE_REFERENCE, examples: ['me'] },
        description,
        isUnset,
        errorOf: (value) =>
          value === 'me' || isId('resource', value)
            ? undefined
            : { code: 'invalid_format', message: 'Must be the id of a resource (res_...), or me.' },
        match(wanted, p) {
          const others = p.bind(wanted.filter((id) => id !== 'me'));
          const mine = wanted.includes('me') ? ` || ${p.myResource()}::text` : '';
          return having('text_value', `= ANY(${others}::text[]${mine})`);
        },
      });
    case 'url':
      return setFilter({
        item: { type: 'string' },
        description,
        isUnset,
        match(wanted, p) {
          const beginnings = wanted.map((value) => Array.from(value).slice(0, MAX_KEPT).join(''));
          const whole = `${row}.metadata ->> '${field.key}' = ANY(${p.bind(wanted)}::text[])`;
          return `(${having('text_value', `= ANY(${p.bind(beginnings)}::text[])`)} AND ${whole})`;
        },
      });
    case 'text':
      return setFilter({
        item: { type: 'string' },
        description,
        isUnset,
        match: (wanted, p) => having('text_value', `= ANY(${p.bind(wanted)}::text[])`),
      });
  }
}

interface RangeRules {
  column: Column;
  type: string;
  parse: (raw: string) => Parsed;
}

/** A limit of a range. Parameters include it; expressions can exclude it. */
interface Limit {
  limit: string;
  isExcluded?: true;
}

/** `metadata.score.min` and `metadata.score.max`, both inclusive, by which expressions compare too. */
function rangeFilters(listed: ListedField, { column, type, parse }: RangeRules): Record<string, Filter> {
  const name = `metadata.${listed.field.key}`;
  const excluded = ({ limit }: Limit): Limit => ({ limit, isExcluded: true });
  const filterFor = (side: 'from' | 'below'): Filter => ({
    schema: { type: type === 'date' ? 'string' : 'number' },
    description: side === 'from' ? 'At least this value.' : 'At most this value.',
    range: {
      of: name,
      side,
      next: side === 'from' ? excluded : (limit: Limit) => limit,
      ...(side === 'below' && { strictly: excluded }),
    },
    parse(raw) {
      const parsed = parse(raw.trim());
      return 'value' in parsed ? { value: { limit: String(parsed.value) } } : parsed;
    },
    where({ limit, isExcluded }: Limit) {
      const operator = `${side === 'from' ? '>' : '<'}${isExcluded === true ? '' : '='}`;
      return `EXISTS (SELECT 1 FROM ${valuesOf(listed)} AND v.${column} ${operator} ${escapeLiteral(limit)}::${type})`;
    },
  });
  return { [`${name}.min`]: filterFor('from'), [`${name}.max`]: filterFor('below') };
}

function parseNumber(raw: string): Parsed {
  if (!NUMBER.test(raw)) return { code: 'invalid_type', message: 'Must be a number, such as 3 or -0.5.' };
  if (Math.abs(Number(raw)) <= MAX_NUMBER) return { value: raw };
  return { code: 'out_of_range', message: `Must be between ${-MAX_NUMBER} and ${MAX_NUMBER}.` };
}

const parseDate = (raw: string): Parsed =>
  parseDay(raw) === undefined ? { code: 'invalid_date', message: 'Must be a day (YYYY-MM-DD).' } : { value: raw };

const errorOf = (parse: (raw: string) => Parsed) => (value: string) => {
  const parsed = parse(value);
  return 'value' in parsed ? undefined : parsed;
};

const errorOfOption = (options: readonly string[]) => (value: string) =>
  options.includes(value)
    ? undefined
    : ({ code: 'invalid_value', message: `Must be one of ${options.join(', ')}.`, allowed: options } as const);

/** Sorts by a field: a choice by the order of the options. Lists of choices and people have no order. */
export function fieldSort(listed: ListedField): Sort | undefined {
  const value = (sql: string): string => `(SELECT ${sql} FROM ${valuesOf(listed)} AND v.item = 0)`;
  const indexed = (column: Column): Pick<Sort, 'values'> =>
    listed.isPending ? {} : { values: { from: valuesIn(listed, column), id: 'v.entity_id', sql: `v.${column}` } };
  const { type } = listed.field;
  switch (type) {
    case 'text':
    case 'url':
      return { ...textSort(value('v.text_value')), nullable: true, signedAs: 'text' };
    case 'number':
    case 'choice':
      return {
        sql: value('v.number_value'),
        type: 'double precision',
        nullable: true,
        signedAs: 'number',
        ...indexed('number_value'),
      };
    case 'day':
      return { sql: value('v.day_value'), type: 'date', nullable: true, signedAs: 'day', ...indexed('day_value') };
    case 'flag':
      return { sql: value('v.flag_value::integer'), type: 'integer', nullable: true, signedAs: 'flag' };
    default:
      return undefined;
  }
}
