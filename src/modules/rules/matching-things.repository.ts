import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { ListDefinition, ListRequest } from '../../platform/listing/definition.js';
import { conditionOf, ListStatement, type Viewer } from '../../platform/listing/list-condition.js';

/** Finds the tasks and demands that match the filter of a rule. */
@Injectable()
export class MatchingThingsRepository {
  constructor(private readonly database: Database) {}

  /** The ids of those that the list contains. */
  async find(me: Viewer, list: ListDefinition, request: ListRequest, ids: readonly string[]): Promise<string[]> {
    const p = new ListStatement(me);
    const { table, alias } = list.view;
    const rows = await this.database.query<{ id: string }>(
      `SELECT ${alias}.id FROM ${table} ${alias} ${list.joins ?? ''}
       WHERE ${alias}.id = ANY(${p.bind(ids)}::text[]) AND ${conditionOf(list, request, me, p)}`,
      p.values,
    );
    return rows.map(({ id }) => id);
  }
}
