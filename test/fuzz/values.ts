import fc from 'fast-check';
import { KINDS, type Kind } from '../../src/common/kinds.js';
import { HINTS } from './hints.js';
import type { Schema } from './operations.js';
import { idOf, mostly } from './choices.js';

const OF_ID = /\(\?:([a-z|]+)\)_\[0-9a-f\]\{32\}/;
const ALL_KINDS = Object.keys(KINDS) as Kind[];
const LONGEST = 400;

export const kindsOf = (prefixes: string): Kind[] => {
  const wanted = prefixes.split('|');
  return ALL_KINDS.filter((kind) => wanted.includes(KINDS[kind]));
};

const WORDS = [
  'gate',
  'Zaun',
  'größer',
  'façade',
  '花園',
  '🪴',
  'a%b_c\\d',
  "O'Hara",
  '{{ x }}',
  '@Ann',
  '<b>',
  '-',
  '1',
];
const sentence = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }).map((words) => words.join(' '));
const graphemes = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });

const DAYS = ['2026-11-20', '2028-02-29', '1970-01-01', '9999-12-31', '2026-03-29', '2000-12-31'];
const TIMES = ['', '', 'T10:00:00Z', 'T10:00:00.123+02:00', 't23:59:59.999999999z', 'T02:30:00-12:00'];
export const moment = fc
  .tuple(fc.constantFrom(...DAYS), fc.constantFrom(...TIMES))
  .map(([day, time]) => `${day}${time}`);
const later = fc.constantFrom('2030-01-01T00:00:00Z', '2099-12-31T23:59:59.999+14:00', '9999-12-31T23:59:59Z');
const LINKS = [
  'https://example.com/plan.pdf',
  'http://[::1]:8080/?q=%20#x',
  'https://bücher.example/ß',
  'HTTP://EXAMPLE.COM',
];

const leaf = fc.oneof(
  sentence,
  fc.integer(),
  // Numbers with more digits are rejected.
  fc.double({ noNaN: true, min: -1e15, max: 1e15 }).map((number) => Number(number.toPrecision(15))),
  fc.boolean(),
  fc.constant(null),
);
const KEYS = ['a', 'b', 'owner', 'größe', 'constructor', '__proto__', 'toString', 'a.b', '0', '$where', ''];
const jsonObject = fc
  .array(fc.tuple(fc.constantFrom(...KEYS), fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }))), { maxLength: 4 })
  .map((entries) => Object.fromEntries(entries));

/** Values that the schema allows; the name of the property selects hints for better ones. */
export function valueOf(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  const { type = 'object' } = schema;
  const types = Array.isArray(type) ? type : [type];
  const value = definiteValueOf(schema, types[0], name);
  return types.includes('null') ? mostly(88, value, fc.constant(null)) : value;
}

function definiteValueOf(schema: Schema, type: string, name: string): fc.Arbitrary<unknown> {
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((one) => valueOf(one, name)));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum.filter((value) => value !== null));
  if (type === 'string') return textOf(schema, name);
  if (type === 'number' || type === 'integer') return numberOf(schema, type);
  if (type === 'boolean') return fc.boolean();
  if (type === 'array') return listOf(schema, name);
  return objectOf(schema, name);
}

function listOf({ items = {}, minItems = 0, maxItems = 50 }: Schema, name: string): fc.Arbitrary<unknown> {
  return fc.array(valueOf(items, name), { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) });
}

function objectOf({ properties, required = [] }: Schema, name: string): fc.Arbitrary<unknown> {
  const hinted = HINTS[name];
  if (hinted !== undefined) return mostly(85, hinted, jsonObject);
  if (properties === undefined) return jsonObject;
  return recordOf(properties, required);
}

/** An object with the required properties, and each of the others in about a third of the cases. */
export function recordOf(properties: Record<string, Schema>, required: string[] = []): fc.Arbitrary<object> {
  const entries = Object.entries(properties).map(([name, schema]) => {
    const entry = valueOf(schema, name).map((value): [string, unknown] | undefined => [name, value]);
    return required.includes(name) ? entry : mostly(64, fc.constant(undefined), entry);
  });
  return fc.tuple(...entries).map((found) => Object.fromEntries(found.filter((entry) => entry !== undefined)));
}

function numberOf({ minimum = -1e9, maximum = 1e9 }: Schema, type: string): fc.Arbitrary<number> {
  if (type === 'integer') return fc.integer({ min: minimum, max: Math.min(maximum, minimum + 200) });
  return fc.oneof(
    fc.integer({ min: minimum, max: maximum }),
    fc.integer({ min: 0, max: 99_999 }).map((part) => part / 10_000),
    fc.constantFrom(minimum, maximum),
  );
}

const BATCH_PATHS = ['tasks', 'demands', 'tasks/$a.id', 'comments/cmt_0', 'auth/logout', 'batch', 'nothing'].map(
  (path) => `/api/v1/${path}`,
);

function textOf(schema: Schema, name: string): fc.Arbitrary<unknown> {
  const prefixes = OF_ID.exec(schema.pattern ?? '')?.[1];
  if (prefixes !== undefined) return idTextOf(kindsOf(prefixes), schema.pattern?.startsWith('^me$') === true);
  if (schema.format === 'email') return HINTS.email;
  if (schema.format === 'password' || name === 'current_password' || name === 'password') return HINTS.password;
  if (schema.format === 'uri') return fc.constantFrom(...LINKS);
  if (schema.format === 'date-time') return mostly(80, later, moment);
  if (schema.pattern?.startsWith('^\\d{4}')) return moment;
  // fast-check cannot generate strings for its pattern.
  if (name === 'path') return fc.constantFrom(...BATCH_PATHS);
  if (name === 'body') return HINTS.template;
  const free = schema.pattern === undefined ? freeText(schema) : fc.stringMatching(new RegExp(schema.pattern));
  return HINTS[name] === undefined ? free : mostly(80, HINTS[name], free);
}

const idTextOf = (kinds: Kind[], isPerson: boolean): fc.Arbitrary<unknown> =>
  isPerson ? mostly(25, fc.constant('me'), idOf(kinds)) : idOf(kinds);

function freeText({ example, minLength = 0, maxLength = LONGEST }: Schema): fc.Arbitrary<string> {
  const edge = fc.constantFrom('x'.repeat(Math.max(1, minLength)), '𝔵'.repeat(Math.min(maxLength, LONGEST)));
  return fc.oneof(
    { weight: 3, arbitrary: typeof example === 'string' ? fc.constant(example) : sentence },
    { weight: 5, arbitrary: sentence },
    { weight: 2, arbitrary: graphemes },
    { weight: 1, arbitrary: edge },
  );
}
