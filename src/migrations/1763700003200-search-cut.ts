import type { MigrationInterface, QueryRunner } from 'typeorm';
import { FORMER_FUNCTIONS, SEARCH_FUNCTIONS } from './seeds/search-functions.js';

/** By table: SQL for the name and the text of a row. */
const TEXTS: Record<string, readonly [string, string]> = {
  organizations: ['name', 'description'],
  endeavours: ['name', 'description'],
  demands: ['title', `concat_ws(' ', external_ref ->> 'id', description)`],
  tasks: ['title', `concat_ws(' ', external_ref ->> 'id', description)`],
  artifacts: ['title', 'summary'],
  dod_policies: ['name', 'description'],
  rituals: ['name', 'description'],
  templates: ['name', 'body'],
  resources: ['name', 'NULL'],
  comments: ['NULL', 'content'],
  messages: ['subject', 'content'],
};
const TABLES = Object.keys(TEXTS);

/** Renews the words of the next rows of one table; returns whether there may be more. */
const RENEW = `CREATE FUNCTION renew_search_words(most integer) RETURNS boolean LANGUAGE plpgsql AS $$
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
      due.table_name, due.table_name, CASE due.table_name ${TABLES.map(
        (table) => `WHEN '${table}' THEN '${TEXTS[table].join(', ').replaceAll("'", "''")}'`,
      ).join(' ')} END) INTO last, counted USING due.after_id, most;
    IF counted < most THEN
      DELETE FROM search_renewals WHERE table_name = due.table_name;
    ELSE
      UPDATE search_renewals SET after_id = last WHERE table_name = due.table_name;
    END IF;
    RETURN true;
  END $$`;

/** Work is also found by its id elsewhere. */
const KEEP_WORDS = `CREATE OR REPLACE FUNCTION keep_words() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.words := public.search_words(NEW.title, concat_ws(' ', NEW.external_ref ->> 'id', NEW.description));
    RETURN NEW;
  END $$`;
const FORMER_KEEP_WORDS = KEEP_WORDS.replace(/concat_ws.*?description\)/, 'NEW.description');

const watch = (table: string, columns: string): string =>
  `CREATE OR REPLACE TRIGGER ${table}_keep_words BEFORE INSERT OR UPDATE OF ${columns} ON ${table}
   FOR EACH ROW EXECUTE FUNCTION keep_words()`;

/**
 * Cuts and folds texts for the search, and what is searched for, by the same functions. New texts are cut at once; the rows
 * that exist are listed in `search_renewals`, and a job renews their words in small batches, because that takes minutes in a
 * large database. Until then, searches find them by the words as they were cut before.
 */
export class SearchCut1763700003200 implements MigrationInterface {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...SEARCH_FUNCTIONS, KEEP_WORDS]) await runner.query(statement);
    for (const table of ['demands', 'tasks']) await runner.query(watch(table, 'title, description, external_ref'));
    await runner.query(`CREATE TABLE search_renewals (
      table_name text NOT NULL, after_id text NOT NULL DEFAULT '', CONSTRAINT search_renewals_pkey PRIMARY KEY (table_name))`);
    for (const table of TABLES)
      await runner.query(
        `INSERT INTO search_renewals (table_name) SELECT '${table}' WHERE EXISTS (SELECT 1 FROM ${table})`,
      );
    await runner.query(RENEW);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION renew_search_words(integer)');
    await runner.query('DROP TABLE search_renewals');
    for (const statement of [...FORMER_FUNCTIONS, FORMER_KEEP_WORDS]) await runner.query(statement);
    for (const table of ['demands', 'tasks']) await runner.query(watch(table, 'title, description'));
  }
}
