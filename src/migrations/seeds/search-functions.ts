/** Apostrophes and hyphens of all kinds, which become the first one of each, as in `fold_name`. */
const APOSTROPHES = '’‘ʼ‛ʻ`´′＇';
const HYPHENS = '‐‑‒–—―−';
/** Characters that show nothing, and the lengthening stroke of Arabic. */
const INVISIBLE =
  '\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff\u0640';
/** Accents, and the points and vowel marks of Hebrew and Arabic. */
const MARKS = String.raw`\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed`;

/** Letters that Unicode does not decompose, and what people type instead. */
const LETTERS: readonly [string, string][] = [
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
];
const [ACCENTED, PLAIN] = ['øłđħŧıðþς', 'oldhtidtσ'];

/** Scripts that are written without spaces between words: Thai, Lao, Burmese, Khmer, kana, Han and Hangul. */
const SCRIPTS = String.raw`\u0e01-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u312f\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff`;
const UNSPACED = `[${SCRIPTS}]`;

/** What the parser of PostgreSQL reads as a part of hosts, paths, tags, signed numbers and the like, instead of separators. */
const SEPARATORS = ['-', '_', '.', '/', '@', '<', '&', '+', '~'];

/** Replaced one by one, which is five times as fast as translate(). */
const SEPARATED = SEPARATORS.reduce((sql, separator) => `replace(${sql}, '${separator}', ' ')`, 'folded');

const quoted = (text: string): string => text.replaceAll("'", "''");

const FOLDED = `translate(normalize(source, NFKC), '${quoted(APOSTROPHES)}${HYPHENS}${INVISIBLE}',
  '${"''".repeat(APOSTROPHES.length)}${'-'.repeat(HYPHENS.length)}')`;

/** Normalized twice: marks are removed from decomposed letters, and syllables are composed again. */
const WITHOUT_MARKS = `normalize(regexp_replace(normalize(lower(${FOLDED} COLLATE "und-x-icu"), NFD), '[${MARKS}]', '', 'g'), NFC)`;

const WITHOUT_LETTERS = LETTERS.reduce((sql, [letter, typed]) => `replace(${sql}, '${letter}', '${typed}')`, 'bare');

/** In PL/pgSQL like the others, because PostgreSQL plans a function in SQL anew for each call that it cannot inline. */
const FOLD_TEXT = `CREATE OR REPLACE FUNCTION fold_text(source text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  BEGIN
    IF octet_length(source) = char_length(source) THEN RETURN lower(source); END IF;
    RETURN (SELECT translate(${WITHOUT_LETTERS}, '${ACCENTED}', '${PLAIN}') FROM (SELECT ${WITHOUT_MARKS} AS bare) folded);
  END $$`;

/**
 * Cuts a folded text into the words that the parser of PostgreSQL reads as such: at all separators, behind the letter of a
 * version (v1.29), and without the runs of scripts that have no words.
 */
const SEARCH_CUT = `CREATE FUNCTION search_cut(folded text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  DECLARE
    cut text := ${SEPARATED};
  BEGIN
    IF octet_length(cut) <> char_length(cut) AND cut ~ '${UNSPACED}' THEN
      cut := regexp_replace(cut, '${UNSPACED}+', ' ', 'g');
    END IF;
    IF cut ~ '\\m[vr]\\d' THEN cut := regexp_replace(cut, '\\m([vr])(\\d)', '\\1 \\2', 'g'); END IF;
    RETURN cut;
  END $$`;

/** The pairs of neighbouring characters of scripts without spaces, and the last character of each run. */
const SEARCH_PAIRS = `CREATE FUNCTION search_pairs(folded text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  BEGIN
    IF octet_length(folded) = char_length(folded) OR folded !~ '${UNSPACED}' THEN RETURN '{}'; END IF;
    RETURN (SELECT array_agg(DISTINCT CASE WHEN next ~ '${UNSPACED}' THEN character || next ELSE character END)
      FROM (SELECT character, lead(character) OVER (ORDER BY place) AS next
        FROM string_to_table(folded, NULL) WITH ORDINALITY AS each (character, place)) neighbours
      WHERE character ~ '${UNSPACED}');
  END $$`;

