import { Injectable } from '@nestjs/common';
import { invalidInput, referenceNotFound } from '../../common/errors.js';
import type { Actor } from '../../platform/changes/actor.js';
import { Database } from '../../platform/database/database.js';

/** Who a field of a body names: a `res_` id, a `usr_` id or `me`; null clears, undefined was not sent. */
export type SentResources = Record<string, string | null | undefined>;

/**
 * SQL: whether resource `r` can be given work of the endeavour: an active member of it, or an active resource or team
 * of an organization that it is linked to.
 */
export const isAssignable = (r: string, endeavour: string): string => `(
  ${r}.status = 'active' AND ${r}.deleted_at IS NULL AND (
    EXISTS (SELECT 1 FROM endeavour_members m WHERE m.resource_id = ${r}.id AND m.endeavour_id = ${endeavour})
    OR EXISTS (SELECT 1 FROM organization_resources o JOIN organization_endeavours l USING (organization_id)
               WHERE o.resource_id = ${r}.id AND l.endeavour_id = ${endeavour})))`;

/** Finds the resources that bodies name, and those that stand for a person. */
@Injectable()
export class Assignments {
  constructor(private readonly database: Database) {}

  /**
   * The resource ids behind the fields of a body. Refuses, for all fields at once, whoever cannot be given work of
   * this endeavour: to the client that is the same as somebody who does not exist. They cannot be deleted meanwhile.
   */
  async resolve<F extends SentResources>(me: Actor, endeavourId: string, sent: F): Promise<F> {
    const named = Object.entries(sent).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    if (named.length === 0) return sent;
    const wanted = named.map(([, ref]) => (ref === 'me' ? me.resourceId : ref));
    const rows = await this.database.query<{ ref: string; id: string }>(
      `SELECT wanted.ref, r.id FROM unnest($1::text[]) AS wanted (ref)
       JOIN resources r ON r.id = wanted.ref OR r.user_id = wanted.ref
       WHERE ${isAssignable('r', '$2')} FOR KEY SHARE OF r`,
      [wanted, endeavourId],
    );
    const found = new Map(rows.map(({ ref, id }) => [ref, id]));
    const faults = named.filter((_, i) => !found.has(wanted[i])).map(([field]) => referenceNotFound(field));
    if (faults.length > 0) throw invalidInput(faults);
    const resolved = named.map(([field], i) => [field, found.get(wanted[i])]);
    return { ...sent, ...Object.fromEntries(resolved) };
  }

  /** The caller's own resource and the teams that it is in. */
  async mine(me: Actor): Promise<string[]> {
    const teams = await this.database.query<{ team_id: string }>(
      'SELECT team_id FROM team_members WHERE resource_id = $1',
      [me.resourceId],
    );
    return [me.resourceId, ...teams.map(({ team_id }) => team_id)];
  }
}
