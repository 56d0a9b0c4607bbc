import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Messages, their delivery to each recipient, and the result of each copy by mail. */
export class Messages1763700000500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `-- Generates ids of the same form as the service, for statements that insert many rows.
      CREATE FUNCTION new_id(prefix text) RETURNS text LANGUAGE sql VOLATILE AS $$
        SELECT prefix || '_' || lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0')
          || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14) $$`,
      `CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION '% is never changed', TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; END $$`,
      `CREATE TABLE messages (
        id text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        sender_id text,
        subject text,
        content text NOT NULL,
        intent text NOT NULL DEFAULT 'info',
        reply_to_id text,
        thread_id text NOT NULL,
        entity_type text,
        entity_id text,
        scope_type text,
        scope_id text,
        metadata jsonb NOT NULL DEFAULT '{}',
        CONSTRAINT messages_intent_check CHECK (intent IN ('info', 'question', 'action', 'alert')),
        CONSTRAINT messages_scope_type_check CHECK (scope_type IN ('endeavour', 'organization')),
        CONSTRAINT messages_scope_id_check CHECK ((scope_type IS NULL) = (scope_id IS NULL)),
        CONSTRAINT messages_entity_id_check CHECK ((entity_type IS NULL) = (entity_id IS NULL)),
        CONSTRAINT messages_subject_check CHECK (char_length(subject) <= 500),
        CONSTRAINT messages_content_check CHECK (char_length(content) BETWEEN 1 AND 50000),
        CONSTRAINT messages_metadata_check CHECK (jsonb_typeof(metadata) = 'object'),
        CONSTRAINT messages_pkey PRIMARY KEY (id),
        CONSTRAINT messages_id_fkey FOREIGN KEY (id) REFERENCES entities(id),
        CONSTRAINT messages_sender_id_fkey FOREIGN KEY (sender_id) REFERENCES resources(id),
        CONSTRAINT messages_reply_to_id_fkey FOREIGN KEY (reply_to_id) REFERENCES messages(id),
        CONSTRAINT messages_thread_id_fkey FOREIGN KEY (thread_id) REFERENCES messages(id),
        CONSTRAINT messages_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES entities(id),
        CONSTRAINT messages_scope_id_fkey FOREIGN KEY (scope_id) REFERENCES entities(id)
      )`,
      `CREATE TABLE message_deliveries (
        id text NOT NULL,
        message_id text NOT NULL,
        resource_id text NOT NULL,
        user_id text,
        read_at timestamptz(3),
        mail_copy text,
        CONSTRAINT message_deliveries_mail_copy_check CHECK (mail_copy IN ('copied', 'failed')),
        CONSTRAINT message_deliveries_pkey PRIMARY KEY (id),
        CONSTRAINT message_deliveries_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages(id),
        CONSTRAINT message_deliveries_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES resources(id),
        CONSTRAINT message_deliveries_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
      )`,
      `CREATE INDEX messages_sender_id_created_at_id_idx ON messages (sender_id, created_at, id)`,
      `CREATE INDEX messages_thread_id_created_at_id_idx ON messages (thread_id, created_at, id)`,
      `CREATE INDEX messages_entity_id_idx ON messages (entity_id)`,
      `CREATE INDEX messages_created_at_id_idx ON messages (created_at, id)`,
      `CREATE INDEX messages_subject_trigram_idx ON messages USING gin (subject gin_trgm_ops)`,
      `CREATE INDEX messages_content_trigram_idx ON messages USING gin (content gin_trgm_ops)`,
      `CREATE UNIQUE INDEX message_deliveries_message_id_resource_id_idx ON message_deliveries (message_id, resource_id)`,
      `CREATE INDEX message_deliveries_user_id_message_id_idx ON message_deliveries (user_id, message_id)`,
      `CREATE INDEX message_deliveries_unread_idx ON message_deliveries (user_id, message_id) WHERE read_at IS NULL`,
      `CREATE TRIGGER messages_immutable BEFORE UPDATE OR DELETE ON messages FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
      `CREATE FUNCTION keep_mail_copy() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          UPDATE message_deliveries SET mail_copy = CASE NEW.status WHEN 'sent' THEN 'copied' ELSE 'failed' END
          WHERE id = NEW.reference;
          RETURN NULL;
        END $$`,
      `CREATE TRIGGER outbox_keep_mail_copy AFTER UPDATE OF status ON outbox FOR EACH ROW
        WHEN (NEW.kind = 'message_copy' AND NEW.status IN ('sent', 'failed')) EXECUTE FUNCTION keep_mail_copy()`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DROP TRIGGER outbox_keep_mail_copy ON outbox`,
      `DROP FUNCTION keep_mail_copy`,
      `DROP TABLE message_deliveries, messages`,
      `DROP FUNCTION refuse_change`,
      `DROP FUNCTION new_id`,
    ]) {
      await runner.query(statement);
    }
  }
}
