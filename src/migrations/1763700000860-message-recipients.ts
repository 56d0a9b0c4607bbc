import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores in each message the number of its recipients and the first ten, so that a row of a list costs the same for any
 * number of recipients. Recipients can remove a message from their inbox, and messages of the service can be as long as
 * a rendered prompt.
 */
export class MessageRecipients1763700000860 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `ALTER TABLE message_deliveries ADD COLUMN removed_at timestamptz(3)`,
      `DROP INDEX message_deliveries_unread_idx`,
      `CREATE INDEX message_deliveries_unread_idx ON message_deliveries (user_id, message_id)
        WHERE read_at IS NULL AND removed_at IS NULL`,
      `ALTER TABLE messages ADD COLUMN recipient_count integer NOT NULL DEFAULT 0,
        ADD COLUMN first_recipients text[] NOT NULL DEFAULT '{}'`,
      `ALTER TABLE messages DROP CONSTRAINT messages_content_check,
        ADD CONSTRAINT messages_content_check
          CHECK (char_length(content) BETWEEN 1 AND CASE WHEN sender_id IS NULL THEN 1048576 ELSE 50000 END)`,
      // The recipients are known only after the message is inserted, so these two columns stay changeable.
      `DROP TRIGGER messages_immutable ON messages`,
      `UPDATE messages m SET recipient_count = d.count, first_recipients = d.first
       FROM (SELECT d.message_id, count(*) AS count, (array_agg(d.resource_id ORDER BY r.name, r.id))[1:10] AS first
             FROM message_deliveries d JOIN resources r ON r.id = d.resource_id GROUP BY d.message_id) d
       WHERE d.message_id = m.id`,
      `CREATE TRIGGER messages_immutable BEFORE DELETE OR UPDATE OF id, created_at, sender_id, subject, content, intent,
        reply_to_id, thread_id, entity_type, entity_id, scope_type, scope_id, metadata
        ON messages FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DROP TRIGGER messages_immutable ON messages`,
      `UPDATE messages SET content = left(content, 50000) WHERE char_length(content) > 50000`,
      `ALTER TABLE messages DROP COLUMN recipient_count, DROP COLUMN first_recipients,
        DROP CONSTRAINT messages_content_check,
        ADD CONSTRAINT messages_content_check CHECK (char_length(content) BETWEEN 1 AND 50000)`,
      `CREATE TRIGGER messages_immutable BEFORE UPDATE OR DELETE ON messages FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
      `DROP INDEX message_deliveries_unread_idx`,
      `DELETE FROM message_deliveries WHERE removed_at IS NOT NULL`,
      `ALTER TABLE message_deliveries DROP COLUMN removed_at`,
      `CREATE INDEX message_deliveries_unread_idx ON message_deliveries (user_id, message_id) WHERE read_at IS NULL`,
    ]) {
      await runner.query(statement);
    }
  }
}
