import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Records which transaction mentioned a resource in a comment for the first time, so that the event of an edit lists
 * only the new mentions. Mentions before this migration were notified already and have no transaction.
 */
export class NewMentions1763700002440 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE comment_mentions ADD COLUMN transaction bigint`);
    await runner.query(`ALTER TABLE comment_mentions ALTER COLUMN transaction SET DEFAULT this_transaction()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE comment_mentions DROP COLUMN transaction`);
  }
}
