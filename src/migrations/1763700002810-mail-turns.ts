import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = [
  `ALTER TABLE outbox ADD COLUMN sender text, ADD COLUMN turn integer NOT NULL DEFAULT 0`,
  `CREATE INDEX outbox_turn_idx ON outbox (turn, due_at) WHERE status = 'pending'`,
  `CREATE INDEX outbox_sender_idx ON outbox (sender, created_at) WHERE sender IS NOT NULL`,
  `ALTER TABLE invitations DROP CONSTRAINT invitations_mail_status_check,
    ADD CONSTRAINT invitations_mail_status_check CHECK (mail_status IN ('queued', 'sent', 'failed', 'not_sent'))`,
];

/** Stores who caused a mail and its turn among the waiting ones, so that many mails of one sender delay no others; invitations that are not mailed say so. */
export class MailTurns1763700002810 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outbox DROP COLUMN sender, DROP COLUMN turn');
    await runner.query(
      `ALTER TABLE invitations DROP CONSTRAINT invitations_mail_status_check,
        ADD CONSTRAINT invitations_mail_status_check CHECK (mail_status IN ('queued', 'sent', 'failed')) NOT VALID`,
    );
  }
}
