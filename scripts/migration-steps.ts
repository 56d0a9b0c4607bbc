/** The statements of a migration, and those that undo them. */
export interface Step {
  up: string[];
  down: string[];
}

export interface Steps {
  first: Step;
  /** What reads the rows of existing tables, beside writers. */
  second?: Step;
}

const MADE_TABLE = /^CREATE TABLE (\w+)/;
const CONSTRAINT = /^ALTER TABLE (?<table>\w+) ADD CONSTRAINT (?<name>\w+) (?:CHECK|FOREIGN KEY)\b/;
const INDEX = /^CREATE (?:UNIQUE )?INDEX (?<name>\w+) ON (?<table>\w+)/;

/**
 * Takes what would block writers while PostgreSQL reads all rows of an existing table out of a migration: constraints are
 * added as NOT VALID and validated afterwards, indexes are built concurrently (docs/upgrades.md).
 */
export function stepsBesideWriters({ up, down }: Step): Steps {
  const made = new Set(up.map((statement) => MADE_TABLE.exec(statement)?.[1]));
  const [first, second, indexes]: [string[], string[], string[]] = [[], [], []];
  for (const statement of up) {
    const constraint = groupsOf(CONSTRAINT, statement);
    const index = groupsOf(INDEX, statement);
    if (constraint !== undefined && !made.has(constraint.table)) {
      first.push(`${statement} NOT VALID`);
      second.push(`ALTER TABLE ${constraint.table} VALIDATE CONSTRAINT ${constraint.name}`);
    } else if (index !== undefined && !made.has(index.table)) {
      indexes.push(index.name);
      second.push(`DROP INDEX IF EXISTS ${index.name}`, statement.replace('INDEX ', 'INDEX CONCURRENTLY '));
    } else first.push(statement);
  }
  if (second.length === 0) return { first: { up, down } };
  const isOfIndex = (statement: string): boolean => indexes.some((name) => statement === `DROP INDEX ${name}`);
  return {
    first: { up: first, down: down.filter((statement) => !isOfIndex(statement)) },
    second: { up: second, down: down.filter(isOfIndex) },
  };
}

const groupsOf = (pattern: RegExp, statement: string): Record<string, string> | undefined =>
  pattern.exec(statement)?.groups;
