import { Injectable } from '@nestjs/common';
import { joinUser } from '../../../access/visibility/people.view.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { Database } from '../../../platform/database/database.js';
import { oneAsJson, Representation, type Json } from '../../../platform/database/views/view.js';
import { endeavourMemberView } from './endeavour-member.view.js';

/** Reads single members of endeavours. */
@Injectable()
export class EndeavourMembersRepository {
  constructor(private readonly database: Database) {}

  async read(me: Caller, endeavourId: string, userId: string): Promise<Representation> {
    const sql = oneAsJson(endeavourMemberView, 'm.id = $2 AND m.endeavour_id = $3 AND $1::text IS NOT NULL');
    return Representation.of(await this.database.one<Json>(sql, [me.userId, userId, endeavourId]));
  }

  /** Returns a user with a role in the endeavour, direct or derived from an organization. */
  memberOfUser(endeavourId: string, userId: string): Promise<{ resourceId: string; isDirect: boolean } | undefined> {
    return this.database.one<{ resourceId: string; isDirect: boolean }>(
      `SELECT u.resource_id AS "resourceId", bool_or(g.organization_id IS NULL) AS "isDirect"
       FROM endeavour_grants g ${joinUser('u', 'g.user_id')}
       WHERE g.endeavour_id = $1 AND g.user_id = $2 GROUP BY u.resource_id`,
      [endeavourId, userId],
    );
  }
}