/** The parts of words in camelCase, separated by spaces; null if there are none. */
const SEARCH_HUMPS = `CREATE FUNCTION search_humps(source text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  BEGIN
    IF source !~ ('[[:lower:]][[:upper:]]' COLLATE "und-x-icu") THEN RETURN NULL; END IF;
    RETURN (SELECT regexp_replace(regexp_replace(string_agg(DISTINCT word[1], ' '), '([[:lower:]\\d])([[:upper:]])', '\\1 \\2', 'g'),
        '([[:upper:]])([[:upper:]][[:lower:]])', '\\1 \\2', 'g')
      FROM regexp_matches(source, ('[[:alnum:]]*[[:lower:]][[:upper:]][[:alnum:]]*' COLLATE "und-x-icu"), 'g') AS each (word)
      WHERE char_length(word[1]) <= 100);
  END $$`;

/**
 * The words of a name and a text. Stems have weights and positions; the words as written (for beginnings of words) and the
 * pairs of characters have none. The parts of words in camelCase follow the text, behind a word that only takes a position,
 * so that no phrase reaches from the text into them. Names include their schema, so that calls need not set a search path.
 */
const SEARCH_WORDS = `CREATE OR REPLACE FUNCTION search_words(name text, source text) RETURNS tsvector
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  DECLARE
    said text := left(coalesce(source, ''), 50000);
    folded text := public.fold_text(said);
    cut text := public.search_cut(folded);
    named text := public.fold_text(name);
    humps text := public.search_humps(CASE WHEN name IS NULL THEN said ELSE name || ' ' || said END);
    words tsvector;
  BEGIN
    IF humps IS NOT NULL THEN cut := cut || ' the ' || public.search_cut(public.fold_text(humps)); END IF;
    words := setweight(to_tsvector('pg_catalog.english', cut), 'B');
    IF name IS NOT NULL THEN
      folded := named || ' ' || folded;
      named := public.search_cut(named);
      cut := named || ' ' || cut;
      words := setweight(to_tsvector('pg_catalog.english', named), 'A') || words;
    END IF;
    words := words || strip(to_tsvector('public.unstemmed', cut));
    IF octet_length(folded) <> char_length(folded) THEN
      words := words || array_to_tsvector(public.search_pairs(folded));
    END IF;
    RETURN words;
  END $$`;

/** The tsquery of all pairs of characters of a folded text, or of the single character of a run; null if there are none. */
const SEARCH_PAIR_QUERY = `CREATE FUNCTION search_pair_query(folded text) RETURNS tsquery LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  BEGIN
    IF octet_length(folded) = char_length(folded) OR folded !~ '${UNSPACED}' THEN RETURN NULL; END IF;
    RETURN (SELECT string_agg(DISTINCT CASE WHEN char_length(run[1]) = 1 THEN '''' || run[1] || ''':*'
        ELSE '''' || substr(run[1], at, 2) || '''' END, ' & ')::tsquery
      FROM regexp_matches(folded, '${UNSPACED}+', 'g') AS each (run), generate_series(1, greatest(char_length(run[1]) - 1, 1)) AS at);
  END $$`;

/** The tsquery of one word or phrase: its words one behind the other, and its pairs of characters. */
const SEARCH_PART = `CREATE FUNCTION search_part(part text) RETURNS tsquery LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  DECLARE
    folded text := public.fold_text(part);
    words tsquery := phraseto_tsquery('pg_catalog.english', public.search_cut(folded));
    pairs tsquery := public.search_pair_query(folded);
  BEGIN
    RETURN CASE WHEN pairs IS NULL THEN words WHEN numnode(words) = 0 THEN pairs ELSE words && pairs END;
  END $$`;

