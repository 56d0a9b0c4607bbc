import { Placeholder, Raw } from './choices.js';
import type { Mutation } from './plans.js';

type Container = Record<string, unknown> | unknown[];

/** A copy of the value with its placeholders filled. */
export function fillPlaceholders(value: unknown, fill: (placeholder: Placeholder) => string): unknown {
  if (value instanceof Placeholder) return fill(value);
  if (value instanceof Raw || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => fillPlaceholders(item, fill));
  return entriesOf(Object.entries(value).map(([key, item]) => [key, fillPlaceholders(item, fill)]));
}

/** Unlike assignment, this makes `__proto__` a property like any other. */
const entriesOf = (entries: [string, unknown][]): Record<string, unknown> => Object.fromEntries(entries);

/** The JSON text of a value that can contain raw text. */
export function render(value: unknown): string {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${value.map(render).join(',')}]`;
  if (value instanceof DuplicateProperty)
    return value.entries.map(([key, item]) => `${JSON.stringify(key)}:${render(item)}`).join();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value).map(renderEntry).join(',')}}`;
}

const renderEntry = ([key, item]: [string, unknown]): string =>
  item instanceof DuplicateProperty ? render(item) : `${JSON.stringify(key)}:${render(item)}`;

/** A property that occurs twice. */
class DuplicateProperty {
  constructor(readonly entries: [string, unknown][]) {}
}

/** Applies the mutations; the body must be a copy, because they can change it in place. */
export function mutate(body: unknown, mutations: Mutation[]): unknown {
  return mutations.reduce(mutateOnce, body);
}

function mutateOnce(body: unknown, { at, how, what, key }: Mutation): unknown {
  const places = placesOf(body);
  if (places.length === 0 || how === 'add') return addTo(body, key, what);
  const [container, name] = places[at % places.length];
  if (Array.isArray(container)) {
    if (how === 'drop') container.splice(Number(name), 1);
    else container[Number(name)] = new Raw(what);
    return body;
  }
  if (how === 'drop') delete container[name];
  else container[name] = how === 'twice' ? twice(name, container[name], what) : new Raw(what);
  return body;
}

const twice = (name: string, value: unknown, what: string): DuplicateProperty =>
  new DuplicateProperty([
    [name, value],
    [name, new Raw(what)],
  ]);

function addTo(body: unknown, key: string, what: string): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return new Raw(what);
  return entriesOf([...Object.entries(body), [key, new Raw(what)]]);
}

function placesOf(value: unknown): [Container, string][] {
  if (typeof value !== 'object' || value === null || value instanceof Raw || value instanceof DuplicateProperty)
    return [];
  const container = value as Container;
  return Object.entries(value).flatMap(
    ([name, item]) => [[container, name], ...placesOf(item)] as [Container, string][],
  );
}
