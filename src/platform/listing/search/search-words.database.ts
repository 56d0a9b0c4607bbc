import type { DatabaseObjects } from '../../database/schema/database-objects.js';
import { joinedTexts, namesWith } from '../../database/views/text-traits.js';
import type { TextTrait, View } from '../../database/views/view.js';

/** The characters of scripts that write words without blanks between them, and of Hangul. */
const UNSPACED =
  '[\\u0e01-\\u0eff\\u1000-\\u109f\\u1100-\\u11ff\\u1780-\\u17ff\\u3005-\\u3007\\u3040-\\u312f\\u31f0-\\u31ff\\u3400-\\u9fff\\uac00-\\ud7af\\uf900-\\ufaff\\U00020000-\\U0003ffff]';

/** What the words of a table come from, besides the searched properties of its view. */
interface WordSources {
  /** The name of the function, if several tables share it. */
  name?: string;
  columns?: readonly string[];
  /** SQL for the texts of these columns. */
  texts?: readonly string[];
}

const functionName = ({ table }: View, { name = `keep_${table}_words` }: WordSources): string => name;

/** The function that stores the words by which the search finds the rows of a table; words of names weigh more. */
export function wordsFunction(view: View, sources: WordSources = {}): string {
  const columnsWith = (trait: TextTrait): string[] => namesWith(trait, view).map((column) => `NEW.${column}`);
  const name = joinedTexts(columnsWith('searchedName')) ?? 'NULL';
  const text = joinedTexts([...(sources.texts ?? []), ...columnsWith('searchedText')]) ?? 'NULL';
  return `CREATE FUNCTION ${functionName(view, sources)}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.words := public.search_words(${name}, ${text});
        RETURN NEW;
      END $$`;
}

/** The trigger that calls it when a searched column is written. */
export function wordsTrigger(view: View, sources: WordSources = {}): string {
  const columns = [...namesWith('searchedName', view), ...namesWith('searchedText', view), ...(sources.columns ?? [])];
  return `CREATE TRIGGER ${view.table}_keep_words BEFORE INSERT OR UPDATE OF ${columns.join(', ')} ON ${view.table}
      FOR EACH ROW EXECUTE FUNCTION ${functionName(view, sources)}()`;
}

