import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The changes of manager that the events still tell; each began when the one before it ended. */
const EARLIER = `INSERT INTO former_managers (agent_id, manager_id, began_at, ended_at)
  SELECT e.entity_id, former.id, lag(e.occurred_at) OVER (PARTITION BY e.entity_id ORDER BY e.sequence), e.occurred_at
  FROM events e JOIN users a ON a.id = e.entity_id JOIN users former ON former.id = e.previous->>'manager_id'
  WHERE e.type = 'user.updated' AND 'manager_id' = ANY(e.changed)`;

const PERSON_BEHIND = `-- The resource of the person who is responsible for this one: its present manager for an agent, otherwise itself.
  CREATE OR REPLACE FUNCTION person_behind(resource text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT coalesce((SELECT coalesce(m.resource_id, u.resource_id) FROM users u LEFT JOIN users m ON m.id = u.manager_id
                     WHERE u.resource_id = resource), resource) $$`;

const PEOPLE_BEHIND = `-- Who answers for what a resource did between two times: the person behind it, and those who managed it meanwhile.
  CREATE FUNCTION people_behind(resource text, since timestamptz, until timestamptz) RETURNS SETOF text
  LANGUAGE sql STABLE AS $$
    SELECT person_behind(resource)
    UNION SELECT m.resource_id FROM users a JOIN former_managers f ON f.agent_id = a.id JOIN users m ON m.id = f.manager_id
      WHERE a.resource_id = resource AND f.ended_at >= since AND coalesce(f.began_at, '-infinity') <= until $$`;

const PERSON_BEHIND_BEFORE = `CREATE OR REPLACE FUNCTION person_behind(resource text) RETURNS text LANGUAGE sql STABLE AS $$
     WITH RECURSIVE person (id) AS (
       SELECT coalesce(u.manager_id, u.id) FROM users u WHERE u.resource_id = resource
       UNION
       SELECT s.id FROM person p CROSS JOIN LATERAL (
         SELECT successor_id AS id FROM manager_successions WHERE former_id = p.id
         UNION ALL SELECT former_id FROM manager_successions WHERE successor_id = p.id) s)
     SELECT coalesce((SELECT u.resource_id FROM users u WHERE u.id = (SELECT min(p.id) FROM person p)), resource) $$`;

/**
 * Makes an agent and its present manager one person, and no two people ever: a former manager answers only for what the
 * agent did in their time. Each change of manager is stored with its times, instead of the successions that made people one
 * for ever.
 */
export class FormerManagers1763700002710 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE TABLE former_managers (
        id bigserial NOT NULL,
        agent_id text NOT NULL,
        manager_id text NOT NULL,
        began_at timestamptz(3),
        ended_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT former_managers_pkey PRIMARY KEY (id),
        CONSTRAINT former_managers_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES users(id),
        CONSTRAINT former_managers_manager_id_fkey FOREIGN KEY (manager_id) REFERENCES users(id)
      )`,
      `CREATE INDEX former_managers_agent_id_idx ON former_managers (agent_id)`,
      EARLIER,
      `CREATE FUNCTION keep_former_manager() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         INSERT INTO former_managers (agent_id, manager_id, began_at)
         VALUES (NEW.id, OLD.manager_id, (SELECT max(f.ended_at) FROM former_managers f WHERE f.agent_id = NEW.id));
         RETURN NULL;
       END $$`,
      `CREATE TRIGGER users_keep_former_manager AFTER UPDATE OF manager_id ON users FOR EACH ROW
         WHEN (OLD.manager_id IS DISTINCT FROM NEW.manager_id AND OLD.manager_id IS NOT NULL)
         EXECUTE FUNCTION keep_former_manager()`,
      PERSON_BEHIND,
      PEOPLE_BEHIND,
      `DROP TRIGGER users_record_manager_succession ON users`,
      `DROP FUNCTION record_manager_succession`,
      `DROP TABLE manager_successions`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE TABLE manager_successions (
        former_id text NOT NULL,
        successor_id text NOT NULL,
        CONSTRAINT manager_successions_pkey PRIMARY KEY (former_id, successor_id),
        CONSTRAINT manager_successions_former_id_fkey FOREIGN KEY (former_id) REFERENCES users(id),
        CONSTRAINT manager_successions_successor_id_fkey FOREIGN KEY (successor_id) REFERENCES users(id)
      )`,
      `CREATE INDEX manager_successions_successor_id_idx ON manager_successions (successor_id)`,
      `CREATE FUNCTION record_manager_succession() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         INSERT INTO manager_successions (former_id, successor_id)
         VALUES (OLD.manager_id, coalesce(NEW.manager_id, NEW.id)) ON CONFLICT DO NOTHING;
         RETURN NULL;
       END $$`,
      `CREATE TRIGGER users_record_manager_succession AFTER UPDATE OF manager_id ON users FOR EACH ROW
         WHEN (OLD.manager_id IS DISTINCT FROM NEW.manager_id AND OLD.manager_id IS NOT NULL)
         EXECUTE FUNCTION record_manager_succession()`,
      PERSON_BEHIND_BEFORE,
      `DROP FUNCTION people_behind`,
      `DROP TRIGGER users_keep_former_manager ON users`,
      `DROP FUNCTION keep_former_manager`,
      `DROP TABLE former_managers`,
    ]) {
      await runner.query(statement);
    }
  }
}
