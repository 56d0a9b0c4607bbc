import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The queue of mails to send, and the status of each. */
export class Outbox1763700000201 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE TABLE outbox (
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        kind text NOT NULL,
        recipient text NOT NULL,
        lang text NOT NULL,
        data jsonb NOT NULL,
        reference text,
        status text NOT NULL DEFAULT 'pending',
        attempts integer NOT NULL DEFAULT 0,
        due_at timestamptz(3) NOT NULL,
        locked_until timestamptz(3),
        last_error text,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        finished_at timestamptz(3),
        CONSTRAINT outbox_kind_check CHECK (kind IN ('verification', 'password_reset', 'password_changed', 'invitation', 'email_change', 'email_changed', 'message_copy')),
        CONSTRAINT outbox_status_check CHECK (status IN ('pending', 'sent', 'failed', 'lapsed')),
        CONSTRAINT outbox_pkey PRIMARY KEY (id)
      )`,
      `CREATE INDEX outbox_due_at_idx ON outbox (due_at) WHERE status = 'pending'`,
      `CREATE INDEX outbox_created_at_idx ON outbox (created_at)`,
      `CREATE INDEX outbox_reference_idx ON outbox (reference)`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE outbox');
  }
}
