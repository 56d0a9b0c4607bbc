import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `ALTER TABLE organization_resources ADD COLUMN via_group boolean NOT NULL DEFAULT false`,
  `CREATE OR REPLACE VIEW confined.organization_resources AS
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
       WITH CHECK OPTION`,
];

/** Roles in organizations that groups at identity providers gave. */
export class RolesByGroups1763700004010 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP VIEW confined.organization_resources');
    await runner.query('ALTER TABLE organization_resources DROP COLUMN via_group');
    await runner.query(`CREATE VIEW confined.organization_resources AS
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
       WITH CHECK OPTION`);
  }
}
