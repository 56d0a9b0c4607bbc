import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Indexes resources by name, skill and creation time, allows a quorum for teams only, and ends team memberships when
 * team and member no longer share an organization.
 */
export class Resources1763700000402 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE resources ADD CONSTRAINT resources_quorum_check CHECK (quorum IS NULL OR type = 'team')`,
      `CREATE INDEX resources_created_at_id_idx ON resources (created_at, id)`,
      `CREATE INDEX resources_skills_idx ON resources USING gin (skills)`,
      `CREATE INDEX resources_name_trigram_idx ON resources USING gin (name gin_trgm_ops)`,
      `CREATE FUNCTION leave_teams() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     DELETE FROM team_members m
     WHERE (m.resource_id = OLD.resource_id OR m.team_id = OLD.resource_id)
       AND NOT EXISTS (SELECT 1 FROM organization_resources ours JOIN organization_resources theirs USING (organization_id)
                       WHERE ours.resource_id = m.team_id AND theirs.resource_id = m.resource_id);
     RETURN NULL;
   END $$`,
      `CREATE TRIGGER organization_resources_leave_teams AFTER DELETE ON organization_resources
        FOR EACH ROW EXECUTE FUNCTION leave_teams()`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DROP TRIGGER organization_resources_leave_teams ON organization_resources`,
      `DROP FUNCTION leave_teams`,
      `DROP INDEX resources_name_trigram_idx, resources_skills_idx, resources_created_at_id_idx`,
      `ALTER TABLE resources DROP CONSTRAINT resources_quorum_check`,
    ]) {
      await runner.query(statement);
    }
  }
}
