import type { Filter } from './definition.js';

/** SQL: whether the row refers to that id in that other system; the index of its table is by both. */
export const refersTo = (alias: string, source: string, id: string): string =>
  `(${alias}.external_ref ->> 'source' = ${source} AND ${alias}.external_ref ->> 'id' = ${id})`;

/** Filters rows by their reference to another system, `source:id`. The id can contain colons and commas. */
export function externalFilter(
  alias: string,
  isSeen?: (statement: Parameters<NonNullable<Filter['where']>>[1]) => string,
): Filter {
  return {
    schema: { type: 'string', pattern: '^[^:]{1,50}:.{1,200}$', examples: ['jira:GARDEN-17'] },
    description: 'The one with this external_ref, as source:id. One value; the id may contain colons and commas.',
    parse(raw) {
      const [, source, id] = /^([^:]+):(.+)$/su.exec(raw) ?? [];
      if (source !== undefined && id !== undefined) return { value: { source, id } };
      return { code: 'invalid_format', message: 'external must have the form source:id.' };
    },
    where({ source, id }: { source: string; id: string }, statement) {
      const refers = refersTo(alias, statement.bind(source), statement.bind(id));
      return isSeen === undefined ? refers : `(${refers} AND ${isSeen(statement)})`;
    },
  };
}
