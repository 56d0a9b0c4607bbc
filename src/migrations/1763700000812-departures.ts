import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Records when users left an organization or endeavour by their own decision. */
export class Departures1763700000812 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE TABLE departures (
        container_id text NOT NULL,
        user_id text NOT NULL,
        left_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT departures_pkey PRIMARY KEY (container_id, user_id)
      )`,
      `CREATE INDEX departures_user_id_idx ON departures (user_id)`,
      `ALTER TABLE departures ADD CONSTRAINT departures_container_id_fkey FOREIGN KEY (container_id) REFERENCES entities(id)`,
      `ALTER TABLE departures ADD CONSTRAINT departures_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE departures`);
  }
}
