import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { columnsSql, fromRow } from '../../platform/database/columns.js';
import { Database } from '../../platform/database/database.js';
import { Representation, oneAsJson, type FieldNames, type Json } from '../../platform/database/view.js';
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

  async lock(me: Caller, id: string): Promise<Relation | undefined> {
    const row = await this.database.one(
      `SELECT ${columnsSql(this.database.source, Relation, 'l')} FROM relations l ${ENDS}
       WHERE l.id = $2 AND ${isRelationAlive} AND ${isVisibleTo(me)} FOR NO KEY UPDATE OF l`,
      [me.userId, id],
    );
    return row && fromRow(this.database.source, Relation, row);
  }
}
