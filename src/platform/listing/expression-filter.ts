import type { Filter, ListRequest, Statement } from './definition.js';
import type { Parsed } from '../http/requests/parsed.js';
import {
  ExpressionError,
  parseExpression,
  type Comparison,
  type Expression,
  type Operator,
} from './expression-syntax.js';

/** A condition of an expression: a parameter of the list, and its parsed value. */
interface Condition {
  name: string;
  filter: Filter;
  value: unknown;
}

/** The operators that compare with single values, also of a property that has an order. */
const EQUALITY: readonly Operator[] = ['=', '!=', ':'];

type Conditions = Condition | { all: Conditions[] } | { any: Conditions[] } | { not: Conditions };

/** The parameter that combines others. */
const EXPRESSION = 'filter';

const MAX_LENGTH = 4_000;

const DESCRIPTION =
  'An expression over the parameters of this list and its dates (AIP-160), such as ' +
  '`status = "active" AND (assignee_id = me OR overdue = true) AND NOT due_date < "2026-12-01"`. Operators: =, !=, :, ' +
  'and for dates <, <=, >, >=; `name:*` asks for any value. OR binds more than AND. At most 10 levels and 50 comparisons.';

/** Adds the parameter `filter`, whose expression combines the other filters. */
export function withExpression(filters: Record<string, Filter>): Record<string, Filter> {
  return { ...filters, [EXPRESSION]: expressionFilter(filters) };
}

function expressionFilter(filters: Record<string, Filter>): Filter {
  const reader = new ConditionReader(filters);
  return {
    schema: { type: 'string', maxLength: MAX_LENGTH, examples: ['status = "active" AND NOT assignee_id = me'] },
    description: DESCRIPTION,
    parse: (raw) => parsed(raw, reader),
    combines: filters,
    spread,
    where: sqlOf,
  };
}

function parsed(raw: string, reader: ConditionReader): Parsed {
  if (raw.length > MAX_LENGTH) return { code: 'too_long', message: `Must have at most ${MAX_LENGTH} characters.` };
  try {
    return { value: reader.read(parseExpression(raw)) };
  } catch (error) {
    if (error instanceof ExpressionError) return { code: 'invalid_format', message: error.message };
    throw error;
  }
}

/**
 * Adds a value of a parameter to the filters of a request. Several values of one parameter must all hold: the first is
 * that of the parameter, and the expression has the others.
 */
export function narrow(filters: Map<string, unknown>, name: string, filter: Filter, value: unknown): void {
  addToExpression(
    filters,
    spread(filter.combines === undefined ? { name, filter, value } : (value as Conditions), filters),
  );
}

type Where = (statement: Statement, request: Pick<ListRequest, 'filters'>) => string;

/** Adds a condition that is no value of a parameter. */
export function addCondition(filters: Map<string, unknown>, where: Where): void {
  const parse = () => ({ value: true });
  const filter: Filter = { schema: {}, description: '', parse, where: (_, p, request) => where(p, request) };
  addToExpression(filters, { all: [{ name: '', filter, value: true }] });
}

function addToExpression(filters: Map<string, unknown>, added: Conditions | undefined): void {
  if (added === undefined) return;
  const others = filters.get(EXPRESSION) as Conditions | undefined;
  filters.set(EXPRESSION, others === undefined ? added : { all: [others, added] });
}

/** The conditions that must all hold and that no parameter restricts yet become parameters, so that they cost the same. */
function spread(conditions: Conditions, sent: Map<string, unknown>): Conditions | undefined {
  const rest: Conditions[] = [];
  for (const each of 'all' in conditions ? conditions.all : [conditions]) {
    if ('name' in each && !sent.has(each.name)) sent.set(each.name, each.value);
    else rest.push(each);
  }
  return rest.length === 0 ? undefined : { all: rest };
}

