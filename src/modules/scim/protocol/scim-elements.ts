import { invalid } from './scim-error.js';
import type { FilterOperator, FilterValue, ScimFilter } from './scim-filter.js';

/** Comparisons of elements, about 30 ms of them. */
const MAX_STEPS = 100_000;
/** The letters that are compared in the time of one step. */
const LETTERS_PER_STEP = 100;

/** Bounds how long the changes of one request can be computed, during which no other request is served. */
export class Effort {
  private left = MAX_STEPS;

  /** 400 `tooMany` if the request takes more. */
  spend(steps: number): void {
    this.left -= steps;
    if (this.left >= 0) return;
    throw invalid('tooMany', 'The operations compare too many elements; send fewer of them at a time.');
  }
}

/** An element of a list, such as one e-mail address. */
export type Element = Readonly<Record<string, unknown>>;

const propertyOf = (element: Element, name: string): unknown =>
  Object.entries(element).find(([key]) => key.toLowerCase() === name)?.[1];

/** Whether the element meets the filter of a path. */
export function matchesElement(element: Element, filter: ScimFilter, effort: Effort): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => matchesElement(element, part, effort));
    case 'or':
      return filter.parts.some((part) => matchesElement(element, part, effort));
    case 'not':
      return !matchesElement(element, filter.part, effort);
    case 'element':
      return false;
    case 'compare':
      effort.spend(1 + String(filter.value).length / LETTERS_PER_STEP);
      return compares(propertyOf(element, filter.path.attribute), filter.operator, filter.value);
  }
}

function compares(actual: unknown, operator: FilterOperator, value: FilterValue = null): boolean {
  if (operator === 'pr') return actual !== undefined && actual !== null && actual !== '';
  const fold = (one: unknown): unknown => (typeof one === 'string' ? one.toLowerCase() : (one ?? null));
  const [left, right] = [fold(actual), fold(value)];
  if (operator === 'eq') return left === right;
  if (operator === 'ne') return left !== right;
  if (typeof left !== 'string' || typeof right !== 'string') return false;
  switch (operator) {
    case 'co':
      return left.includes(right);
    case 'sw':
      return left.startsWith(right);
    case 'ew':
      return left.endsWith(right);
    case 'gt':
      return left > right;
    case 'ge':
      return left >= right;
    case 'lt':
      return left < right;
    case 'le':
      return left <= right;
  }
}

/** The texts that an `eq` requires in every element that the filter selects, as a new element has them. */
export function requiredBy(filter: ScimFilter): Record<string, FilterValue> {
  if (filter.kind === 'and') return Object.assign({}, ...filter.parts.map(requiredBy)) as Record<string, FilterValue>;
  if (filter.kind !== 'compare' || filter.operator !== 'eq' || filter.value === undefined) return {};
  return { [filter.path.attribute]: filter.value };
}
