import type { MigrationInterface, QueryRunner } from 'typeorm';

const setting = (name: string): string => `nullif(current_setting('worksmith.${name}', true), '')`;
const container = `current_setting('worksmith.container', true)`;
const agent = setting('agent');

/** SQL: whether the container is the endeavour or its home organization. */
const within = (endeavour: string): string =>
  `(${endeavour} = ${container} OR ${endeavour} IN (SELECT e.id FROM endeavours e WHERE e.organization_id = ${container}))`;

const rankOf = (user: string): string =>
  `(SELECT max(m.rank) FROM endeavour_grants m WHERE m.endeavour_id = g.endeavour_id AND m.user_id = ${user})`;

/** SQL: whether the person, if any, has a role in the endeavour of `g`. */
const isThere = (user: string): string => `(${user} IS NULL OR EXISTS (
  SELECT 1 FROM endeavour_grants m WHERE m.endeavour_id = g.endeavour_id AND m.user_id = ${user}))`;

/** SQL: whether the person, if any, has at least the role of `m` in its organization. */
const isNotBelow = (user: string): string => `(${user} IS NULL OR EXISTS (
  SELECT 1 FROM organization_resources own WHERE own.organization_id = m.organization_id
    AND own.user_id = ${user} AND role_rank(own.role) >= role_rank(m.role)))`;

/** The views of the migration `Confinement`, in which the rights of these people limit those of an agent. */
const views = (people: readonly string[], messages: string): string[] => [
  `CREATE OR REPLACE VIEW confined.endeavour_grants AS
   SELECT g.user_id, g.endeavour_id,
     CASE WHEN g.user_id = ${agent}
       THEN least(g.rank, ${people.map((user) => `CASE WHEN ${user} IS NOT NULL THEN ${rankOf(user)} END`).join(', ')})
       ELSE g.rank END AS rank,
     g.organization_id
   FROM endeavour_grants g
   WHERE (${container} = '' OR ${within('g.endeavour_id')})
     AND (g.user_id IS DISTINCT FROM ${agent} OR (${people.map(isThere).join(' AND ')}))`,
  `CREATE OR REPLACE VIEW confined.organization_resources AS
   SELECT m.* FROM organization_resources m
   WHERE (${container} = '' OR m.organization_id = ${container}
       OR (m.organization_id IN (SELECT l.organization_id FROM organization_endeavours l
             WHERE l.endeavour_id = ${container})
           AND m.user_id IS DISTINCT FROM ${setting('caller')}))
     AND (m.user_id IS DISTINCT FROM ${agent} OR (${people.map(isNotBelow).join(' AND ')}))
   WITH CHECK OPTION`,
  `CREATE OR REPLACE VIEW confined.entities AS
   SELECT x.* FROM entities x
   WHERE ${messages} (${container} = '' OR ${within('x.endeavour_id')} OR x.organization_id = ${container}
     OR (x.kind IN ('user', 'resource') AND x.endeavour_id IS NULL AND x.organization_id IS NULL AND NOT x.is_global
         AND (EXISTS (SELECT 1 FROM confined.endeavour_grants g
                WHERE g.user_id = x.id OR g.user_id = (SELECT r.user_id FROM resources r WHERE r.id = x.id))
              OR EXISTS (SELECT 1 FROM confined.organization_resources m
                WHERE m.user_id = x.id OR m.resource_id = x.id)))
     OR (x.kind = 'resource' AND EXISTS (SELECT 1 FROM endeavour_workers w
           WHERE w.resource_id = x.id AND ${within('w.endeavour_id')}))
     OR (x.kind = 'endeavour' AND NOT EXISTS (SELECT 1 FROM endeavours e WHERE e.id = x.id) AND x.deleted_at IS NULL)
     OR (x.kind = 'message' AND x.deleted_at IS NULL AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.id = x.id
           AND (m.scope_id IS NULL OR NOT (m.scope_id = ${container} OR ${within('m.scope_id')})))))
   WITH CHECK OPTION`,
];

/**
 * The rights of the admin who created a token for the agent of another manager limit the token, and the agent's messages
 * are not visible to it: `worksmith.maker` is the id of that admin.
 */
export class LimitingMakers1763700002850 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // A message that the service sends meanwhile, such as for a mention, has no row yet when its entity row is inserted.
    const withoutMessages = `(x.kind <> 'message' OR ${setting('maker')} IS NULL
      OR NOT EXISTS (SELECT 1 FROM messages m WHERE m.id = x.id)) AND`;
    for (const view of views([setting('manager'), setting('maker')], withoutMessages)) await runner.query(view);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const view of views([setting('manager')], '')) await runner.query(view);
  }
}
