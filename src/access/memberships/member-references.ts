import { Injectable } from '@nestjs/common';
import { invalidField, invalidInput, referenceNotFound } from '../../common/errors.js';
import { Database } from '../../platform/database/database.js';
import { Access } from '../access.js';
import type { Caller } from '../authentication/caller.js';
import type { Member } from './membership-rows.js';

/** Finds the people and resources that fields of a body name as members. */
@Injectable()
export class MemberReferences {
  constructor(
    private readonly access: Access,
    private readonly database: Database,
  ) {}

  /**
   * Resolves a `usr_` or `res_` id, or `me`, in a field of the body; 400 if it is not visible to the caller, or is that
   * of a deleted agent, which stays visible where it has worked.
   */
  async member(me: Caller, field: string, id: string): Promise<Member> {
    if (id === 'me') return me;
    const resource = await this.access.find(me, id);
    const member =
      resource &&
      (await this.database.one<Member>(
        `SELECT r.id AS "resourceId", r.user_id AS "userId" FROM resources r LEFT JOIN users u ON u.id = r.user_id
         WHERE (r.id = $1 OR r.user_id = $1) AND u.erased_at IS NULL`,
        [id],
      ));
    if (member === undefined) throw invalidInput([referenceNotFound(field)]);
    return member;
  }

  /** Like {@link member}, but 400 for a resource without a user, which cannot be a member of an endeavour. */
  async person(me: Caller, field: string, id: string): Promise<Member & { userId: string }> {
    const { resourceId, userId } = await this.member(me, field, id);
    if (userId === null)
      throw invalidField(
        field,
        'invalid_value',
        'Only people and agents can be members here. A team can own work and be assigned to it, but its members need roles of their own.',
      );
    return { resourceId, userId };
  }
}
