/**
 * The functions, views and triggers that a feature owns, each as the CREATE statement of today. They are the one place
 * with this text: `npm run new:migration` writes the migration that leads to it, and a test compares both. Views stand
 * after those that they read.
 */
export interface DatabaseObjects {
  functions?: readonly string[];
  views?: readonly string[];
  triggers?: readonly string[];
}

export type ObjectKind = keyof DatabaseObjects;

/** One declared object. `name` is as in the statement; that of a trigger is `table.trigger`. */
export interface DeclaredObject {
  kind: ObjectKind;
  name: string;
  statement: string;
}

const NAMES: Readonly<Record<ObjectKind, RegExp>> = {
  functions: /^CREATE FUNCTION (?<name>[\w.]+)/,
  views: /^CREATE VIEW (?<name>[\w.]+)/,
  triggers: /^CREATE (?:CONSTRAINT )?TRIGGER (?<name>\w+)[\s\S]+?\sON (?<table>\w+)/,
};

/** All objects of these features in the order in which they can be created. */
export function declaredObjects(features: readonly DatabaseObjects[]): DeclaredObject[] {
  const kinds: readonly ObjectKind[] = ['functions', 'views', 'triggers'];
  return kinds.flatMap((kind) =>
    features.flatMap((feature) =>
      (feature[kind] ?? []).map((statement) => ({ kind, name: nameOf(kind, statement), statement })),
    ),
  );
}

function nameOf(kind: ObjectKind, statement: string): string {
  const { name, table } = NAMES[kind].exec(statement)?.groups ?? {};
  if (name === undefined) throw new Error(`not the CREATE statement of one of the ${kind}: ${statement.slice(0, 100)}`);
  return table === undefined ? name : `${table}.${name}`;
}

/** A text of SQL in which white space does not count. */
export const collapsed = (sql: string): string => sql.replaceAll(/\s+/g, ' ').trim();
