import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When links of endeavours to organizations ended, which earlier invitations do not bring back. */
export class FormerLinks1763700004511 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE former_links (
      organization_id text NOT NULL, endeavour_id text NOT NULL, ended_at timestamptz(3) NOT NULL,
      CONSTRAINT former_links_pkey PRIMARY KEY (organization_id, endeavour_id))`);
    await runner.query('CREATE INDEX former_links_endeavour_id_idx ON former_links (endeavour_id)');
    await runner.query(`CREATE FUNCTION keep_former_link() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO former_links (organization_id, endeavour_id, ended_at)
        VALUES (OLD.organization_id, OLD.endeavour_id, clock_timestamp())
        ON CONFLICT (organization_id, endeavour_id) DO UPDATE SET ended_at = excluded.ended_at;
        RETURN NULL;
      END $$`);
    await runner.query(`CREATE TRIGGER organization_endeavours_former AFTER DELETE ON organization_endeavours FOR EACH ROW
      EXECUTE FUNCTION keep_former_link()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER organization_endeavours_former ON organization_endeavours');
    await runner.query('DROP FUNCTION keep_former_link');
    await runner.query('DROP TABLE former_links');
  }
}
