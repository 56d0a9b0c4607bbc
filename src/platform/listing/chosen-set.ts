import type { FieldCode } from '../../common/errors.js';
import { areUnknownFieldsIgnored } from '../context/unknown-fields.js';
import type { Filter, ListRequest, Statement } from './definition.js';
import type { Parsed } from '../http/requests/parsed.js';

/**
 * The values that a filter asks for (spec 01, Lists). A plain set is an array; a set that is excluded (`!a,b`), or that
 * includes rows without a value (`none`), is an object.
 */
export type ChosenSet = string[] | { values: string[]; isExcluded: boolean; includesUnset: boolean };

/** SQL: whether a row has one of the values, of which there is at least one. */
export type MatchValues = (values: string[], statement: Statement, request: Pick<ListRequest, 'filters'>) => string;

/** How the values of a filter are read and compared. */
interface SetRules {
  /** The schema of one value, without `!` and `none`. */
  item: Record<string, unknown>;
  description: string;
  match: MatchValues;
  /** SQL: whether a row has no value, for properties that can be unset. */
  isUnset?: string;
  /** What is wrong with a value; undefined if nothing is. */
  errorOf?: (value: string) => { code: FieldCode; message: string; allowed?: readonly string[] } | undefined;
}

const UNSET = 'none';
const EXCLUDE = '!';

/** A filter by a set of values, which can be excluded as a whole. */
export function setFilter({ item, description, match, isUnset, errorOf = () => undefined }: SetRules): Filter {
  const forms =
    `${description} One value, or several separated by commas. ! at the beginning excludes them.` +
    (isUnset === undefined ? '' : ' none means without a value.');
  return {
    schema: { type: 'array', items: itemSchema(item, isUnset !== undefined) },
    description: forms,
    parse: (raw) => parseSet(raw, { canBeUnset: isUnset !== undefined, errorOf }),
    where(chosen: ChosenSet, statement, request) {
      if (Array.isArray(chosen)) return chosen.length === 0 ? 'false' : match(chosen, statement, request);
      const { values, isExcluded, includesUnset } = chosen;
      const parts = [
        ...(values.length > 0 ? [match(values, statement, request)] : []),
        ...(includesUnset && isUnset !== undefined ? [isUnset] : []),
      ];
      const matches = parts.length === 0 ? 'false' : parts.map((part) => `(${part})`).join(' OR ');
      return isExcluded ? `(${matches}) IS NOT TRUE` : `(${matches})`;
    },
  };
}

/** Splits a set into its values; `!` excludes the whole set, so it can stand only at the beginning. */
export function splitChosen(raw: string): { values: string[]; isExcluded: boolean } | Parsed {
  const isExcluded = raw.trimStart().startsWith(EXCLUDE);
  const sent = (isExcluded ? raw.trimStart().slice(EXCLUDE.length) : raw).split(',').map((value) => value.trim());
  // Other servers repeat it before each value.
  const values = isExcluded && areUnknownFieldsIgnored() ? sent.map((value) => value.replace(/^!/, '')) : sent;
  if (!values.some((value) => value.startsWith(EXCLUDE))) return { values, isExcluded };
  return { code: 'invalid_value', message: '! excludes all values, and can stand only before the first one.' };
}

function parseSet(
  raw: string,
  { canBeUnset, errorOf }: { canBeUnset: boolean; errorOf: SetRules['errorOf'] & {} },
): Parsed {
  const chosen = splitChosen(raw);
  if (!('values' in chosen)) return chosen;
  const includesUnset = canBeUnset && chosen.values.includes(UNSET);
  const values = chosen.values.filter((value) => !includesUnset || value !== UNSET);
  const errors = values.map(errorOf).filter((error) => error !== undefined);
  // Clients written for another server may send values that cannot exist here: these match nothing.
  if (errors.length > 0 && !areUnknownFieldsIgnored()) return errors[0];
  const known = errors.length > 0 ? values.filter((value) => errorOf(value) === undefined) : values;
  if (!chosen.isExcluded && !includesUnset) return { value: known };
  return { value: { values: known, isExcluded: chosen.isExcluded, includesUnset } };
}

/** Each item also takes the form that excludes the set. */
function itemSchema(item: Record<string, unknown>, canBeUnset: boolean): Record<string, unknown> {
  const { enum: values, pattern, ...rest } = item;
  const unset = canBeUnset ? [UNSET] : [];
  if (Array.isArray(values)) {
    const all = [...values, ...unset];
    return { ...rest, enum: [...all, ...all.map((value) => `${EXCLUDE}${value}`)] };
  }
  if (typeof pattern !== 'string') return item;
  return { ...rest, pattern: `^!?(?:${[pattern.replaceAll(/^\^|\$$/g, ''), ...unset].join('|')})$` };
}

/** The filter for a parameter whose meaning depends on others, so that its values can only be included. */
export const includingOnly = (filter: Filter): Filter => ({
  ...filter,
  parse(raw) {
    const parsed = filter.parse(raw);
    if (!('value' in parsed) || Array.isArray(parsed.value)) return parsed;
    return { code: 'invalid_value', message: 'Values can only be included here, without ! and none.' };
  },
});
