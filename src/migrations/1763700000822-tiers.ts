import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores the limits of the tiers in rows that administrators can change, starting with the former fixed values. */
export class Tiers1763700000822 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE TABLE tiers (
        id smallint NOT NULL,
        name text NOT NULL,
        max_orgs integer NOT NULL,
        max_active_endeavours integer NOT NULL,
        max_endeavours_per_org integer NOT NULL,
        max_agents_per_org integer NOT NULL,
        max_teams_per_org integer NOT NULL,
        max_creations_per_hour integer NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        revision integer NOT NULL DEFAULT 1,
        CONSTRAINT tiers_name_check CHECK (char_length(name) BETWEEN 1 AND 100),
        CONSTRAINT tiers_limits_check CHECK (least(max_orgs, max_active_endeavours, max_endeavours_per_org,
          max_agents_per_org, max_teams_per_org, max_creations_per_hour) >= -1),
        CONSTRAINT tiers_pkey PRIMARY KEY (id)
      )`,
      `INSERT INTO tiers (id, name, max_orgs, max_active_endeavours, max_endeavours_per_org, max_agents_per_org,
         max_teams_per_org, max_creations_per_hour)
       VALUES (1, 'explorer', 1, 1, 3, 5, 5, 60), (2, 'professional', 5, 10, -1, 25, 25, 300),
         (3, 'enterprise', -1, -1, -1, -1, -1, -1)`,
      `ALTER TABLE users ADD CONSTRAINT users_tier_fkey FOREIGN KEY (tier) REFERENCES tiers(id)`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE users DROP CONSTRAINT users_tier_fkey`);
    await runner.query(`DROP TABLE tiers`);
  }
}
