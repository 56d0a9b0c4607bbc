import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Records who closed an account, when it is to be erased, and when it was erased. */
export class AccountErasure1763700000842 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE users ADD COLUMN erasure_at timestamptz(3), ADD COLUMN closed_by text, ADD COLUMN erased_at timestamptz(3),
        ADD CONSTRAINT users_erasure_at_check CHECK (erasure_at IS NULL OR status <> 'active'),
        ADD CONSTRAINT users_closed_by_fkey FOREIGN KEY (closed_by) REFERENCES users(id)`,
    );
    await runner.query(`CREATE INDEX users_erasure_at_idx ON users (erasure_at) WHERE erasure_at IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE users DROP COLUMN erased_at, DROP COLUMN closed_by, DROP COLUMN erasure_at`);
  }
}
