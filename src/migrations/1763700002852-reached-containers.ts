import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The containers that an export of a user concerns, for the audit: those that it names and that the user can see, or all
 * organizations that the user is a member of, and the homes of the user's endeavours.
 */
export class ReachedContainers1763700002852 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE FUNCTION containers_reached_by(person text, named text[]) RETURNS SETOF text
      LANGUAGE sql STABLE SET search_path = public AS $$
      WITH grants AS (SELECT DISTINCT g.endeavour_id FROM endeavour_grants g WHERE g.user_id = person),
      organizations AS (SELECT m.organization_id FROM organization_resources m WHERE m.user_id = person)
      SELECT x.id FROM entities x
      WHERE x.id = ANY(named) AND (x.id IN (SELECT endeavour_id FROM grants) OR x.id IN (SELECT organization_id FROM organizations)
        OR EXISTS (SELECT 1 FROM users u WHERE u.id = person AND u.is_admin))
      UNION
      SELECT e.organization_id FROM grants JOIN endeavours e ON e.id = grants.endeavour_id
      WHERE cardinality(named) = 0 AND e.organization_id IS NOT NULL
      UNION
      SELECT organization_id FROM organizations WHERE cardinality(named) = 0 $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION containers_reached_by');
  }
}
