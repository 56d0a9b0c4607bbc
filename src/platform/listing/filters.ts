import { ANY_ID, RESOURCE_REFERENCE } from '../http/fields/links.js';
import { areUnknownFieldsIgnored } from '../http/unknown-fields.js';
import type { Filter, Parsed, Statement } from './definition.js';

const splitSet = (raw: string): string[] => raw.split(',').map((item) => item.trim());

/** Filters by values of a closed set; unknown values are rejected. */
export function oneOfFilter(column: string, values: readonly string[], hidden: readonly string[] = []): Filter {
  return {
    schema: { type: 'array', items: { type: 'string', enum: [...values, ...values.map((value) => `!${value}`)] } },
    description:
      'Any of these values; with ! before each, none of them.' +
      (hidden.length > 0 ? ` By default, ${hidden.join(', ')} is excluded.` : ''),
    parse(raw) {
      const sent = splitSet(raw);
      const unwanted = sent.filter((value) => value.startsWith('!')).map((value) => value.slice(1));
      const named = sent.filter((value) => !value.startsWith('!'));
      const isKnown = (value: string): boolean => values.includes(value);
      // Clients written for another server may send statuses that do not exist here: these match nothing.
      if ([...named, ...unwanted].every(isKnown) || areUnknownFieldsIgnored()) {
        const wanted = named.length > 0 ? named.filter(isKnown) : values.filter((value) => !hidden.includes(value));
        return { value: wanted.filter((value) => !unwanted.includes(value)) };
      }
      return { code: 'invalid_value', message: `Must be one of ${values.join(', ')}.`, allowed: values };
    },
    where: (wanted: string[], { bind }) => among(column, wanted, bind),
  };
}

/** A single value is compared with `=`, because the planner cannot estimate the length of an array. */
const among = (column: string, wanted: string[], bind: Statement['bind']): string =>
  wanted.length === 1 ? `${column} = ${bind(wanted[0])}` : `${column} = ANY(${bind(wanted)}::text[])`;

/** Filters by words of an open set. */
export function wordFilter(column: string, description: string): Filter {
  return {
    schema: { type: 'array', items: { type: 'string' } },
    description,
    parse: (raw) => ({ value: splitSet(raw) }),
    where: (wanted: string[], { bind }) => among(column, wanted, bind),
  };
}

/** Filters by referenced ids. Absent and invisible ids match nothing. */
export function idFilter(column: string, description: string): Filter {
  return { ...wordFilter(column, description), schema: { type: 'array', items: ANY_ID } };
}

/** Like {@link idFilter} for columns that reference a resource: also accepts `me` and `usr_` ids. */
export function resourceFilter(column: string, description: string, { withTeams = false } = {}): Filter {
  return {
    schema: { type: 'array', items: { ...RESOURCE_REFERENCE, examples: ['me'] } },
    description: `${description} A res_ id, a usr_ id, or me${withTeams ? ' (which includes your teams)' : ''}.`,
    parse: (raw) => ({ value: splitSet(raw) }),
    where(wanted: string[], statement) {
      const ids = statement.bind(wanted.filter((id) => id !== 'me'));
      const meant = [
        `SELECT unnest(${ids}::text[])`,
        `SELECT u.resource_id FROM users u WHERE u.id = ANY(${ids}::text[])`,
        ...(wanted.includes('me') ? mine(statement, withTeams) : []),
      ];
      // An array that is computed once, so that an index on the column can be used.
      return `${column} = ANY(ARRAY(${meant.join(' UNION ALL ')}))`;
    },
  };
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

export function parseFlag(raw: string): Parsed {
  if (['true', '1', ''].includes(raw)) return { value: true };
  if (['false', '0'].includes(raw)) return { value: false };
  return { code: 'invalid_value', message: 'Must be true or false.', allowed: ['true', 'false'] };
}
