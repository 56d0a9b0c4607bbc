import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Votes of team members on status changes of their team's tasks and demands. */
export class Quorum1763700000403 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE TABLE quorum_votes (
        id bigserial NOT NULL,
        entity_id text NOT NULL,
        team_id text NOT NULL,
        resource_id text NOT NULL,
        target text NOT NULL,
        cast_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        lapsed_at timestamptz(3),
        CONSTRAINT quorum_votes_pkey PRIMARY KEY (id)
      )`,
      `CREATE UNIQUE INDEX quorum_votes_entity_id_resource_id_idx ON quorum_votes (entity_id, resource_id)
        WHERE lapsed_at IS NULL`,
      `ALTER TABLE quorum_votes ADD CONSTRAINT quorum_votes_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES entities(id)`,
      `ALTER TABLE quorum_votes ADD CONSTRAINT quorum_votes_team_id_fkey FOREIGN KEY (team_id) REFERENCES resources(id)`,
      `ALTER TABLE quorum_votes ADD CONSTRAINT quorum_votes_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES resources(id)`,
      `CREATE FUNCTION lapse_votes() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     UPDATE quorum_votes SET lapsed_at = clock_timestamp() WHERE entity_id = NEW.id AND lapsed_at IS NULL;
     RETURN NULL;
   END $$`,
      ...['tasks', 'demands'].map(
        (table) => `CREATE TRIGGER ${table}_lapse_votes AFTER UPDATE OF status ON ${table}
          FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION lapse_votes()`,
      ),
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DROP TRIGGER demands_lapse_votes ON demands`,
      `DROP TRIGGER tasks_lapse_votes ON tasks`,
      `DROP FUNCTION lapse_votes`,
      `DROP TABLE quorum_votes`,
    ]) {
      await runner.query(statement);
    }
  }
}
