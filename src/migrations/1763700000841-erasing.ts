import type { MigrationInterface, QueryRunner } from 'typeorm';

const ARTIFACT_TEXTS = `'{"title": null, "url": null, "summary": null, "tags": null, "metadata": null}'::jsonb`;

/**
 * Erases the texts of deleted comments and artifacts. Transactions that set `worksmith.erasing` can now erase immutable
 * rows.
 */
export class Erasing1763700000841 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF current_setting('worksmith.erasing', true) = 'on' THEN
            RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
          END IF;
          RAISE EXCEPTION '% is never changed', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
        END $$`,
      `ALTER TABLE comments ALTER COLUMN content DROP NOT NULL,
        ADD CONSTRAINT comments_deleted_at_check CHECK (content IS NOT NULL OR deleted_at IS NOT NULL)`,
      `SET LOCAL worksmith.erasing = 'on'`,
      `UPDATE entities SET title = 'Deleted comment' FROM comments c WHERE c.id = entities.id AND c.deleted_at IS NOT NULL`,
      `DELETE FROM comment_texts USING comments c WHERE c.id = comment_id AND c.deleted_at IS NOT NULL`,
      `UPDATE comments SET content = NULL, metadata = '{}' WHERE deleted_at IS NOT NULL`,
      `UPDATE entities SET title = 'Deleted artifact' FROM artifacts a WHERE a.id = entities.id AND a.deleted_at IS NOT NULL`,
      `UPDATE artifacts SET title = 'Deleted artifact', url = NULL, summary = NULL, tags = '{}', metadata = '{}'
        WHERE deleted_at IS NOT NULL`,
      `UPDATE events v SET data = (v.data::jsonb || ${ARTIFACT_TEXTS})::json,
          previous = (v.previous::jsonb - ARRAY['title', 'url', 'summary', 'tags', 'metadata'])::json
        FROM artifacts a WHERE a.id = v.entity_id AND a.deleted_at IS NOT NULL`,
      `SET LOCAL worksmith.erasing = 'off'`,
    ]) {
      await runner.query(statement);
    }
  }

  /**
   * Erased texts cannot be restored; comments without text get a placeholder, because the column becomes NOT NULL
   * again.
   */
  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      `UPDATE comments SET content = 'Deleted comment' WHERE content IS NULL`,
      `ALTER TABLE comments DROP CONSTRAINT comments_deleted_at_check, ALTER COLUMN content SET NOT NULL`,
      `CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION '% is never changed', TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; END $$`,
    ]) {
      await runner.query(statement);
    }
  }
}
