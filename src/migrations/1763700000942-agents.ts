import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Agents belong to an organization and to a manager, whose rights limit theirs and who counts as the same person. */
export class Agents1763700000942 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE users ADD COLUMN is_managed boolean NOT NULL DEFAULT false,
         ADD COLUMN manager_id text,
         ADD COLUMN agent_of text,
         ADD CONSTRAINT users_manager_id_fkey FOREIGN KEY (manager_id) REFERENCES users(id),
         ADD CONSTRAINT users_agent_of_fkey FOREIGN KEY (agent_of) REFERENCES organizations(id),
         ADD CONSTRAINT users_managed_check CHECK (CASE WHEN is_managed
           THEN user_type = 'agent' AND NOT is_admin AND password_hash IS NULL AND NOT email_copy
           ELSE manager_id IS NULL AND agent_of IS NULL END)`,
      `CREATE INDEX users_manager_id_idx ON users (manager_id)`,
      `CREATE INDEX users_agent_of_idx ON users (agent_of)`,
      `-- The resource of the person who is responsible for this one: its manager for an agent, otherwise itself.
   CREATE FUNCTION person_behind(resource text) RETURNS text LANGUAGE sql STABLE AS $$
     SELECT coalesce((SELECT coalesce(m.resource_id, u.resource_id) FROM users u LEFT JOIN users m ON m.id = u.manager_id
                      WHERE u.resource_id = resource), resource) $$`,
      `CREATE FUNCTION replace_manager() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         UPDATE access_tokens SET ended_at = now() WHERE ended_at IS NULL AND made_by = OLD.user_id
           AND user_id IN (SELECT a.id FROM users a WHERE a.agent_of = OLD.organization_id AND a.manager_id = OLD.user_id);
         UPDATE users SET revision = revision + 1, updated_at = clock_timestamp(), manager_id = (
           SELECT m.user_id FROM organization_resources m JOIN users o ON o.id = m.user_id
           WHERE m.organization_id = OLD.organization_id AND m.role = 'owner' AND m.user_id <> OLD.user_id
             AND o.status = 'active' AND NOT o.is_managed
           ORDER BY m.joined_at, m.user_id LIMIT 1)
         WHERE agent_of = OLD.organization_id AND manager_id = OLD.user_id;
         RETURN NULL;
       END $$`,
      `CREATE TRIGGER organization_resources_replace_manager AFTER UPDATE OF role ON organization_resources FOR EACH ROW
         WHEN (role_rank(OLD.role) >= 3 AND role_rank(NEW.role) < 3) EXECUTE FUNCTION replace_manager()`,
      `CREATE TRIGGER organization_resources_lose_manager AFTER DELETE ON organization_resources FOR EACH ROW
         WHEN (OLD.user_id IS NOT NULL) EXECUTE FUNCTION replace_manager()`,
      `CREATE FUNCTION name_agents() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         WITH named AS (
           UPDATE resources r SET name = left(a.name || coalesce(', for ' || m.name, ''), 500)
           FROM users a LEFT JOIN users m ON m.id = a.manager_id
           WHERE a.is_managed AND (a.id = NEW.id OR a.manager_id = NEW.id) AND r.id = a.resource_id
           RETURNING r.id, r.name)
         UPDATE entities x SET title = named.name FROM named WHERE x.id = named.id;
         RETURN NULL;
       END $$`,
      `CREATE TRIGGER users_name_agent AFTER INSERT ON users FOR EACH ROW WHEN (NEW.is_managed)
         EXECUTE FUNCTION name_agents()`,
      `CREATE TRIGGER users_rename_agents AFTER UPDATE OF name, manager_id ON users FOR EACH ROW
         WHEN ((NEW.name, NEW.manager_id) IS DISTINCT FROM (OLD.name, OLD.manager_id)) EXECUTE FUNCTION name_agents()`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DROP TRIGGER users_rename_agents ON users`,
      `DROP TRIGGER users_name_agent ON users`,
      `DROP FUNCTION name_agents`,
      `DROP TRIGGER organization_resources_lose_manager ON organization_resources`,
      `DROP TRIGGER organization_resources_replace_manager ON organization_resources`,
      `DROP FUNCTION replace_manager`,
      `DROP FUNCTION person_behind`,
      `ALTER TABLE users DROP COLUMN is_managed, DROP COLUMN manager_id, DROP COLUMN agent_of`,
    ]) {
      await runner.query(statement);
    }
  }
}
