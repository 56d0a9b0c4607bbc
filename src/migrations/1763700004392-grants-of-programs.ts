import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the grants of a program, without blocking writes. */
export class GrantsOfPrograms1763700004392 implements MigrationInterface {
  static readonly phase = 'expand';
  /** A transaction cannot build an index beside writers. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // What an interrupted run left is not valid.
    await runner.query('DROP INDEX IF EXISTS access_tokens_client_id_idx');
    await runner.query(
      'CREATE INDEX CONCURRENTLY access_tokens_client_id_idx ON access_tokens (client_id) WHERE client_id IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX access_tokens_client_id_idx');
  }
}
