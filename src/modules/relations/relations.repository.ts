import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { columnsSql, fromRow } from '../../platform/database/columns/columns.js';
import { Database } from '../../platform/database/database.js';
import { Representation, oneAsJson, type FieldNames, type Json } from '../../platform/database/views/view.js';
import { Relation } from './relation.entity.js';
import { isRelationAlive, isRelationVisible } from './relation.list.js';
import { ENDS, relationView } from './relation.view.js';

const isVisibleTo = ({ isAdmin }: Caller): string => (isAdmin ? '$1::text IS NOT NULL' : isRelationVisible());

/** Reads and locks relations. They are visible only to callers who can see both ends. */
@Injectable()
export class RelationsRepository {
  constructor(private readonly database: Database) {}

  async read(me: Caller, id: string, fields?: FieldNames): Promise<Representation | undefined> {
    const sql = oneAsJson(relationView, `l.id = $2 AND ${isRelationAlive} AND ${isVisibleTo(me)}`, fields);
    const row = await this.database.one<Json>(sql, [me.userId, id]);
    return row && Representation.of(row);
  }

  /** The tasks of its endeavour that a task is a part of; more than one only of earlier releases. */
  parentsOf(taskId: string): Promise<{ relationId: string; parentId: string }[]> {
    return this.database.query<{ relationId: string; parentId: string }>(
      `SELECT l.id AS "relationId", p.id AS "parentId" FROM relations l
       JOIN task_states own ON own.id = l.target_entity_id
       JOIN task_states p ON p.id = l.source_entity_id AND p.endeavour_id = own.endeavour_id
       WHERE l.target_entity_id = $1 AND l.relationship_type = 'parent_of' AND l.deleted_at IS NULL ORDER BY l.id`,
      [taskId],
    );
  }

  /** Whether these are two tasks of one endeavour. */
  async areTogether(taskId: string, otherId: string): Promise<boolean> {
    const row = await this.database.one(
      `SELECT 1 FROM task_states one JOIN task_states other ON other.endeavour_id = one.endeavour_id
       WHERE one.id = $1 AND other.id = $2 AND other.id <> one.id`,
      [taskId, otherId],
    );
    return row !== undefined;
  }

  async lock(me: Caller, id: string): Promise<Relation | undefined> {
    const row = await this.database.one(
      `SELECT ${columnsSql(this.database.source, Relation, 'l')} FROM relations l ${ENDS}
       WHERE l.id = $2 AND ${isRelationAlive} AND ${isVisibleTo(me)} FOR NO KEY UPDATE OF l`,
      [me.userId, id],
    );
    return row && fromRow(this.database.source, Relation, row);
  }
}
