import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { Database } from '../../platform/database/database.js';
import { Representation, oneAsJson, type FieldNames, type Json } from '../../platform/database/views/view.js';
import {
  isMembershipAlive,
  isMembershipVisible,
  MEMBERSHIP_ENDS,
  membershipRelationView,
} from './membership-relation.view.js';
import type { RelatedKind } from './relation.rules.js';

/** A membership with one of its relation types. */
export interface MembershipRow {
  relationship_type: string;
  source_entity_type: RelatedKind;
  source_entity_id: string;
  target_entity_type: RelatedKind;
  target_entity_id: string;
  /** The user who is the member, if it is a person. */
  user_id: string | null;
}

const isVisibleTo = ({ isAdmin }: Caller): string => (isAdmin ? '$1::text IS NOT NULL' : isMembershipVisible());

/** Reads memberships and links as relations; other features write them. */
@Injectable()
export class MembershipRelationsRepository {
  constructor(private readonly database: Database) {}

  /** The membership; undefined if it is not visible to the caller. */
  find(me: Caller, id: string): Promise<MembershipRow | undefined> {
    return this.database.one<MembershipRow>(
      `SELECT l.relationship_type, l.source_entity_type, l.source_entity_id, l.target_entity_type, l.target_entity_id,
         l.user_id FROM membership_relations l ${MEMBERSHIP_ENDS} WHERE l.id = $2 AND ${isMembershipAlive} AND ${isVisibleTo(me)}`,
      [me.userId, id],
    );
  }

  async read(me: Caller, id: string, fields?: FieldNames): Promise<Representation | undefined> {
    const sql = oneAsJson(membershipRelationView, `l.id = $2 AND ${isMembershipAlive} AND ${isVisibleTo(me)}`, fields);
    const row = await this.database.one<Json>(sql, [me.userId, id]);
    return row && Representation.of(row);
  }

  /** The membership of these ends, which the caller has just created. */
  async readCreated(me: Caller, type: string, source: string, target: string): Promise<Representation> {
    const where = `l.relationship_type = $2 AND l.source_entity_id = $3 AND l.target_entity_id = $4 AND $1::text IS NOT NULL`;
    const row = await this.database.one<Json>(oneAsJson(membershipRelationView, where), [
      me.userId,
      type,
      source,
      target,
    ]);
    return Representation.of(row);
  }
}
