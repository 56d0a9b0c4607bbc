import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Gives every resource, except those of users, at most one home organization, which manages it; others only share it.
 */
export class ResourceHomes1763700000811 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE resources ADD COLUMN organization_id text`,
      `ALTER TABLE organization_resources ADD COLUMN added_by text,
        ADD CONSTRAINT organization_resources_added_by_fkey FOREIGN KEY (added_by) REFERENCES users(id)`,
      `UPDATE resources r SET organization_id = home.organization_id
       FROM (SELECT DISTINCT ON (m.resource_id) m.resource_id, m.organization_id
             FROM organization_resources m JOIN organizations o ON o.id = m.organization_id
             WHERE m.user_id IS NULL
             ORDER BY m.resource_id, (o.status = 'archived'), m.joined_at, m.organization_id) home
       WHERE r.id = home.resource_id`,
      `UPDATE entities x SET organization_id = r.organization_id, owner_user_id = NULL
       FROM resources r WHERE r.id = x.id AND r.organization_id IS NOT NULL`,
      `DO $$
       DECLARE found record;
       BEGIN
         FOR found IN
           SELECT r.id, r.organization_id, string_agg(m.organization_id, ', ' ORDER BY m.organization_id) AS shares
           FROM resources r JOIN organization_resources m ON m.resource_id = r.id AND m.organization_id <> r.organization_id
           GROUP BY r.id ORDER BY r.id
         LOOP
           RAISE WARNING 'The home of resource % is %; it stays shared with %', found.id, found.organization_id, found.shares;
         END LOOP;
       END $$`,
      `CREATE INDEX resources_organization_id_idx ON resources (organization_id)`,
      `ALTER TABLE resources ADD CONSTRAINT resources_organization_id_check
        CHECK (user_id IS NULL OR organization_id IS NULL)`,
      `ALTER TABLE resources ADD CONSTRAINT resources_organization_id_id_fkey FOREIGN KEY (organization_id, id)
        REFERENCES organization_resources(organization_id, resource_id) DEFERRABLE INITIALLY DEFERRED`,
      `-- The assignees and owners of tasks and demands in each endeavour, and whether that work is still open.
   CREATE VIEW endeavour_workers AS
   SELECT endeavour_id, assignee_id AS resource_id, status IN ('planned', 'active') AS is_open
   FROM tasks WHERE assignee_id IS NOT NULL
   UNION ALL SELECT endeavour_id, owner_id, status IN ('planned', 'active') FROM tasks
   UNION ALL SELECT endeavour_id, owner_id, status IN ('open', 'in_progress') FROM demands`,
      `-- Whether a resource may be in a team: it belongs to the home of the team. If the team has no home, the resource
   -- is the creator of the team or was created by the same person.
   CREATE FUNCTION is_of_team(team resources, member text) RETURNS boolean LANGUAGE sql STABLE AS $$
     SELECT CASE WHEN team.organization_id IS NOT NULL
       THEN EXISTS (SELECT 1 FROM organization_resources m
                    WHERE m.organization_id = team.organization_id AND m.resource_id = member)
       ELSE member = team.created_by OR EXISTS (SELECT 1 FROM resources own WHERE own.id = member
              AND own.created_by = team.created_by AND own.user_id IS NULL AND own.organization_id IS NULL) END $$`,
      `DELETE FROM team_members m USING resources team
       WHERE team.id = m.team_id AND NOT is_of_team(team, m.resource_id)`,
      `CREATE OR REPLACE FUNCTION leave_teams() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     DELETE FROM team_members m USING resources team
     WHERE team.id = m.team_id AND m.resource_id = OLD.resource_id AND team.organization_id = OLD.organization_id;
     RETURN NULL;
   END $$`,
      `CREATE FUNCTION leave_team_behind() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     DELETE FROM team_members m WHERE m.team_id = NEW.id AND NOT is_of_team(NEW, m.resource_id);
     DELETE FROM team_members m USING resources team
     WHERE team.id = m.team_id AND m.resource_id = NEW.id AND NOT is_of_team(team, NEW.id);
     RETURN NULL;
   END $$`,
      `CREATE TRIGGER resources_leave_team_behind AFTER UPDATE OF organization_id ON resources FOR EACH ROW
        WHEN (NEW.organization_id IS DISTINCT FROM OLD.organization_id) EXECUTE FUNCTION leave_team_behind()`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DROP TRIGGER resources_leave_team_behind ON resources`,
      `DROP FUNCTION leave_team_behind`,
      `CREATE OR REPLACE FUNCTION leave_teams() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     DELETE FROM team_members m
     WHERE (m.resource_id = OLD.resource_id OR m.team_id = OLD.resource_id)
       AND NOT EXISTS (SELECT 1 FROM organization_resources ours JOIN organization_resources theirs USING (organization_id)
                       WHERE ours.resource_id = m.team_id AND theirs.resource_id = m.resource_id);
     RETURN NULL;
   END $$`,
      `DROP FUNCTION is_of_team`,
      `DROP VIEW endeavour_workers`,
      `UPDATE entities x SET organization_id = NULL, owner_user_id = creator.user_id
       FROM resources r LEFT JOIN resources creator ON creator.id = r.created_by
       WHERE r.id = x.id AND r.organization_id IS NOT NULL`,
      `ALTER TABLE resources DROP COLUMN organization_id`,
      `ALTER TABLE organization_resources DROP COLUMN added_by`,
    ]) {
      await runner.query(statement);
    }
  }
}
