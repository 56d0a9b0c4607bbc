import { bindCallerId, objectOf, type View } from './view.js';

/** The properties of a view that events store, each with its SQL. */
const keptOf = (view: View): [string, string][] =>
  Object.entries(view.fields).flatMap(([name, { sql, kept }]): [string, string][] => {
    if (kept === undefined) return [[name, sql]];
    return kept.sql === null ? [] : [[name, kept.sql]];
  });

const selections = new WeakMap<View, string>();

/** SQL for the data that an event stores of a row: a JSON object, from the same rows as {@link rowsAsJson}. */
export function eventData(view: View): string {
  const data = selections.get(view) ?? bindCallerId(objectOf(keptOf(view)));
  selections.set(view, data);
  return data;
}

/** SQL for the ids of the resources affected by changes of the entity; undefined for none. */
export function peopleOf({ people, fields }: View): string | undefined {
  if (people === undefined) return undefined;
  const own = people.properties.map((name) => fields[name].sql);
  const parts = [own.length > 0 && `ARRAY[${own.join(', ')}]::text[]`, people.others];
  return bindCallerId(parts.filter(Boolean).join(' || '));
}

/** Whether events store every property of the view unchanged. */
export const isKeptWhole = (view: View): boolean => Object.values(view.fields).every(({ kept }) => kept === undefined);

/** Whether events store the previous value of a column unchanged: not of one that the view does not show. */
export const keepsPrevious = ({ fields }: View, column: string): boolean =>
  Object.hasOwn(fields, column) && fields[column].kept === undefined;

/** The part of the previous values that an event stores, by wire name. */
export function keptPrevious(view: View, previous: Record<string, unknown>): Record<string, unknown> {
  const values = Object.entries(previous).flatMap(([name, value]) => {
    if (keepsPrevious(view, name)) return [[name, value]];
    const convert = view.fields[name]?.kept?.previous;
    return convert === undefined ? [] : [[name, convert(value)]];
  });
  return Object.fromEntries(values) as Record<string, unknown>;
}