function sqlOf(conditions: Conditions, statement: Statement, request: Pick<ListRequest, 'filters'>): string {
  const sql = (each: Conditions): string => sqlOf(each, statement, request);
  if ('all' in conditions) return conditions.all.map(sql).join(' AND ');
  if ('any' in conditions) return `(${conditions.any.map((each) => `(${sql(each)})`).join(' OR ')})`;
  if ('not' in conditions) return `(${sql(conditions.not)}) IS NOT TRUE`;
  return conditions.filter.where?.(conditions.value as never, statement, request) ?? 'true';
}

/** Finds the parameters that the comparisons of an expression mean. */
class ConditionReader {
  private readonly filters: Map<string, Filter>;
  /** The parameters that compare a property: from a value on, and below it. */
  private readonly ranges = new Map<string, Partial<Record<'from' | 'below', string>>>();

  constructor(filters: Record<string, Filter>) {
    this.filters = new Map(Object.entries(filters).filter(([, filter]) => filter.where !== undefined));
    for (const [name, { range }] of this.filters) {
      if (range !== undefined) this.ranges.set(range.of, { ...this.ranges.get(range.of), [range.side]: name });
    }
  }

  read(expression: Expression): Conditions {
    if ('all' in expression) return { all: expression.all.flatMap((each) => conjunctsOf(this.read(each))) };
    if ('any' in expression) return { any: expression.any.map((each) => this.read(each)) };
    if ('not' in expression) return { not: this.read(expression.not) };
    const range = this.ranges.get(expression.name);
    const isMatched =
      range === undefined || (this.filters.has(expression.name) && EQUALITY.includes(expression.operator));
    return isMatched ? this.match(expression) : this.compare(expression, range);
  }

  private match({ name, operator, value, at }: Comparison): Conditions {
    const filter = this.filters.get(name);
    if (filter === undefined) {
      const names = [...this.filters.keys(), ...this.ranges.keys()];
      throw new ExpressionError(at, `${name} is not one of ${names.join(', ')}.`);
    }
    if (operator === '!=') return { not: this.conditionOf(name, value, at) };
    if (operator === ':' && value === '*') return { not: this.conditionOf(name, 'none', at) };
    if (operator === '=' || operator === ':') return this.conditionOf(name, value, at);
    throw new ExpressionError(at, `${name} has no order; compare it with =, != or :.`);
  }

  private compare(
    { name, operator, value, at }: Comparison,
    { from = '', below = '' }: Partial<Record<'from' | 'below', string>>,
  ): Conditions {
    if (operator === ':' && value === '*')
      throw new ExpressionError(at, `${name} is compared with =, !=, <, <=, > or >=.`);
    const [first, limit] = [this.conditionOf(from, value, at), this.conditionOf(below, value, at)];
    const beyond = (condition: Condition): Condition => ({
      ...condition,
      value: condition.filter.range?.next(condition.value as never),
    });
    switch (operator) {
      case '<':
        return { ...limit, value: limit.filter.range?.strictly?.(limit.value as never) ?? limit.value };
      case '<=':
        return beyond(limit);
      case '>':
        return beyond(first);
      case '>=':
        return first;
      case '!=':
        return { not: { all: [first, beyond(limit)] } };
      default:
        return { all: [first, beyond(limit)] };
    }
  }

  private conditionOf(name: string, raw: string, at: number): Condition {
    const filter = this.filters.get(name) as Filter;
    if (filter.schema.type === 'array' && /^\s*!|,/.test(raw)) {
      throw new ExpressionError(
        at,
        `${name} is compared with one value; combine several with OR, and exclude with NOT.`,
      );
    }
    const read = raw === '' && filter.isFlag !== true ? missing : filter.parse(raw);
    if ('value' in read) return { name, filter, value: read.value };
    throw new ExpressionError(at, `${name}: ${read.message}`);
  }
}

const missing: Parsed = { code: 'required', message: 'Must have a value.' };

const conjunctsOf = (conditions: Conditions): Conditions[] => ('all' in conditions ? conditions.all : [conditions]);
