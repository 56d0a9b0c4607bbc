import fc from 'fast-check';
import { KINDS, type Kind } from '../../src/common/kinds.js';
import * as dictionary from './dictionary.js';
import * as wire from './wire-dictionary.js';
import { HINTS } from './hints.js';
import type { Operation, Parameter } from './operations.js';
import { idOf, mostly, nat, placeholderOf, Raw } from './choices.js';
import { kindsOf, moment, valueOf } from './values.js';

/** A change that can make a body invalid. */
export interface Mutation {
  at: number;
  how: 'replace' | 'drop' | 'add' | 'twice';
  what: string;
  key: string;
}

/** How the text of a body is encoded or corrupted. */
export type Form =
  'plain' | 'chunked' | 'cut' | 'twofold' | 'bom' | 'utf16' | 'latin1' | 'commented' | 'none' | 'array';

/** A request whose placeholders are filled when it is sent. */
export interface Plan {
  operation: Operation;
  caller: number;
  method: string;
  path: unknown[];
  query: [name: string, value: unknown][];
  headers: [name: string, value: unknown][];
  body: unknown;
  mutations: Mutation[];
  form: Form;
}

const raws = (texts: readonly string[]): fc.Arbitrary<Raw> => fc.constantFrom(...texts).map((text) => new Raw(text));
const never: fc.Arbitrary<never[]> = fc.constant([]);

const poison = fc.oneof(
  { weight: 800, arbitrary: fc.constantFrom(...dictionary.POISON) },
  { weight: 1, arbitrary: fc.constantFrom(...dictionary.HUGE_POISON) },
);
const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: nat,
  how: fc.constantFrom('replace', 'replace', 'replace', 'drop', 'add', 'twice'),
  what: poison,
  key: fc.constantFrom(...dictionary.EXTRA_KEYS),
});
const mutations = mostly(62, never, fc.array(mutation, { minLength: 1, maxLength: 2 }));
const FORMS: Form[] = ['chunked', 'cut', 'twofold', 'bom', 'utf16', 'latin1', 'commented', 'none', 'array'];
const form = mostly(94, fc.constant<Form>('plain'), fc.constantFrom(...FORMS));

const ODD_METHODS = ['PUT', 'TRACE', 'OPTIONS', 'HEAD', 'DELETE', 'POST', 'PATCH', 'GET', 'PROPFIND', 'SEARCH'];
const REFERENCE = /^(?:reassign_to|(.+)_id)$/;
const PEOPLE = ['assignee', 'author', 'approver', 'creator', 'sender', 'owner', undefined];

/** Plans of requests to that operation; `enumValues` has values for query parameters by their name. */
export function planOf(operation: Operation, enumValues: ReadonlyMap<string, unknown[]>): fc.Arbitrary<Plan> {
  const { method, body } = operation;
  const isRead = method === 'get';
  return fc.record({
    operation: fc.constant(operation),
    caller: nat,
    method: mostly(98, fc.constant(method.toUpperCase()), fc.constantFrom(...(isRead ? ['HEAD'] : []), ...ODD_METHODS)),
    path: pathOf(operation),
    query: queryOf(operation, enumValues),
    headers: headersOf(operation),
    body: body === undefined ? mostly(96, fc.constant(undefined), fc.constantFrom({}, { a: 1 })) : valueOf(body),
    mutations: isRead ? never : mutations,
    form,
  });
}

function pathOf({ parameters }: Operation): fc.Arbitrary<unknown[]> {
  const inPath = parameters.filter((one) => one.in === 'path');
  const kinds = inPath.flatMap(({ schema }) => (schema.enum ?? []) as Kind[]);
  const segments = inPath.map(({ schema }) => {
    if (schema.enum !== undefined) return mostly(96, fc.constantFrom(...schema.enum), raws(wire.PATH_POISON));
    const named = kinds.length > 0 ? kinds : kindsOf(String(schema.examples?.[0]).slice(0, 3));
    return mostly(96, idOf(named), raws(wire.PATH_POISON));
  });
  const more = mostly(
    99,
    never,
    raws(['', ...wire.PATH_POISON]).map((text) => [text]),
  );
  return fc.tuple(fc.tuple(...segments), more).map(([ids, rest]) => [...ids, ...rest]);
}

