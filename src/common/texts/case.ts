/** The type of a name converted from snake case to camel case: `dueDate` from `due_date`. */
export type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;

/** A type with the same properties under camel-case names. */
export type Camel<T> = { [K in keyof T as CamelCase<K & string>]: T[K] };

export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const camelCase = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Converts wire names (`due_date`) into code names (`dueDate`); omits undefined properties. */
export function fromWire<T extends object>(wire: T): Camel<T> {
  return Object.fromEntries(
    Object.entries(wire)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [camelCase(name), value]),
  ) as Camel<T>;
}
