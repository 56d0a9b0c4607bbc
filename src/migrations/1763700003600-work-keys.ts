import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The tables and columns of keys; without functions, so that it blocks readers for an instant only. */
export class WorkKeys1763700003600 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE endeavour_keys (scope_id text NOT NULL, key text NOT NULL, endeavour_id text NOT NULL, CONSTRAINT endeavour_keys_key_check CHECK (key ~ '^[A-Z][A-Z0-9]{1,9}$'), CONSTRAINT endeavour_keys_pkey PRIMARY KEY (scope_id, key))`,
    );
    await runner.query(`CREATE INDEX endeavour_keys_key_idx ON endeavour_keys (key)`);
    await runner.query(`CREATE INDEX endeavour_keys_endeavour_id_key_idx ON endeavour_keys (endeavour_id, key)`);
    await runner.query(
      `CREATE TABLE unnumbered_endeavours (endeavour_id text NOT NULL, next_number integer NOT NULL DEFAULT '1', after_time TIMESTAMP(3) WITH TIME ZONE, after_id text NOT NULL DEFAULT '', CONSTRAINT unnumbered_endeavours_pkey PRIMARY KEY (endeavour_id))`,
    );
    await runner.query(
      `CREATE TABLE work_numbers (endeavour_id text NOT NULL, number integer NOT NULL, entity_id text, is_former boolean NOT NULL DEFAULT false, CONSTRAINT work_numbers_number_check CHECK (number > 0), CONSTRAINT work_numbers_pkey PRIMARY KEY (endeavour_id, number))`,
    );
    await runner.query(`CREATE INDEX work_numbers_former_idx ON work_numbers (entity_id) WHERE is_former`);
    await runner.query(`ALTER TABLE demands ADD number integer`);
    await runner.query(`ALTER TABLE demands ADD former_numbers jsonb`);
    await runner.query(`ALTER TABLE endeavours ADD key text`);
    await runner.query(`ALTER TABLE tasks ADD number integer`);
    await runner.query(`ALTER TABLE tasks ADD former_numbers jsonb`);
    await runner.query(
      `ALTER TABLE endeavours ADD CONSTRAINT endeavours_key_check CHECK (key ~ '^[A-Z][A-Z0-9]{1,9}$')`,
    );
    await runner.query(
      `ALTER TABLE endeavour_keys ADD CONSTRAINT endeavour_keys_endeavour_id_fkey FOREIGN KEY (endeavour_id) REFERENCES endeavours(id) ON DELETE CASCADE ON UPDATE NO ACTION DEFERRABLE INITIALLY DEFERRED`,
    );
    await runner.query(
      `ALTER TABLE unnumbered_endeavours ADD CONSTRAINT unnumbered_endeavours_endeavour_id_fkey FOREIGN KEY (endeavour_id) REFERENCES endeavours(id) ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE work_numbers ADD CONSTRAINT work_numbers_endeavour_id_fkey FOREIGN KEY (endeavour_id) REFERENCES endeavours(id) ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE work_numbers DROP CONSTRAINT work_numbers_endeavour_id_fkey`);
    await runner.query(`ALTER TABLE unnumbered_endeavours DROP CONSTRAINT unnumbered_endeavours_endeavour_id_fkey`);
    await runner.query(`ALTER TABLE endeavour_keys DROP CONSTRAINT endeavour_keys_endeavour_id_fkey`);
    await runner.query(`ALTER TABLE endeavours DROP CONSTRAINT endeavours_key_check`);
    await runner.query(`ALTER TABLE tasks DROP COLUMN former_numbers`);
    await runner.query(`ALTER TABLE tasks DROP COLUMN number`);
    await runner.query(`ALTER TABLE endeavours DROP COLUMN key`);
    await runner.query(`ALTER TABLE demands DROP COLUMN former_numbers`);
    await runner.query(`ALTER TABLE demands DROP COLUMN number`);
    await runner.query(`DROP INDEX work_numbers_former_idx`);
    await runner.query(`DROP TABLE work_numbers`);
    await runner.query(`DROP TABLE unnumbered_endeavours`);
    await runner.query(`DROP INDEX endeavour_keys_endeavour_id_key_idx`);
    await runner.query(`DROP INDEX endeavour_keys_key_idx`);
    await runner.query(`DROP TABLE endeavour_keys`);
  }
}