function queryOf({ parameters }: Operation, enumValues: ReadonlyMap<string, unknown[]>): fc.Arbitrary<Plan['query']> {
  const known = parameters.filter((one) => one.in === 'query');
  const odd = fc.tuple(fc.constantFrom(...wire.QUERY_NAMES), raws(wire.QUERY_POISON));
  const oddly = mostly(97, never, fc.array(odd, { minLength: 1, maxLength: 2 }));
  if (known.length === 0) return oddly;
  const good = fc.oneof(...known.map((one) => fc.tuple(fc.constant(one.name), parameterOf(one, enumValues))));
  const bad = fc.tuple(fc.constantFrom(...known.map(({ name }) => name)), raws(wire.QUERY_POISON));
  const some = fc.uniqueArray(mostly(88, good, bad), { maxLength: 4, selector: ([name]) => name });
  return fc.tuple(some, oddly).map(([usual, more]) => [...usual, ...more]);
}

function parameterOf({ name, schema }: Parameter, enumValues: ReadonlyMap<string, unknown[]>): fc.Arbitrary<unknown> {
  const reference = REFERENCE.exec(name);
  if (reference !== null) return referenceOf(reference[1]);
  if (name === 'cursor') return HINTS.cursor;
  // Longer waits would only delay the following requests.
  if (name === 'wait') return fc.integer({ min: 0, max: 1 });
  if (/_(?:after|before)$/.test(name)) return moment;
  const named = schema.enum === undefined ? enumValues.get(name) : undefined;
  return named === undefined ? valueOf(schema, name) : mostly(85, fc.constantFrom(...named), valueOf(schema, name));
}

function referenceOf(thing: string | undefined): fc.Arbitrary<unknown> {
  const kinds = Object.keys(KINDS) as Kind[];
  if (PEOPLE.includes(thing) || thing === 'resource') {
    return mostly(25, fc.constant<unknown>('me'), idOf(['resource', 'user']));
  }
  const named = kinds.filter((kind) => kind === thing || (thing === 'policy' && kind === 'dod_policy'));
  return idOf(named.length > 0 ? named : ['task', 'demand', 'endeavour', 'artifact', 'ritual', 'organization']);
}

function headersOf({ parameters }: Operation): fc.Arbitrary<[string, unknown][]> {
  const named = parameters.filter((one) => one.in === 'header' && one.name !== 'authorization');
  const odd = raws(wire.HEADER_POISON);
  const own = named.map(({ name }) => {
    const good = name === 'Idempotency-Key' ? nat.map((n): unknown => `key-${n % 40}`) : placeholderOf('etag');
    return mostly(
      80,
      never,
      mostly(80, good, odd).map((value) => [[name, value] as [string, unknown]]),
    );
  });
  const general = fc.oneof(
    { weight: 88, arbitrary: never },
    { weight: 3, arbitrary: one('Content-Type', raws(wire.CONTENT_TYPES)) },
    { weight: 3, arbitrary: one('Accept', fc.constantFrom('application/problem+json', '*/*', 'text/html')) },
    { weight: 2, arbitrary: one('Prefer', fc.constantFrom('handling=lenient', 'respond-async')) },
    {
      weight: 4,
      arbitrary: fc
        .tuple(
          fc.constantFrom('Accept-Language', 'Accept', 'Prefer', 'Authorization', 'X-Request-Id', 'X-Forwarded-For'),
          odd,
        )
        .map((pair): [string, unknown][] => [pair]),
    },
    { weight: 1, arbitrary: one('Content-Encoding', fc.constantFrom('gzip', 'br', 'identity', 'x')) },
  );
  return fc.tuple(...own, general).map((found) => found.flat());
}

const one = (name: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<[string, unknown][]> =>
  value.map((given) => [[name, given]]);

/** The enum values in all request bodies, by the name of the property. */
export function enumValuesOf(operations: Operation[]): Map<string, unknown[]> {
  const enumValues = new Map<string, Set<unknown>>();
  for (const { body } of operations) {
    for (const [name, schema] of Object.entries(body?.properties ?? {})) {
      for (const value of schema.enum ?? []) {
        if (value !== null) enumValues.set(name, (enumValues.get(name) ?? new Set()).add(value));
      }
    }
  }
  return new Map([...enumValues].map(([name, found]) => [name, [...found]]));
}
