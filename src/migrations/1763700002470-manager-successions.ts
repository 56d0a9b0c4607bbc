import type { MigrationInterface, QueryRunner } from 'typeorm';

const EARLIER = `INSERT INTO manager_successions (former_id, successor_id)
  SELECT DISTINCT former.id, coalesce(a.manager_id, a.id) FROM events e
    JOIN users a ON a.id = e.entity_id JOIN users former ON former.id = e.previous->>'manager_id'
  WHERE e.type = 'user.updated' AND 'manager_id' = ANY(e.changed)`;

/**
 * Stores the former managers of agents, who still count as the same person as the agent. Only changes of manager are
 * stored, because the row of an agent has its current manager; so person_behind reads few rows, however many agents
 * there are.
 */
export class ManagerSuccessions1763700002470 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE TABLE manager_successions (
        former_id text NOT NULL,
        successor_id text NOT NULL,
        CONSTRAINT manager_successions_pkey PRIMARY KEY (former_id, successor_id)
      )`,
      `CREATE INDEX manager_successions_successor_id_idx ON manager_successions (successor_id)`,
      `ALTER TABLE manager_successions ADD CONSTRAINT manager_successions_former_id_fkey
         FOREIGN KEY (former_id) REFERENCES users(id)`,
      `ALTER TABLE manager_successions ADD CONSTRAINT manager_successions_successor_id_fkey
         FOREIGN KEY (successor_id) REFERENCES users(id)`,
      `CREATE FUNCTION record_manager_succession() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         INSERT INTO manager_successions (former_id, successor_id)
         VALUES (OLD.manager_id, coalesce(NEW.manager_id, NEW.id)) ON CONFLICT DO NOTHING;
         RETURN NULL;
       END $$`,
      `CREATE TRIGGER users_record_manager_succession AFTER UPDATE OF manager_id ON users FOR EACH ROW
         WHEN (OLD.manager_id IS DISTINCT FROM NEW.manager_id AND OLD.manager_id IS NOT NULL)
         EXECUTE FUNCTION record_manager_succession()`,
      EARLIER,
      `-- The one resource that represents a person: an agent and its current and former managers are the same person.
   CREATE OR REPLACE FUNCTION person_behind(resource text) RETURNS text LANGUAGE sql STABLE AS $$
     WITH RECURSIVE person (id) AS (
       SELECT coalesce(u.manager_id, u.id) FROM users u WHERE u.resource_id = resource
       UNION
       SELECT s.id FROM person p CROSS JOIN LATERAL (
         SELECT successor_id AS id FROM manager_successions WHERE former_id = p.id
         UNION ALL SELECT former_id FROM manager_successions WHERE successor_id = p.id) s)
     SELECT coalesce((SELECT u.resource_id FROM users u WHERE u.id = (SELECT min(p.id) FROM person p)), resource) $$`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE OR REPLACE FUNCTION person_behind(resource text) RETURNS text LANGUAGE sql STABLE AS $$
     SELECT coalesce((SELECT coalesce(m.resource_id, u.resource_id) FROM users u LEFT JOIN users m ON m.id = u.manager_id
                      WHERE u.resource_id = resource), resource) $$`,
      `DROP TRIGGER users_record_manager_succession ON users`,
      `DROP FUNCTION record_manager_succession`,
      `DROP TABLE manager_successions`,
    ]) {
      await runner.query(statement);
    }
  }
}
