import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Apostrophes and hyphens of all kinds, which become the first one of each. */
const APOSTROPHES = '’‘ʼ‛ʻ`´′＇';
const HYPHENS = '‐‑‒–—―−';
/** Characters that show nothing. */
const INVISIBLE =
  '\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff';

const FROM = `${APOSTROPHES}${HYPHENS}${INVISIBLE}`;
const TO = `${"''".repeat(APOSTROPHES.length)}${'-'.repeat(HYPHENS.length)}`;

/**
 * Comparison and order of names. `fold_name` returns the same text for two names that people take for the same: without
 * case, and with one kind of apostrophe, hyphen and space. `natural_order` sorts texts as people expect, in no particular
 * language and with numbers by their value.
 */
export class Names1763700003000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE COLLATION natural_order (provider = icu, locale = 'und-u-kn-true')`);
    // Upper case first, because several lower case letters have the same upper case one (ß and ss, ς and σ). The lower
    // case of the dotted capital I has a combining dot.
    await runner.query(
      `CREATE FUNCTION fold_name(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
         SELECT btrim(regexp_replace(translate(
           lower(upper(normalize(translate(name, '${FROM}', '${TO}'), NFKC) COLLATE "und-x-icu") COLLATE "und-x-icu"),
           'ς\u0307', 'σ'), '\\s+', ' ', 'g')) $$`,
    );
    await runner.query(
      `CREATE INDEX resources_folded_name_idx ON resources (fold_name(name)) WHERE deleted_at IS NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX resources_folded_name_idx');
    await runner.query('DROP FUNCTION fold_name(text)');
    await runner.query('DROP COLLATION natural_order');
  }
}
