import type { Kind } from '../../common/kinds.js';
import { KINDS } from '../../common/kinds.js';
import { isId } from '../../common/ids.js';
import { isKeyedKind } from '../../common/work-keys.js';
import { ANY_ID, ANY_REFERENCE, referenceTo, RESOURCE_REFERENCE } from '../http/bodies/fields/links.js';
import { setFilter, splitChosen, type MatchValues } from './chosen-set.js';
import type { Filter, Statement } from './definition.js';
import { parseFlag } from '../http/requests/parsed.js';

/** Filters by values of a closed set; unknown values are rejected. */
export function oneOfFilter(
  column: string | MatchValues,
  values: readonly string[],
  { hidden = [], isUnset }: { hidden?: readonly string[]; isUnset?: string } = {},
): Filter {
  const isKnown = (value: string): boolean => values.includes(value);
  const filter = setFilter({
    item: { type: 'string', enum: [...values] },
    description:
      `Values: ${values.join(', ')}.` + (hidden.length > 0 ? ` By default, ${hidden.join(', ')} is excluded.` : ''),
    match: matchOf(column),
    isUnset,
    errorOf: (value) =>
      isKnown(value)
        ? undefined
        : { code: 'invalid_value', message: `Must be one of ${values.join(', ')}.`, allowed: values },
  });
  if (isUnset !== undefined || typeof column !== 'string') return filter;
  // The remaining values instead of the excluded ones, so that an index on the column can be used.
  return {
    ...filter,
    parse(raw) {
      const chosen = splitChosen(raw);
      if (!('values' in chosen) || !chosen.isExcluded) return filter.parse(raw);
      const parsed = filter.parse(chosen.values.join(','));
      if (!('value' in parsed)) return parsed;
      const unwanted = parsed.value as string[];
      return { value: values.filter((value) => !unwanted.includes(value) && !hidden.includes(value)) };
    },
  };
}

/** A single value is compared with `=`, because the planner cannot estimate the length of an array. */
const among = (column: string, wanted: string[], bind: Statement['bind']): string =>
  wanted.length === 1 ? `${column} = ${bind(wanted[0])}` : `${column} = ANY(${bind(wanted)}::text[])`;

/** The condition for a column, unless the feature has one of its own. */
const matchOf = (column: string | MatchValues): MatchValues =>
  typeof column === 'string' ? (wanted, { bind }) => among(column, wanted, bind) : column;

interface SetOptions {
  /** SQL: whether a row has no value, for properties that can be unset. */
  isUnset?: string;
}

/** Filters by words of an open set. */
export function wordFilter(column: string | MatchValues, description: string, { isUnset }: SetOptions = {}): Filter {
  return setFilter({ item: { type: 'string' }, description, match: matchOf(column), isUnset });
}

/** Filters by referenced ids of one or several kinds. Absent and invisible ids match nothing. */
export function idFilter(
  column: string | MatchValues,
  kinds: Kind | readonly Kind[],
  description: string,
  { isUnset }: SetOptions = {},
): Filter {
  const accepted = typeof kinds === 'string' ? [kinds] : kinds;
  const filter = setFilter({
    item: accepted.length === 1 ? referenceTo(accepted[0]) : accepted.some(isKeyedKind) ? ANY_REFERENCE : ANY_ID,
    description,
    match: matchOf(column),
    isUnset,
    errorOf: (value) =>
      accepted.some((kind) => isId(kind, value))
        ? undefined
        : { code: 'invalid_format', message: `Must be an id (${prefixesOf(accepted)}).` },
  });
  return { ...filter, kinds: accepted };
}

/** The kinds of ids that can stand for any entity. */
export const ANY_KIND = Object.keys(KINDS) as Kind[];

const prefixesOf = (kinds: readonly Kind[]): string =>
  kinds.length > 3
    ? 'three letters, _ and 32 hexadecimal digits'
    : kinds.map((kind) => `${KINDS[kind]}_...`).join(', ');

/** Like {@link idFilter} for columns that reference a resource: also accepts `me` and `usr_` ids. */
export function resourceFilter(
  column: string,
  description: string,
  { withTeams = false, isUnset }: SetOptions & { withTeams?: boolean } = {},
): Filter {
  return setFilter({
    item: { ...RESOURCE_REFERENCE, examples: ['me'] },
    description: `${description} A res_ id, a usr_ id, or me${withTeams ? ' (which includes your teams)' : ''}.`,
    isUnset,
    errorOf: (value) =>
      value === 'me' || isId('resource', value) || isId('user', value)
        ? undefined
        : { code: 'invalid_format', message: 'Must be the id of a resource (res_...) or a user (usr_...), or me.' },
    match(wanted, statement) {
      const ids = statement.bind(wanted.filter((id) => id !== 'me'));
      const meant = [
        `SELECT unnest(${ids}::text[])`,
        `SELECT u.resource_id FROM users u WHERE u.id = ANY(${ids}::text[])`,
        ...(wanted.includes('me') ? mine(statement, withTeams) : []),
      ];
      // An array that is computed once, so that an index on the column can be used.
      return `${column} = ANY(ARRAY(${meant.join(' UNION ALL ')}))`;
    },
  });
}

function mine(statement: Statement, withTeams: boolean): string[] {
  const resource = statement.myResource();
  const teams = `SELECT m.team_id FROM team_members m WHERE m.resource_id = ${resource}`;
  return [`SELECT ${resource}::text`, ...(withTeams ? [teams] : [])];
}

/** A flag: `true`, `1` or empty for yes, `false` or `0` for no. */
export function flagFilter(yes: string, no: string, description: string): Filter {
  return {
    schema: { type: 'boolean' },
    description,
    parse: parseFlag,
    isFlag: true,
    where: (wanted: boolean) => (wanted ? yes : no),
  };
}
