import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Searches find labels. Confirms what holds for all rows, without blocking writes, and lets a job convert what imports left in metadata. */
export class SearchedLabels1763700004104 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE OR REPLACE FUNCTION keep_words() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.words := public.search_words(NEW.title, concat_ws(' ', NEW.external_ref ->> 'id',
          CASE WHEN NEW.labels IS NOT NULL THEN array_to_string(public.label_names(NEW.labels), ' ') END, NEW.description));
        RETURN NEW;
      END $$`);
    await runner.query(`CREATE OR REPLACE FUNCTION renew_search_words(most integer) RETURNS boolean LANGUAGE plpgsql AS $$
      DECLARE
        due record;
        last text;
        counted integer;
      BEGIN
        SELECT table_name, after_id INTO due FROM search_renewals ORDER BY table_name LIMIT 1 FOR UPDATE;
        IF NOT FOUND THEN RETURN false; END IF;
        EXECUTE format(
          'WITH batch AS MATERIALIZED (SELECT id FROM %I WHERE id > $1 ORDER BY id LIMIT $2 FOR NO KEY UPDATE),
             renewed AS (UPDATE %I row SET words = search_words(%s) FROM batch WHERE row.id = batch.id)
           SELECT max(id), count(*) FROM batch',
          due.table_name, due.table_name, CASE due.table_name WHEN 'organizations' THEN 'name, description'
            WHEN 'endeavours' THEN 'name, description' WHEN 'demands'
            THEN 'title, concat_ws('' '', external_ref ->> ''id'', nullif(array_to_string(label_names(labels), '' ''), ''''), description)'
            WHEN 'tasks'
            THEN 'title, concat_ws('' '', external_ref ->> ''id'', nullif(array_to_string(label_names(labels), '' ''), ''''), description)'
            WHEN 'artifacts'
            THEN 'title, summary' WHEN 'dod_policies' THEN 'name, description' WHEN 'rituals'
            THEN 'name, description' WHEN 'templates' THEN 'name, body' WHEN 'resources' THEN 'name, NULL'
            WHEN 'comments' THEN 'NULL, content' WHEN 'messages' THEN 'subject, content' END) INTO last,
            counted USING due.after_id, most;
        IF counted < most THEN
          DELETE FROM search_renewals WHERE table_name = due.table_name;
        ELSE
          UPDATE search_renewals SET after_id = last WHERE table_name = due.table_name;
        END IF;
        RETURN true;
      END $$`);
    await runner.query(`ALTER TABLE tasks VALIDATE CONSTRAINT tasks_labels_check`);
    await runner.query(`ALTER TABLE demands VALIDATE CONSTRAINT demands_labels_check`);
    await runner.query(`INSERT INTO label_conversions (table_name) VALUES ('demands'), ('tasks')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM label_conversions`);
    await runner.query(`CREATE OR REPLACE FUNCTION renew_search_words(most integer) RETURNS boolean LANGUAGE plpgsql AS $$
      DECLARE
        due record;
        last text;
        counted integer;
      BEGIN
        SELECT table_name, after_id INTO due FROM search_renewals ORDER BY table_name LIMIT 1 FOR UPDATE;
        IF NOT FOUND THEN RETURN false; END IF;
        EXECUTE format(
          'WITH batch AS MATERIALIZED (SELECT id FROM %I WHERE id > $1 ORDER BY id LIMIT $2 FOR NO KEY UPDATE),
             renewed AS (UPDATE %I row SET words = search_words(%s) FROM batch WHERE row.id = batch.id)
           SELECT max(id), count(*) FROM batch',
          due.table_name, due.table_name, CASE due.table_name WHEN 'organizations' THEN 'name, description'
            WHEN 'endeavours' THEN 'name, description' WHEN 'demands'
            THEN 'title, concat_ws('' '', external_ref ->> ''id'', description)' WHEN 'tasks'
            THEN 'title, concat_ws('' '', external_ref ->> ''id'', description)' WHEN 'artifacts'
            THEN 'title, summary' WHEN 'dod_policies' THEN 'name, description' WHEN 'rituals'
            THEN 'name, description' WHEN 'templates' THEN 'name, body' WHEN 'resources' THEN 'name, NULL'
            WHEN 'comments' THEN 'NULL, content' WHEN 'messages' THEN 'subject, content' END) INTO last,
            counted USING due.after_id, most;
        IF counted < most THEN
          DELETE FROM search_renewals WHERE table_name = due.table_name;
        ELSE
          UPDATE search_renewals SET after_id = last WHERE table_name = due.table_name;
        END IF;
        RETURN true;
      END $$`);
    await runner.query(`CREATE OR REPLACE FUNCTION keep_words() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.words := public.search_words(NEW.title, concat_ws(' ', NEW.external_ref ->> 'id', NEW.description));
        RETURN NEW;
      END $$`);
  }
}
