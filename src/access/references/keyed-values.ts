import type { Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { isRecord, type JsonRecord } from '../../common/texts/json.js';
import type { Kind } from '../../common/kinds.js';
import { isKeyedKind, isWorkKey, type KeyedKind } from '../../common/work-keys.js';
import { fieldsOf, type DtoClass, type KeyedParameters } from '../../platform/http/bodies/fields/field.js';
import type { ListDefinition } from '../../platform/listing/definition.js';

/** A place of a request that names an entity by its key instead of its id. */
export interface KeyedValue {
  key: string;
  /** The kinds that are accepted there and have keys. */
  kinds: readonly KeyedKind[];
  replace(id: string): void;
}

/** What an operation declares about its requests. */
interface Declaration {
  path?: Readonly<Record<string, Kind>>;
  query?: KeyedParameters;
  list?: ListDefinition;
  body?: Type;
}

type KindsByName = ReadonlyMap<string, readonly KeyedKind[]>;

/** The fields of a body in which keys can stand. */
interface KeyedFields {
  own: KindsByName;
  filters: ReadonlyMap<string, KeyedParameters>;
  inside: ReadonlyMap<string, KeyedFields>;
}

/** Whether the operation accepts the key of a task or demand anywhere. */
export function takesKeys({ path = {}, query, list, body }: Declaration): boolean {
  return (
    Object.values(path).some(isKeyedKind) ||
    keyedAmong(query).named.size > 0 ||
    keyedAmong(list?.filters).named.size > 0 ||
    (body !== undefined && hasKeys(keyedFieldsOf(body as DtoClass)))
  );
}

/** The keys in a request, each where the operation accepts the id of a task or demand. */
export function* keyedValues(request: FastifyRequest, { path, query, list, body }: Declaration): Generator<KeyedValue> {
  for (const [name, kind] of Object.entries(path ?? {})) {
    if (isKeyedKind(kind)) yield* inRecord(request.params as JsonRecord, name, [kind]);
  }
  for (const parameters of [query, list?.filters]) yield* inParameters(request.query as JsonRecord, parameters);
  if (body !== undefined && isRecord(request.body)) yield* inBody(request.body, keyedFieldsOf(body as DtoClass));
}

const keyedKinds = (kinds: readonly Kind[] = []): readonly KeyedKind[] => kinds.filter(isKeyedKind);

/** The parameters that name tasks or demands, and those that compare them in an expression. */
interface KeyedNames {
  named: KindsByName;
  expressions: ReadonlyMap<string, KindsByName>;
}

const NONE: KeyedNames = { named: new Map(), expressions: new Map() };
const known = new WeakMap<object, KeyedNames>();

function keyedAmong(parameters: KeyedParameters | undefined): KeyedNames {
  if (parameters === undefined) return NONE;
  const before = known.get(parameters);
  if (before !== undefined) return before;
  const all = Object.entries(parameters);
  const named = all.map(([name, { kinds }]) => [name, keyedKinds(kinds)] as const);
  const expressions = all.map(([name, { combines }]) => [name, keyedAmong(combines).named] as const);
  const keyed = {
    named: new Map(named.filter(([, kinds]) => kinds.length > 0)),
    expressions: new Map(expressions.filter(([, compared]) => compared.size > 0)),
  };
  known.set(parameters, keyed);
  return keyed;
}

const fieldsByClass = new WeakMap<object, KeyedFields>();

function keyedFieldsOf(dto: DtoClass | Type): KeyedFields {
  const before = fieldsByClass.get(dto);
  if (before !== undefined) return before;
  const own = new Map<string, readonly KeyedKind[]>();
  const filters = new Map<string, KeyedParameters>();
  const inside = new Map<string, KeyedFields>();
  for (const [name, { kinds, items, nested, holds, filters: declared }] of fieldsOf(dto)) {
    if (keyedKinds(kinds).length > 0) own.set(name, keyedKinds(kinds));
    if (declared !== undefined && keyedAmong(declared).named.size > 0) filters.set(name, declared);
    const other = items ?? nested ?? holds;
    const fields = other && keyedFieldsOf(other);
    if (fields !== undefined && hasKeys(fields)) inside.set(name, fields);
  }
  const fields = { own, filters, inside };
  fieldsByClass.set(dto, fields);
  return fields;
}

const hasKeys = ({ own, filters, inside }: KeyedFields): boolean => own.size + filters.size + inside.size > 0;

function* inBody(body: JsonRecord, { own, filters, inside }: KeyedFields): Generator<KeyedValue> {
  for (const [name, kinds] of own) yield* inRecord(body, name, kinds);
  for (const [name, parameters] of filters) {
    const filter = body[name];
    if (isRecord(filter)) yield* inParameters(filter, parameters);
  }
  for (const [name, fields] of inside) {
    const value = body[name];
    for (const item of Array.isArray(value) ? value : [value]) if (isRecord(item)) yield* inBody(item, fields);
  }
}

function* inParameters(sent: JsonRecord, parameters: KeyedParameters | undefined): Generator<KeyedValue> {
  const { named, expressions } = keyedAmong(parameters);
  for (const [name, kinds] of named) {
    yield* Array.isArray(sent[name]) ? inRecord(sent, name, kinds) : inSet(sent, name, kinds);
  }
  for (const [name, compared] of expressions) yield* inExpression(sent, name, compared);
}

/** Longer expressions are refused. */
const MAX_EXPRESSION = 4_000;

/** A quoted text, or a comparison with a key. */
const QUOTED_OR_COMPARED =
  /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|(?<!\w)(\w+)(\s*(?:!=|=|:)\s*)(["']?)([A-Za-z][A-Za-z0-9]{1,9}-\d{1,9})\3(?![\w-])/g;

/** The comparisons with keys in an expression. */
function* inExpression(sent: JsonRecord, parameter: string, keyed: KindsByName): Generator<KeyedValue> {
  const value = sent[parameter];
  if (typeof value !== 'string' || value.length > MAX_EXPRESSION || !value.includes('-')) return;
  const parts: string[] = [];
  let end = 0;
  for (const { 0: whole, 1: name, 2: operator, 4: key, index } of value.matchAll(QUOTED_OR_COMPARED)) {
    const kinds = name === undefined ? undefined : keyed.get(name);
    if (kinds === undefined || !isWorkKey(key)) continue;
    const at = parts.push(value.slice(end, index) + name + operator, key) - 1;
    end = index + whole.length;
    const replace = (id: string): void => {
      parts[at] = id;
      sent[parameter] = parts.join('') + value.slice(end);
    };
    yield { key, kinds, replace };
  }
}

/** A single value or a list of them. */
function* inRecord(record: JsonRecord, name: string, kinds: readonly KeyedKind[]): Generator<KeyedValue> {
  const value = record[name];
  if (Array.isArray(value)) yield* inList(value as unknown[], kinds);
  else if (isWorkKey(value)) yield { key: value, kinds, replace: (id) => (record[name] = id) };
}

function* inList(list: unknown[], kinds: readonly KeyedKind[]): Generator<KeyedValue> {
  for (const [at, item] of list.entries()) {
    if (isWorkKey(item)) yield { key: item, kinds, replace: (id) => (list[at] = id) };
  }
}

/** The values of a filter, separated by commas; `!` at the beginning excludes them. */
function* inSet(query: JsonRecord, name: string, kinds: readonly KeyedKind[]): Generator<KeyedValue> {
  const value = query[name];
  if (typeof value !== 'string' || !value.includes('-')) return;
  const [, start = '', set = ''] = /^(\s*!?)(.*)$/s.exec(value) ?? [];
  const items = set.split(',').map((item) => item.trim());
  const replaceAt = (at: number) => (id: string) => {
    items[at] = id;
    query[name] = start + items.join(',');
  };
  for (const [at, item] of items.entries()) {
    if (isWorkKey(item)) yield { key: item, kinds, replace: replaceAt(at) };
  }
}
