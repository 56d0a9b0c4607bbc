import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The view of confined requests, which has the columns that the table has when it is made. */
const VIEW = `VIEW confined.organization_resources AS
       SELECT m.* FROM organization_resources m
       WHERE (current_setting('worksmith.container', true) = ''
         OR m.organization_id = current_setting('worksmith.container', true)
           OR (m.organization_id IN (SELECT l.organization_id FROM organization_endeavours l
                 WHERE l.endeavour_id = current_setting('worksmith.container', true))
               AND m.user_id IS DISTINCT FROM nullif(current_setting('worksmith.caller', true), '')))
         AND ((m.user_id = nullif(current_setting('worksmith.agent', true), '')) IS NOT TRUE
           OR confined.role_limit(m.organization_id) >= role_rank(m.role))
         AND (coalesce(current_setting('worksmith.withheld', true), '') = ''
           OR m.user_id IS DISTINCT FROM nullif(current_setting('worksmith.caller', true), '')
           OR NOT confined.is_withheld(NULL, m.organization_id))
       WITH CHECK OPTION`;

/** The hours per week that admins of an organization expect of its members. */
export class CapacitiesOfMembers1763700004480 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE organization_resources ADD COLUMN capacity double precision');
    for (const [name, check] of [
      ['capacity', 'capacity BETWEEN 0 AND 1000000000'],
      ['capacity_of_person', 'capacity IS NULL OR user_id IS NOT NULL'],
    ]) {
      await runner.query(
        `ALTER TABLE organization_resources ADD CONSTRAINT organization_resources_${name}_check CHECK (${check}) NOT VALID`,
      );
      await runner.query(`ALTER TABLE organization_resources VALIDATE CONSTRAINT organization_resources_${name}_check`);
    }
    await runner.query(`CREATE OR REPLACE ${VIEW}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP VIEW confined.organization_resources');
    await runner.query('ALTER TABLE organization_resources DROP COLUMN capacity');
    await runner.query(`CREATE ${VIEW}`);
  }
}