/** How texts and queries of the search are folded and cut into words (spec/05, Search). */
export const SEARCH_WORDS_OBJECTS: DatabaseObjects = {
  functions: [
    /** The form in which words are compared: accents, case, width and ligatures are alike. */
    `CREATE FUNCTION fold_text(source text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
      BEGIN
        IF octet_length(source) = char_length(source) THEN RETURN lower(source); END IF;
        RETURN (SELECT translate(replace(replace(replace(bare, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'øłđħŧıðþς',
          'oldhtidtσ') FROM (SELECT normalize(regexp_replace(normalize(lower(translate(normalize(source, NFKC),
          '\u2019\u2018\u02bc\u201b\u02bb\`\u00b4\u2032\uff07\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff\u0640',
            '''''''''''''''''''-------') COLLATE "und-x-icu"), NFD),
        '[\\u0300-\\u036f\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e4\\u06e7\\u06e8\\u06ea-\\u06ed]', '', 'g'), NFC) AS bare) folded);
      END $$`,
    /**
     * A folded text with blanks at the joints of compounds, before digits of versions, and in place of characters of
     * scripts without blanks.
     */
    `CREATE FUNCTION search_cut(folded text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
      DECLARE
        cut text := replace(replace(replace(replace(replace(replace(replace(replace(replace(folded, '-', ' '), '_',
          ' '), '.', ' '), '/', ' '), '@', ' '), '<', ' '), '&', ' '), '+', ' '), '~', ' ');
      BEGIN
        IF octet_length(cut) <> char_length(cut)
          AND cut ~ '${UNSPACED}' THEN
          cut := regexp_replace(cut,
            '${UNSPACED}+', ' ', 'g');
        END IF;
        IF cut ~ '\\m[vr]\\d' THEN cut := regexp_replace(cut, '\\m([vr])(\\d)', '\\1 \\2', 'g'); END IF;
        RETURN cut;
      END $$`,
    /** The words of a text that join others by capitals, cut at these; null if there is none. */
    `CREATE FUNCTION search_humps(source text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
      BEGIN
        IF source !~ ('[[:lower:]][[:upper:]]' COLLATE "und-x-icu") THEN RETURN NULL; END IF;
        RETURN (SELECT regexp_replace(regexp_replace(string_agg(DISTINCT word[1], ' '),
          '([[:lower:]\\d])([[:upper:]])', '\\1 \\2', 'g'),
            '([[:upper:]])([[:upper:]][[:lower:]])', '\\1 \\2', 'g')
          FROM regexp_matches(source, ('[[:alnum:]]*[[:lower:]][[:upper:]][[:alnum:]]*' COLLATE "und-x-icu"), 'g')
            AS each (word)
          WHERE char_length(word[1]) <= 100);
      END $$`,
    /** Each character of a script without blanks together with the next one. */
    `CREATE FUNCTION search_pairs(folded text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
      BEGIN
        IF octet_length(folded) = char_length(folded)
          OR folded !~ '${UNSPACED}' THEN RETURN '{}'; END IF;
        RETURN (SELECT array_agg(DISTINCT CASE
          WHEN next ~ '${UNSPACED}' THEN character || next ELSE character END)
          FROM (SELECT character, lead(character) OVER (ORDER BY place) AS next
            FROM string_to_table(folded, NULL) WITH ORDINALITY AS each (character, place)) neighbours
          WHERE character ~ '${UNSPACED}');
      END $$`,
    /** A query for all pairs of characters of scripts without blanks; null if the text has none. */
    `CREATE FUNCTION search_pair_query(folded text) RETURNS tsquery LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
      BEGIN
        IF octet_length(folded) = char_length(folded)
          OR folded !~ '${UNSPACED}' THEN RETURN NULL; END IF;
        RETURN (SELECT string_agg(DISTINCT CASE WHEN char_length(run[1]) = 1 THEN '''' || run[1] || ''':*'
            ELSE '''' || substr(run[1], at, 2) || '''' END, ' & ')::tsquery
          FROM regexp_matches(folded,
            '${UNSPACED}+', 'g') AS each (run), generate_series(1, greatest(char_length(run[1]) - 1, 1)) AS at);
      END $$`,
    /** A query for one word or phrase. */
    `CREATE FUNCTION search_part(part text) RETURNS tsquery LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
      DECLARE
        folded text := public.fold_text(part);
        words tsquery := phraseto_tsquery('pg_catalog.english', public.search_cut(folded));
        pairs tsquery := public.search_pair_query(folded);
      BEGIN
        RETURN CASE WHEN pairs IS NULL THEN words WHEN numnode(words) = 0 THEN pairs ELSE words && pairs END;
      END $$`,
    /** A query for a text whose last word is unfinished. */
    `CREATE FUNCTION search_prefix(beginning text) RETURNS tsquery LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
      DECLARE
        folded text := public.fold_text(beginning);
        pairs tsquery := public.search_pair_query(folded);
        words tsquery := (SELECT (string_agg(quote_literal(token), ' <-> ' ORDER BY place) || ':*')::tsquery
          FROM ts_parse('default', public.search_cut(folded)) WITH ORDINALITY AS parsed (type, token, place)
            WHERE type <> 12);
      BEGIN
        RETURN coalesce(words && pairs, words, pairs);
      END $$`,
    /** A query for words, "phrases", `or` and `-` for what is not wanted. */
    `CREATE FUNCTION search_query(asked text) RETURNS tsquery LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
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
      END $$`,
    /** The words by which something with this name and text is found; those of the name weigh more. */
    `CREATE FUNCTION search_words(name text, source text) RETURNS tsvector
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
      END $$`,
  ],
};
