import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When each recurring job is due, and the claim of the process that runs it. */
export class Jobs1763700000202 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE jobs (
      name text NOT NULL,
      due_at timestamptz(3) NOT NULL,
      claim integer NOT NULL DEFAULT 0,
      locked_until timestamptz(3),
      finished_at timestamptz(3),
      last_error text,
      CONSTRAINT jobs_pkey PRIMARY KEY (name)
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE jobs');
  }
}
