import type { MigrationInterface, QueryRunner } from 'typeorm';

/** By table: the column with the name of a row, and the column with its text. */
const TEXTS: Record<string, readonly [string, string]> = {
  artifacts: ['title', 'summary'],
  comments: ['NULL', 'content'],
  demands: ['title', 'description'],
  dod_policies: ['name', 'description'],
  endeavours: ['name', 'description'],
  messages: ['subject', 'content'],
  organizations: ['name', 'description'],
  resources: ['name', 'NULL'],
  rituals: ['name', 'description'],
  tasks: ['title', 'description'],
  templates: ['name', 'body'],
};

/** The tables whose search words one shared trigger function already maintained. */
const WORK = ['demands', 'tasks'];

const ADDED = Object.keys(TEXTS).filter((table) => !WORK.includes(table));

/** Letters that Unicode does not decompose, and what people type instead. */
const LETTERS: readonly [string, string][] = [
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
];
const [ACCENTED, PLAIN] = ['øłđħŧıðþ', 'oldhtidt'];

const withoutLetters = LETTERS.reduce((sql, [letter, typed]) => `replace(${sql}, '${letter}', '${typed}')`, 'bare');

const FUNCTIONS = [
  // Composes the text again (NFC), because the parser splits a decomposed syllable into separate words.
  `CREATE FUNCTION fold_text(source text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT CASE WHEN octet_length(source) = char_length(source) THEN lower(source) ELSE (
      SELECT translate(${withoutLetters}, '${ACCENTED}', '${PLAIN}') FROM (
        SELECT normalize(regexp_replace(normalize(lower(source), NFD), '[\\u0300-\\u036f]', '', 'g'), NFC) AS bare) folded)
    END $$`,
  `CREATE TEXT SEARCH DICTIONARY unstemmed (TEMPLATE = pg_catalog.simple, STOPWORDS = english)`,
  `CREATE TEXT SEARCH CONFIGURATION unstemmed (COPY = pg_catalog.simple)`,
  `ALTER TEXT SEARCH CONFIGURATION unstemmed
    ALTER MAPPING FOR asciiword, asciihword, hword_asciipart, word, hword, hword_part WITH unstemmed`,
  // Stems have weights and positions; the unstemmed words are added for searches by the beginning of a word.
  `CREATE FUNCTION search_words(name text, source text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
      SET search_path = public AS $$
    DECLARE
      named text := fold_text(coalesce(name, ''));
      said text := fold_text(left(coalesce(source, ''), 50000));
    BEGIN
      RETURN setweight(to_tsvector('english', named), 'A') || setweight(to_tsvector('english', said), 'B')
        || strip(to_tsvector('unstemmed', named || ' ' || said));
    END $$`,
];

const keep = (table: string): string => {
  const [name, text] = TEXTS[table].map((column) => (column === 'NULL' ? column : `NEW.${column}`));
  return `CREATE FUNCTION keep_${table}_words() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.words := public.search_words(${name}, ${text});
      RETURN NEW;
    END $$`;
};

const watch = (table: string): string =>
  `CREATE TRIGGER ${table}_keep_words BEFORE INSERT OR UPDATE OF ${TEXTS[table].filter((column) => column !== 'NULL').join(', ')}
   ON ${table} FOR EACH ROW EXECUTE FUNCTION keep_${table}_words()`;

/** Fills the search words of existing rows, without triggers, because no visible column changes. */
const fill = (table: string): string[] => [
  `ALTER TABLE ${table} DISABLE TRIGGER USER`,
  `UPDATE ${table} SET words = search_words(${TEXTS[table].join(', ')})`,
  `ALTER TABLE ${table} ENABLE TRIGGER USER`,
];

const KEEP_WORDS = (
  words: string,
): string => `CREATE OR REPLACE FUNCTION keep_words() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     NEW.words := ${words};
     RETURN NEW;
   END $$`;

const OLD_WORDS = (row: string): string => `setweight(to_tsvector('english', ${row}title), 'A')
  || setweight(to_tsvector('english', coalesce(${row}description, '')), 'B')`;

/** Stores the words of all searchable texts without accents, both stemmed and unstemmed. */
export class SearchWords1763700001810 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      ...FUNCTIONS,
      KEEP_WORDS('public.search_words(NEW.title, NEW.description)'),
      ...WORK.flatMap(fill),
      ...ADDED.flatMap((table) => [
        `ALTER TABLE ${table} ADD COLUMN words tsvector`,
        ...fill(table),
        keep(table),
        watch(table),
        `CREATE INDEX ${table}_words_idx ON ${table} USING gin (words)`,
      ]),
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [
      ...ADDED.flatMap((table) => [
        `DROP TRIGGER ${table}_keep_words ON ${table}`,
        `DROP FUNCTION keep_${table}_words`,
        `ALTER TABLE ${table} DROP COLUMN words`,
      ]),
      KEEP_WORDS(OLD_WORDS('NEW.')),
      ...WORK.flatMap((table) => [
        `ALTER TABLE ${table} DISABLE TRIGGER USER`,
        `UPDATE ${table} SET words = ${OLD_WORDS('')}`,
        `ALTER TABLE ${table} ENABLE TRIGGER USER`,
      ]),
      `DROP FUNCTION search_words`,
      `DROP TEXT SEARCH CONFIGURATION unstemmed`,
      `DROP TEXT SEARCH DICTIONARY unstemmed`,
      `DROP FUNCTION fold_text`,
    ]) {
      await runner.query(statement);
    }
  }
}
