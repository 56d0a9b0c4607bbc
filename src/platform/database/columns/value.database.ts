import type { DatabaseObjects } from '../schema/database-objects.js';

/** Functions for identifiers, days and names, which many features use. */
export const VALUE_OBJECTS: DatabaseObjects = {
  functions: [
    /**
     * A new identifier with this prefix, whose first 48 bits are the current millisecond, so that identifiers sort by
     * age.
     */
    `CREATE FUNCTION new_id(prefix text) RETURNS text LANGUAGE sql VOLATILE AS $$
      SELECT prefix || '_' || lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0')
        || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14) $$`,
    /** The first instant with this local date. Where clocks change around midnight it is not midnight. */
    `CREATE FUNCTION first_instant_of(day date, zone text) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
      DECLARE
        midnight timestamp := day;
        earlier timestamp := midnight - interval '12 hours';
        later timestamp := midnight + interval '12 hours';
        offset_before interval := earlier - (earlier AT TIME ZONE zone AT TIME ZONE 'UTC');
        offset_after interval := later - (later AT TIME ZONE zone AT TIME ZONE 'UTC');
        instant timestamptz := midnight AT TIME ZONE zone;
      BEGIN
        IF offset_before = offset_after THEN
          RETURN instant;
        END IF;
        SELECT min(candidate) INTO instant
        FROM unnest(ARRAY[(midnight - offset_before) AT TIME ZONE 'UTC',
          (midnight - offset_after) AT TIME ZONE 'UTC']) candidate
        WHERE (candidate AT TIME ZONE zone)::date >= day;
        WHILE ((instant - interval '1 minute') AT TIME ZONE zone)::date >= day LOOP
          instant := instant - interval '1 minute';
        END LOOP;
        RETURN instant;
      END $$`,
    /** One second before the first instant of the next day. */
    `CREATE FUNCTION last_second_of(day date, zone text) RETURNS timestamptz LANGUAGE sql STABLE AS $$
      SELECT first_instant_of(day + 1, zone) - interval '1 second' $$`,
    /** The day whose first instant this is; null for any other instant. */
    `CREATE FUNCTION day_beginning_at(instant timestamptz, zone text) RETURNS date LANGUAGE sql STABLE AS $$
      SELECT local.day FROM (SELECT (instant AT TIME ZONE zone)::date AS day) local
      WHERE first_instant_of(local.day, zone) = instant AND local.day BETWEEN '1970-01-01' AND '9999-12-31' $$`,
    /** The day whose last second this is; null for any other instant. */
    `CREATE FUNCTION day_ending_at(instant timestamptz, zone text) RETURNS date LANGUAGE sql STABLE AS $$
      SELECT local.day FROM (SELECT (instant AT TIME ZONE zone)::date AS day) local
      WHERE last_second_of(local.day, zone) = instant AND local.day BETWEEN '1970-01-01' AND '9999-12-31' $$`,
    /** The form in which two names are compared: apostrophes, hyphens, case, width and white space are alike. */
    `CREATE FUNCTION fold_name(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT btrim(regexp_replace(translate(
        lower(upper(normalize(translate(name,
          '\u2019\u2018\u02bc\u201b\u02bb\`\u00b4\u2032\uff07\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff', '''''''''''''''''''-------'), NFKC) COLLATE "und-x-icu") COLLATE "und-x-icu"),
        'ς\u0307', 'σ'), '\\s+', ' ', 'g')) $$`,
  ],
};
