import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Comments on entities, their earlier texts, and the resources that were notified of a mention. */
export class Comments1763700000503 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE TABLE comments (
        id text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        revision integer NOT NULL DEFAULT 1,
        entity_type text NOT NULL,
        entity_id text NOT NULL,
        reply_to_id text,
        content text NOT NULL,
        author_id text NOT NULL,
        metadata jsonb NOT NULL DEFAULT '{}',
        edited_at timestamptz(3),
        deleted_at timestamptz(3),
        CONSTRAINT comments_entity_type_check CHECK (entity_type IN ('task', 'demand', 'endeavour', 'artifact', 'ritual', 'organization', 'dod_policy', 'template')),
        CONSTRAINT comments_content_check CHECK (char_length(content) BETWEEN 1 AND 50000),
        CONSTRAINT comments_reply_to_id_check CHECK (reply_to_id <> id),
        CONSTRAINT comments_metadata_check CHECK (jsonb_typeof(metadata) = 'object'),
        CONSTRAINT comments_pkey PRIMARY KEY (id),
        CONSTRAINT comments_id_entity_id_key UNIQUE (id, entity_id),
        CONSTRAINT comments_id_fkey FOREIGN KEY (id) REFERENCES entities(id),
        CONSTRAINT comments_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES entities(id),
        CONSTRAINT comments_author_id_fkey FOREIGN KEY (author_id) REFERENCES resources(id),
        CONSTRAINT comments_reply_to_id_entity_id_fkey FOREIGN KEY (reply_to_id, entity_id)
          REFERENCES comments (id, entity_id)
      )`,
      `CREATE TABLE comment_texts (
        id bigserial NOT NULL,
        comment_id text NOT NULL,
        content text NOT NULL,
        written_at timestamptz(3) NOT NULL,
        replaced_at timestamptz(3) NOT NULL,
        CONSTRAINT comment_texts_pkey PRIMARY KEY (id),
        CONSTRAINT comment_texts_comment_id_fkey FOREIGN KEY (comment_id) REFERENCES comments(id)
      )`,
      `CREATE TABLE comment_mentions (
        comment_id text NOT NULL,
        resource_id text NOT NULL,
        CONSTRAINT comment_mentions_pkey PRIMARY KEY (comment_id, resource_id),
        CONSTRAINT comment_mentions_comment_id_fkey FOREIGN KEY (comment_id) REFERENCES comments(id),
        CONSTRAINT comment_mentions_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES resources(id)
      )`,
      `CREATE INDEX comments_entity_id_created_at_id_idx ON comments (entity_id, created_at, id)`,
      `CREATE INDEX comments_author_id_created_at_id_idx ON comments (author_id, created_at, id)`,
      `CREATE INDEX comments_created_at_id_idx ON comments (created_at, id)`,
      `CREATE INDEX comments_reply_to_id_idx ON comments (reply_to_id)`,
      `CREATE INDEX comments_content_trigram_idx ON comments USING gin (content gin_trgm_ops)`,
      `CREATE INDEX comment_texts_comment_id_replaced_at_idx ON comment_texts (comment_id, replaced_at)`,
      `CREATE FUNCTION keep_comment_text() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO comment_texts (comment_id, content, written_at, replaced_at)
          VALUES (OLD.id, OLD.content, coalesce(OLD.edited_at, OLD.created_at), clock_timestamp());
          RETURN NULL;
        END $$`,
      `CREATE TRIGGER comments_keep_text AFTER UPDATE OF content ON comments FOR EACH ROW
        WHEN (NEW.content <> OLD.content) EXECUTE FUNCTION keep_comment_text()`,
      `CREATE TRIGGER comment_texts_immutable BEFORE UPDATE OR DELETE ON comment_texts FOR EACH ROW
        EXECUTE FUNCTION refuse_change()`,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `DROP TABLE comment_mentions, comment_texts, comments`,
      `DROP FUNCTION keep_comment_text`,
    ]) {
      await runner.query(statement);
    }
  }
}
