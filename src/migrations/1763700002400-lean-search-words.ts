import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Most texts have no accents; for them, the function that removes accents is not called. */
const folded = (text: string): string =>
  `CASE WHEN octet_length(${text}) = char_length(${text}) THEN lower(${text}) ELSE public.fold_text(${text}) END`;

const searchWords = (body: string): string => `
  CREATE OR REPLACE FUNCTION search_words(name text, source text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
  ${body}`;

/**
 * The names in it say where they are, so that each call need not set a search path. The space before a text without a name
 * stays: without it, the parser reads a beginning such as `./run` differently.
 */
const LEAN_WORDS = searchWords(`AS $$
    DECLARE
      said text := left(coalesce(source, ''), 50000);
      named text;
    BEGIN
      said := ${folded('said')};
      IF name IS NULL THEN
        RETURN setweight(to_tsvector('pg_catalog.english', said), 'B')
          || strip(to_tsvector('public.unstemmed', ' ' || said));
      END IF;
      named := ${folded('name')};
      RETURN setweight(to_tsvector('pg_catalog.english', named), 'A')
        || setweight(to_tsvector('pg_catalog.english', said), 'B')
        || strip(to_tsvector('public.unstemmed', named || ' ' || said));
    END $$`);

const FORMER_WORDS = searchWords(`SET search_path = public AS $$
    DECLARE
      named text := fold_text(coalesce(name, ''));
      said text := fold_text(left(coalesce(source, ''), 50000));
    BEGIN
      RETURN setweight(to_tsvector('english', named), 'A') || setweight(to_tsvector('english', said), 'B')
        || strip(to_tsvector('unstemmed', named || ' ' || said));
    END $$`);

/** The words of what is written are found with less: a text without a name is not joined to an empty one. */
export class LeanSearchWords1763700002400 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(LEAN_WORDS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(FORMER_WORDS);
  }
}
