import { Choice, Raw } from './choices.js';
import type { Spoiling } from './plans.js';

type Container = Record<string, unknown> | unknown[];

/** The value with everything that was left open filled in; the rest is copied. */
export function settle(value: unknown, fill: (choice: Choice) => string): unknown {
  if (value instanceof Choice) return fill(value);
  if (value instanceof Raw || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => settle(item, fill));
  return entriesOf(Object.entries(value).map(([key, item]) => [key, settle(item, fill)]));
}

/** Unlike assignment, this makes `__proto__` a property like any other. */
const entriesOf = (entries: [string, unknown][]): Record<string, unknown> => Object.fromEntries(entries);

/** JSON text of a value with raw pieces in it. */
export function render(value: unknown): string {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${value.map(render).join(',')}]`;
  if (value instanceof Twice)
    return value.entries.map(([key, item]) => `${JSON.stringify(key)}:${render(item)}`).join();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value).map(renderEntry).join(',')}}`;
}

const renderEntry = ([key, item]: [string, unknown]): string =>
  item instanceof Twice ? render(item) : `${JSON.stringify(key)}:${render(item)}`;

/** A property that is there two times. */
class Twice {
  constructor(readonly entries: [string, unknown][]) {}
}

/** Makes the body worse; it must be the caller's own copy. */
export function spoil(body: unknown, spoilings: Spoiling[]): unknown {
  return spoilings.reduce(spoilOnce, body);
}

function spoilOnce(body: unknown, { at, how, what, key }: Spoiling): unknown {
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

const twice = (name: string, value: unknown, what: string): Twice =>
  new Twice([
    [name, value],
    [name, new Raw(what)],
  ]);

function addTo(body: unknown, key: string, what: string): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return new Raw(what);
  return entriesOf([...Object.entries(body), [key, new Raw(what)]]);
}

function placesOf(value: unknown): [Container, string][] {
  if (typeof value !== 'object' || value === null || value instanceof Raw || value instanceof Twice) return [];
  const container = value as Container;
  return Object.entries(value).flatMap(
    ([name, item]) => [[container, name], ...placesOf(item)] as [Container, string][],
  );
}
