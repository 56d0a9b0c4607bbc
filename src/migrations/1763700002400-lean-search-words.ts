import type { MigrationInterface, QueryRunner } from 'typeorm';

/** SQL: the text in lower case without accents. Calls fold_text only if the text is not ASCII, which is rare. */
const folded = (text: string): string =>
  `CASE WHEN octet_length(${text}) = char_length(${text}) THEN lower(${text}) ELSE public.fold_text(${text}) END`;

const searchWords = (body: string): string => `
  CREATE OR REPLACE FUNCTION search_words(name text, source text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
  ${body}`;

/**
 * Names include their schema, so that calls need not set a search path. A text without a name still starts with a
 * space: without it, the parser reads a beginning such as `./run` differently.
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

/** Makes search_words faster for ASCII texts and for texts without a name. */
export class LeanSearchWords1763700002400 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(LEAN_WORDS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(FORMER_WORDS);
  }
}
