import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores only successful responses by idempotency key: an error response changed nothing, so clients may retry with the
 * key.
 */
export class StoredAnswers1763700000905 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM idempotency_keys WHERE status NOT BETWEEN 200 AND 299');
    await runner.query(
      'ALTER TABLE idempotency_keys ADD CONSTRAINT idempotency_keys_status_check CHECK (status BETWEEN 200 AND 299)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE idempotency_keys DROP CONSTRAINT idempotency_keys_status_check');
  }
}
