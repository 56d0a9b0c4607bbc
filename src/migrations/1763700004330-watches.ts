import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who watches what. */
export class Watches1763700004330 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE watches (
        entity_id text NOT NULL,
        resource_id text NOT NULL,
        is_on boolean NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT watches_pkey PRIMARY KEY (entity_id, resource_id),
        CONSTRAINT watches_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES entities(id),
        CONSTRAINT watches_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES resources(id)
      )`);
    await runner.query(`CREATE INDEX watches_resource_id_idx ON watches (resource_id) WHERE is_on`);
    await runner.query(
      `CREATE VIEW current_watches AS SELECT entity_id, resource_id, created_at FROM watches WHERE is_on`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP VIEW current_watches`);
    await runner.query(`DROP TABLE watches`);
  }
}