/** The tsquery of a search in web-search syntax: all words, "a phrase", -excluded, or; null if there are no words. */
const SEARCH_QUERY = `CREATE FUNCTION search_query(asked text) RETURNS tsquery LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  DECLARE
    token text[];
    part tsquery;
    alternative tsquery;
    result tsquery;
  BEGIN
    FOR token IN SELECT regexp_matches(asked, '(-?)"([^"]*)"|(\\S+)', 'g') LOOP
      IF lower(token[3]) = 'or' THEN
        result := coalesce(result || alternative, alternative, result);
        alternative := NULL;
        CONTINUE;
      END IF;
      part := public.search_part(coalesce(token[2], token[3]));
      CONTINUE WHEN numnode(part) = 0;
      IF token[1] = '-' OR token[3] ~ '^-[^\\s-]' THEN part := !!part; END IF;
      alternative := coalesce(alternative && part, part);
    END LOOP;
    RETURN coalesce(result || alternative, alternative, result);
  END $$`;

/** The tsquery of the beginning of a word, of one or two characters; null if there is none. */
const SEARCH_PREFIX = `CREATE FUNCTION search_prefix(beginning text) RETURNS tsquery LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  DECLARE
    folded text := public.fold_text(beginning);
    pairs tsquery := public.search_pair_query(folded);
    words tsquery := (SELECT (string_agg(quote_literal(token), ' <-> ' ORDER BY place) || ':*')::tsquery
      FROM ts_parse('default', public.search_cut(folded)) WITH ORDINALITY AS parsed (type, token, place) WHERE type <> 12);
  BEGIN
    RETURN coalesce(words && pairs, words, pairs);
  END $$`;

export const SEARCH_FUNCTIONS: readonly string[] = [
  FOLD_TEXT,
  SEARCH_CUT,
  SEARCH_PAIRS,
  SEARCH_HUMPS,
  SEARCH_WORDS,
  SEARCH_PAIR_QUERY,
  SEARCH_PART,
  SEARCH_QUERY,
  SEARCH_PREFIX,
];

const FORMER_FOLD_TEXT = `CREATE OR REPLACE FUNCTION fold_text(source text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE WHEN octet_length(source) = char_length(source) THEN lower(source) ELSE (
    SELECT translate(${WITHOUT_LETTERS}, 'øłđħŧıðþ', 'oldhtidt') FROM (
      SELECT normalize(regexp_replace(normalize(lower(source), NFD), '[\\u0300-\\u036f]', '', 'g'), NFC) AS bare) folded) END $$`;

const folded = (text: string): string =>
  `CASE WHEN octet_length(${text}) = char_length(${text}) THEN lower(${text}) ELSE public.fold_text(${text}) END`;

const FORMER_SEARCH_WORDS = `CREATE OR REPLACE FUNCTION search_words(name text, source text) RETURNS tsvector
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  DECLARE
    said text := left(coalesce(source, ''), 50000);
    named text;
  BEGIN
    said := ${folded('said')};
    IF name IS NULL THEN
      RETURN setweight(to_tsvector('pg_catalog.english', said), 'B') || strip(to_tsvector('public.unstemmed', ' ' || said));
    END IF;
    named := ${folded('name')};
    RETURN setweight(to_tsvector('pg_catalog.english', named), 'A') || setweight(to_tsvector('pg_catalog.english', said), 'B')
      || strip(to_tsvector('public.unstemmed', named || ' ' || said));
  END $$`;

export const FORMER_FUNCTIONS: readonly string[] = [
  FORMER_FOLD_TEXT,
  FORMER_SEARCH_WORDS,
  ...['prefix(text)', 'query(text)', 'part(text)', 'pair_query(text)', 'humps(text)', 'pairs(text)', 'cut(text)'].map(
    (signature) => `DROP FUNCTION search_${signature}`,
  ),
];
