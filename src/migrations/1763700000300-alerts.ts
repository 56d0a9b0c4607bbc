import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Terms that organizations watch for, and alerts about texts that contain them. */
export class Alerts1763700000300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE TABLE alert_terms (
        id text NOT NULL,
        organization_id text NOT NULL,
        term text NOT NULL,
        folded text NOT NULL,
        weight smallint NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT alert_terms_term_check CHECK (char_length(term) BETWEEN 1 AND 200),
        CONSTRAINT alert_terms_weight_check CHECK (weight BETWEEN 1 AND 10),
        CONSTRAINT alert_terms_organization_id_folded_key UNIQUE (organization_id, folded),
        CONSTRAINT alert_terms_pkey PRIMARY KEY (id)
      )`,
      `CREATE TABLE alerts (
        id text NOT NULL,
        organization_id text NOT NULL,
        entity_type text NOT NULL,
        entity_id text NOT NULL,
        term text NOT NULL,
        weight smallint NOT NULL,
        excerpt text NOT NULL,
        author_id text,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT alerts_pkey PRIMARY KEY (id)
      )`,
      `CREATE INDEX alerts_organization_id_created_at_id_idx ON alerts (organization_id, created_at, id)`,
      `CREATE INDEX alerts_entity_id_idx ON alerts (entity_id)`,
      `ALTER TABLE alert_terms ADD CONSTRAINT alert_terms_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)`,
      `ALTER TABLE alerts ADD CONSTRAINT alerts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)`,
      `ALTER TABLE alerts ADD CONSTRAINT alerts_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES entities(id)`,
      `ALTER TABLE alerts ADD CONSTRAINT alerts_author_id_fkey FOREIGN KEY (author_id) REFERENCES resources(id)`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE alerts, alert_terms CASCADE');
  }
}
