import { parseInstant } from '../../../common/time.js';
import { invalid, type ScimError } from './scim-error.js';
import type { AttributePath, ScimFilter, FilterOperator, FilterValue } from './scim-filter.js';

/** Adds a parameter to the statement, and returns its placeholder. */
export type Bind = (value: unknown) => string;

/** An attribute as SQL; `text` is compared without regard to case. */
interface Column {
  sql: string;
  type: 'text' | 'exact' | 'boolean' | 'time';
}

type Columns = Readonly<Record<string, Column>>;

/** What resources can be filtered by. */
export interface Filterable {
  /** By the attribute in lower case, with its part. */
  columns: Columns;
  /** Attributes with several values: their parts, and SQL for whether there is an element that meets a condition. */
  lists: Readonly<Record<string, { columns: Columns; exists: (condition: string) => string }>>;
  /** The attributes, for the message about others. */
  names: string;
}

/** SQL: whether the resource meets the filter; never null, so that `not` means what it says. */
export function scimCondition(filter: ScimFilter, filterable: Filterable, bind: Bind): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return joined(filter, (part) => scimCondition(part, filterable, bind));
    case 'not':
      return `NOT ${scimCondition(filter.part, filterable, bind)}`;
    case 'element': {
      const list = listOf(filterable, filter.attribute);
      if (list === undefined) throw unknown(filter.attribute, filterable);
      return list.exists(elementCondition(filter.filter, list.columns, filterable, bind));
    }
    case 'compare': {
      const list = listOf(filterable, filter.path.attribute);
      if (list !== undefined) return listCondition(filter, list, filterable, bind);
      return comparison(columnOf(filterable.columns, filter.path, filterable), filter.operator, filter.value, bind);
    }
  }
}

type Parts = Extract<ScimFilter, { kind: 'and' | 'or' }>;
type Comparison = Extract<ScimFilter, { kind: 'compare' }>;
type List = Filterable['lists'][string];

const joined = ({ kind, parts }: Parts, condition: (part: ScimFilter) => string): string =>
  `(${parts.map(condition).join(` ${kind.toUpperCase()} `)})`;

const listOf = ({ lists }: Filterable, attribute: string): List | undefined =>
  Object.hasOwn(lists, attribute) ? lists[attribute] : undefined;

/** A comparison of all elements: one must meet it, or with `ne` none may be equal. */
function listCondition({ path, operator, value }: Comparison, list: List, filterable: Filterable, bind: Bind): string {
  if (operator === 'pr' && path.sub === undefined) return list.exists('true');
  const column = columnOf(list.columns, { attribute: path.sub ?? 'value' }, filterable);
  if (operator === 'ne') return `NOT ${list.exists(comparison(column, 'eq', value, bind))}`;
  return list.exists(comparison(column, operator, value, bind));
}

function elementCondition(filter: ScimFilter, columns: Columns, filterable: Filterable, bind: Bind): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return joined(filter, (part) => elementCondition(part, columns, filterable, bind));
    case 'not':
      return `NOT ${elementCondition(filter.part, columns, filterable, bind)}`;
    case 'element':
      throw unknown(filter.attribute, filterable);
    case 'compare':
      return comparison(columnOf(columns, filter.path, filterable), filter.operator, filter.value, bind);
  }
}

function columnOf(columns: Columns, { attribute, sub }: AttributePath, filterable: Filterable): Column {
  const name = sub === undefined ? attribute : `${attribute}.${sub}`;
  if (Object.hasOwn(columns, name)) return columns[name];
  throw unknown(name, filterable);
}

const unknown = (name: string, { names }: Filterable): ScimError =>
  invalid('invalidFilter', `The filter cannot use ${name}. It can use ${names}.`);

function comparison({ sql, type }: Column, operator: FilterOperator, value: FilterValue = null, bind: Bind): string {
  if (operator === 'pr')
    return type === 'text' || type === 'exact' ? `coalesce(${sql}, '') <> ''` : `${sql} IS NOT NULL`;
  if (value === null) return nullComparison(sql, operator);
  if (type === 'boolean') return booleanComparison(sql, operator, value, bind);
  if (type === 'time') return timeComparison(sql, operator, value, bind);
  if (typeof value !== 'string') throw invalid('invalidFilter', 'The filter needs a text in double quotes here.');
  const [left, right] =
    type === 'text' ? [`lower(${sql})`, `lower(${bind(value)}::text)`] : [sql, `${bind(value)}::text`];
  const condition = textComparison(left, right, operator);
  // In a form that an index serves.
  return operator === 'ne' ? `(${sql} IS NULL OR ${condition})` : `(${sql} IS NOT NULL AND ${condition})`;
}

function textComparison(left: string, right: string, operator: FilterOperator): string {
  switch (operator) {
    case 'co':
      return `strpos(${left}, ${right}) > 0`;
    case 'sw':
      return `starts_with(${left}, ${right})`;
    case 'ew':
      return `right(${left}, length(${right})) = ${right}`;
    default:
      return `${left} ${SYMBOLS[operator]} ${right}`;
  }
}

const SYMBOLS: Readonly<Partial<Record<FilterOperator, string>>> = {
  eq: '=',
  ne: '<>',
  gt: '>',
  ge: '>=',
  lt: '<',
  le: '<=',
};

function nullComparison(sql: string, operator: FilterOperator): string {
  if (operator === 'eq') return `${sql} IS NULL`;
  if (operator === 'ne') return `${sql} IS NOT NULL`;
  throw invalid('invalidFilter', 'null can only be compared with eq and ne.');
}

function booleanComparison(sql: string, operator: FilterOperator, value: FilterValue, bind: Bind): string {
  const text = String(value).toLowerCase();
  if (!['true', 'false'].includes(text) || !['eq', 'ne'].includes(operator))
    throw invalid('invalidFilter', 'This attribute can only be compared with true or false, by eq or ne.');
  return `coalesce(${sql}, false) ${SYMBOLS[operator]} ${bind(text === 'true')}::boolean`;
}

function timeComparison(sql: string, operator: FilterOperator, value: FilterValue, bind: Bind): string {
  const instant = typeof value === 'string' ? parseInstant(value) : undefined;
  if (instant === undefined || SYMBOLS[operator] === undefined)
    throw invalid('invalidFilter', 'The filter needs a time such as "2026-05-01T12:00:00Z" here, and no co, sw or ew.');
  return `${sql} ${SYMBOLS[operator]} ${bind(instant)}::timestamptz`;
}
