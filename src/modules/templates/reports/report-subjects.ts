import { Injectable } from '@nestjs/common';
import { rowsAsJson, type View } from '../../../platform/database/view.js';
import type { TemplateScope } from '../template.lifecycle.js';

/**
 * The variables of a template by name: SQL expressions that yield JSON. `:id` is the entity of the report, `:me` the
 * user, `:now` the time of the report.
 */
export type Variables = Record<string, string>;

/** Variables that take more than one expression; read only for templates that name one of them. */
export interface VariablesReader {
  names: readonly string[];
  /** The values for the entity with that id. */
  read(id: string): Promise<Record<string, unknown>>;
}

/** The representation of the entity of the report. */
export const itself = (view: View): string => {
  const { select, from } = rowsAsJson(view);
  return `(SELECT body FROM (SELECT ${select} FROM ${from} WHERE ${view.alias}.id = :id) one)`;
};

/** The representations of those rows for which the condition holds, in that order. */
export const those = (view: View, where: string, order: string, limit: number): string => {
  const { select, from } = rowsAsJson(view);
  return `coalesce((SELECT json_agg(body) FROM (
    SELECT ${select} FROM ${from} WHERE ${where} ORDER BY ${order}, ${view.alias}.id LIMIT ${limit}) several), '[]'::json)`;
};

/** The time zone of the entity's endeavour. */
const TIMEZONE = `to_json(coalesce((SELECT home.timezone FROM entities x JOIN endeavours home ON home.id = x.endeavour_id
  WHERE x.id = :id), 'UTC'))`;

/**
 * The registry in which features declare the report variables of their entities, so that a report of an endeavour can
 * include features above this one.
 */
@Injectable()
export class ReportSubjects {
  private readonly byScope = new Map<TemplateScope, Variables>();
  private readonly readers = new Map<TemplateScope, VariablesReader[]>();

  /** Adds to what templates of that scope can use. */
  add(scope: TemplateScope, variables: Variables): void {
    this.byScope.set(scope, { ...this.byScope.get(scope), ...variables });
  }

  addReader(scope: TemplateScope, reader: VariablesReader): void {
    this.readers.set(scope, [...this.readersFor(scope), reader]);
  }

  readersFor(scope: TemplateScope): readonly VariablesReader[] {
    return this.readers.get(scope) ?? [];
  }

  /** A statement with the parameters me, id and now, that yields all variables of the scope as one JSON text. */
  statementFor(scope: TemplateScope): string {
    const variables = { timezone: TIMEZONE, ...this.byScope.get(scope) };
    const pairs = Object.entries(variables).map(([name, sql]) => `SELECT '${name}' AS name, (${sql})::json AS value`);
    return `SELECT json_object_agg(name, value)::text AS variables FROM (${pairs.join(' UNION ALL ')}) known
      WHERE (:me, :id, :now) IS NOT NULL`
      .replaceAll(/:me\b/g, '$1::text')
      .replaceAll(/:id\b/g, '$2::text')
      .replaceAll(/:now\b/g, '$3::timestamptz');
  }
}
