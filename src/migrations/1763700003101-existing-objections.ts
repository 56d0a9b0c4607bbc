import type { MigrationInterface, QueryRunner } from 'typeorm';

const PER_STATEMENT = 5000;

const IS_OBJECTION = `a.is_current AND a.verdict <> 'approved' AND a.entity_type = 'task' AND a.dismissed_at IS NULL`;

/**
 * SQL: where the verdict was given: the endeavour that the event of its creation names. Only that of a giver who has no role
 * in the present endeavour can have been another one that matters.
 */
const GIVEN_IN = `CASE WHEN 'viewer' = ANY(coalesce(roles_held(u.id, own.endeavour_id), '{}')) THEN own.endeavour_id
  ELSE coalesce((SELECT v.endeavour_id FROM events v
    WHERE v.entity_id = a.id AND v.type = 'approval.created' ORDER BY v.sequence LIMIT 1), own.endeavour_id) END`;

/**
 * Fills where the rejections and needs_work of existing tasks were given, and which roles their givers have there, in
 * statements of bounded size that lock only the rows they change. A verdict whose giver has no role there any more is
 * lifted, unless it is known who removed the giver: then a check decides by who is an author at its time, as before.
 */
export class ExistingObjections1763700003101 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    let last = '';
    for (;;) {
      const filled = (await runner.query(
        `WITH chosen AS (SELECT a.id FROM approvals a WHERE ${IS_OBJECTION} AND a.held_roles IS NULL AND a.id > $1
           ORDER BY a.id LIMIT ${PER_STATEMENT}),
         found AS (SELECT a.id, u.id AS user_id, ${GIVEN_IN} AS given_in
           FROM chosen JOIN approvals a USING (id) JOIN entities own ON own.id = a.id
             JOIN users u ON u.resource_id = a.approver_id),
         held AS (SELECT found.id, found.given_in, coalesce(roles_held(found.user_id, found.given_in), '{}') AS roles FROM found)
         UPDATE approvals a SET given_in = held.given_in, held_roles = held.roles,
           kept_roles = CASE WHEN a.ended_by IS NOT NULL AND a.role_held THEN ARRAY[a.role] END,
           lifted_at = CASE WHEN a.ended_by IS NULL AND NOT 'viewer' = ANY(held.roles) THEN clock_timestamp() END
         FROM held WHERE a.id = held.id RETURNING a.id`,
        [last],
      )) as { id: string }[][];
      // A runner that only collects statements returns nothing.
      const ids = (filled[0] ?? []).map(({ id }) => id).toSorted();
      if (ids.length === 0) return;
      last = ids[ids.length - 1];
    }
  }

  async down(): Promise<void> {}
}
