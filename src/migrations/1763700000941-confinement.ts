import type { MigrationInterface, QueryRunner } from 'typeorm';

const container = `current_setting('worksmith.container', true)`;
const agent = `nullif(current_setting('worksmith.agent', true), '')`;
const manager = `nullif(current_setting('worksmith.manager', true), '')`;

/** SQL: whether the container is the endeavour or its home organization. */
const within = (endeavour: string): string =>
  `(${endeavour} = ${container} OR ${endeavour} IN (SELECT e.id FROM endeavours e WHERE e.organization_id = ${container}))`;

/**
 * Views with the same names as the tables and views through which entities are looked up. A request that is confined to
 * a container, or made by an agent, uses these instead (`platform/database/confinement.ts`): it sees only the rows that
 * it may access, and the check option rejects its writes elsewhere (SQLSTATE 44000). `SELECT *` stands for the columns
 * at this migration; test/architecture/confinement.spec.ts fails if a table has got more columns.
 */
export class Confinement1763700000941 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE SCHEMA confined`,
      `CREATE VIEW confined.endeavour_grants AS
       SELECT g.user_id, g.endeavour_id,
         CASE WHEN g.user_id = ${agent} AND ${manager} IS NOT NULL THEN least(g.rank, (
           SELECT max(m.rank) FROM endeavour_grants m WHERE m.endeavour_id = g.endeavour_id AND m.user_id = ${manager}))
         ELSE g.rank END AS rank,
         g.organization_id
       FROM endeavour_grants g
       WHERE (${container} = '' OR ${within('g.endeavour_id')})
         AND (g.user_id IS DISTINCT FROM ${agent} OR ${manager} IS NULL OR EXISTS (
           SELECT 1 FROM endeavour_grants m WHERE m.endeavour_id = g.endeavour_id AND m.user_id = ${manager}))`,
      // An agent's own membership counts only while its manager has at least the same role there. Confinement to an
      // endeavour shows the other members of the linked organizations, but not the caller's own memberships, so the
      // organizations stay hidden.
      `CREATE VIEW confined.organization_resources AS
       SELECT m.* FROM organization_resources m
       WHERE (${container} = '' OR m.organization_id = ${container}
           OR (m.organization_id IN (SELECT l.organization_id FROM organization_endeavours l
                 WHERE l.endeavour_id = ${container})
               AND m.user_id IS DISTINCT FROM nullif(current_setting('worksmith.caller', true), '')))
         AND (m.user_id IS DISTINCT FROM ${agent} OR ${manager} IS NULL OR EXISTS (
           SELECT 1 FROM organization_resources own WHERE own.organization_id = m.organization_id
             AND own.user_id = ${manager} AND role_rank(own.role) >= role_rank(m.role)))
       WITH CHECK OPTION`,
      // People and resources are visible through containers that they share with the caller. An endeavour or message
      // has no row yet when its entity row is inserted; services check its organization or scope.
      `CREATE VIEW confined.entities AS
       SELECT x.* FROM entities x
       WHERE ${container} = '' OR ${within('x.endeavour_id')} OR x.organization_id = ${container}
         OR (x.kind IN ('user', 'resource') AND x.endeavour_id IS NULL AND x.organization_id IS NULL AND NOT x.is_global
             AND (EXISTS (SELECT 1 FROM confined.endeavour_grants g
                    WHERE g.user_id = x.id OR g.user_id = (SELECT r.user_id FROM resources r WHERE r.id = x.id))
                  OR EXISTS (SELECT 1 FROM confined.organization_resources m
                    WHERE m.user_id = x.id OR m.resource_id = x.id)))
         OR (x.kind = 'resource' AND EXISTS (SELECT 1 FROM endeavour_workers w
               WHERE w.resource_id = x.id AND ${within('w.endeavour_id')}))
         OR (x.kind = 'endeavour' AND NOT EXISTS (SELECT 1 FROM endeavours e WHERE e.id = x.id) AND x.deleted_at IS NULL)
         OR (x.kind = 'message' AND x.deleted_at IS NULL AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.id = x.id
               AND (m.scope_id IS NULL OR NOT (m.scope_id = ${container} OR ${within('m.scope_id')}))))
       WITH CHECK OPTION`,
      `CREATE VIEW confined.operations AS
       SELECT op.* FROM operations op
       WHERE ${container} = '' OR op.container_id = ${container} OR ${within('op.container_id')}
       WITH CHECK OPTION`,
      // Lets statements pass a row of the view to feed_place, which a later migration creates for rows of the table.
      `SET LOCAL check_function_bodies = off`,
      `CREATE FUNCTION confined.feed_place(x confined.entities, type text, actor text) RETURNS text
         LANGUAGE sql STABLE AS $$ SELECT public.feed_place(ROW(x.*)::public.entities, type, actor) $$`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP SCHEMA confined CASCADE`);
  }
}
