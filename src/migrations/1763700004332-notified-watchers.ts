import type { MigrationInterface, QueryRunner } from 'typeorm';

const KINDS = ['assigned', 'owner_changed', 'review_wanted', 'verdict', 'comment', 'due', 'vote_wanted', 'invitation'];

const acceptKinds = (kinds: readonly string[]): string =>
  `ALTER TABLE notifications DROP CONSTRAINT notifications_kinds_check,
     ADD CONSTRAINT notifications_kinds_check CHECK (kinds <@ '{${kinds.join(',')}}' AND cardinality(kinds) > 0) NOT VALID`;

/** Notifications of those who watch. */
export class NotifiedWatchers1763700004332 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(acceptKinds([...KINDS.slice(0, -1), 'watching', 'invitation']));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM notifications WHERE 'watching' = ANY(kinds)`);
    await runner.query(acceptKinds(KINDS));
    await runner.query(`ALTER TABLE notifications VALIDATE CONSTRAINT notifications_kinds_check`);
  }
}
