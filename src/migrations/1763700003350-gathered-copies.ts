import type { MigrationInterface, QueryRunner } from 'typeorm';

const KINDS = [
  'verification',
  'password_reset',
  'password_changed',
  'invitation',
  'email_change',
  'email_changed',
  'message_copy',
  'notifications',
  'container_archived',
  'container_erasure',
  'container_erasure_stopped',
  'endeavour_transfer_requested',
  'endeavour_transferred',
  'endeavour_unlinked',
];

const kindCheck = (kinds: readonly string[]): string[] => [
  `ALTER TABLE outbox DROP CONSTRAINT outbox_kind_check,
     ADD CONSTRAINT outbox_kind_check CHECK (kind IN ('${kinds.join("', '")}')) NOT VALID`,
  `ALTER TABLE outbox VALIDATE CONSTRAINT outbox_kind_check`,
];

const STATEMENTS = [
  ...kindCheck([...KINDS, 'message_copies']),
  `CREATE TABLE message_copies (
     delivery_id text NOT NULL,
     user_id text NOT NULL,
     sender_id text,
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     gathered_at timestamptz(3),
     mail text,
     CONSTRAINT message_copies_pkey PRIMARY KEY (delivery_id),
     CONSTRAINT message_copies_gathered_check CHECK ((gathered_at IS NULL) = (mail IS NULL)),
     CONSTRAINT message_copies_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES message_deliveries(id) ON DELETE CASCADE,
     CONSTRAINT message_copies_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
     CONSTRAINT message_copies_sender_id_fkey FOREIGN KEY (sender_id) REFERENCES resources(id)
   )`,
  `CREATE INDEX message_copies_waiting_idx ON message_copies (user_id) WHERE mail IS NULL`,
  `CREATE INDEX message_copies_user_id_created_at_idx ON message_copies (user_id, created_at)`,
  `CREATE INDEX message_copies_user_id_gathered_at_idx ON message_copies (user_id, gathered_at)`,
  `CREATE INDEX message_copies_mail_idx ON message_copies (mail)`,
  `CREATE INDEX message_copies_created_at_idx ON message_copies (created_at)`,
  `CREATE FUNCTION keep_gathered_copies() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF NEW.status = 'lapsed' THEN
         DELETE FROM message_copies WHERE mail = NEW.reference;
       ELSE
         UPDATE message_deliveries d SET mail_copy = CASE NEW.status WHEN 'sent' THEN 'copied' ELSE 'failed' END
         FROM message_copies c WHERE c.mail = NEW.reference AND d.id = c.delivery_id;
       END IF;
       RETURN NULL;
     END $$`,
  `CREATE TRIGGER outbox_keep_gathered_copies AFTER UPDATE OF status ON outbox FOR EACH ROW
     WHEN (NEW.kind = 'message_copies' AND NEW.status <> 'pending' OR NEW.kind = 'message_copy' AND NEW.status = 'lapsed')
     EXECUTE FUNCTION keep_gathered_copies()`,
];

/**
 * Copies of messages that wait for their mail: one mail per recipient and quarter of an hour contains all of them. A release
 * that knows only single copies postpones the mails of the new kind, until one that knows them sends them.
 */
export class GatheredCopies1763700003350 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      'DROP TRIGGER outbox_keep_gathered_copies ON outbox',
      'DROP FUNCTION keep_gathered_copies',
      'DROP TABLE message_copies',
      "DELETE FROM outbox WHERE kind = 'message_copies'",
      ...kindCheck(KINDS),
    ]) {
      await runner.query(statement);
    }
  }
}
