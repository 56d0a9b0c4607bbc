import type { MigrationInterface, QueryRunner } from 'typeorm';

/** By table: its dates, with the function that derives the instant of a day, and the one that recognizes such an instant. */
const END = { derive: 'last_second_of', recognize: 'day_ending_at' };
const START = { derive: 'first_instant_of', recognize: 'day_beginning_at' };

const DUE = { day: 'due_day', date: 'due_date', ...END };
const DATES: Record<string, (typeof DUE)[]> = {
  tasks: [DUE],
  demands: [DUE],
  endeavours: [
    { day: 'start_day', date: 'start_date', ...START },
    { day: 'end_day', date: 'end_date', ...END },
  ],
};

/** Statements of a trigger that keep a day and its instant in step. */
const keepInStep = ({ day, date, derive, recognize }: typeof DUE): string => `
  IF NEW.${day} IS NOT NULL THEN
    IF TG_OP = 'UPDATE' AND NEW.${day} = OLD.${day} AND NEW.${date} IS DISTINCT FROM OLD.${date} THEN
      NEW.${day} := ${recognize}(NEW.${date}, zone);
    ELSE
      NEW.${date} := ${derive}(NEW.${day}, zone);
    END IF;
  END IF;`;

const isDifferent = (columns: string[]): string =>
  columns.map((column) => `NEW.${column} IS DISTINCT FROM OLD.${column}`).join(' OR ');

/**
 * Days beside the instants that are derived from them (docs/work.md). A trigger derives the instant when the day, the
 * endeavour or its time zone changes. If only the instant changes, the writer is a release that knows no days: the day
 * follows if the instant is at its edge, and is cleared otherwise.
 */
export class Days1763700002950 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...functions(), ...columns(), ...triggers()]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, dates] of Object.entries(DATES)) {
      await runner.query(`DROP TRIGGER ${table}_derive_dates ON ${table}`);
      await runner.query(`DROP TRIGGER ${table}_derive_new_dates ON ${table}`);
      for (const { day } of dates) await runner.query(`ALTER TABLE ${table} DROP COLUMN ${day}`);
    }
    await runner.query('ALTER TABLE endeavours DROP COLUMN derived_timezone');
    await runner.query('DROP FUNCTION derive_due_date(), derive_endeavour_dates()');
    await runner.query('DROP FUNCTION day_beginning_at(timestamptz, text), day_ending_at(timestamptz, text)');
    await runner.query('DROP FUNCTION last_second_of(date, text), first_instant_of(date, text)');
  }
}

const functions = (): string[] => [
  // The candidates are midnight by the offsets in force half a day before and after. If a clock skips the end of one day
  // and the start of the next one, the first instant of the day is before its midnight.
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
     FROM unnest(ARRAY[(midnight - offset_before) AT TIME ZONE 'UTC', (midnight - offset_after) AT TIME ZONE 'UTC']) candidate
     WHERE (candidate AT TIME ZONE zone)::date >= day;
     WHILE ((instant - interval '1 minute') AT TIME ZONE zone)::date >= day LOOP
       instant := instant - interval '1 minute';
     END LOOP;
     RETURN instant;
   END $$`,
  `CREATE FUNCTION last_second_of(day date, zone text) RETURNS timestamptz LANGUAGE sql STABLE AS $$
     SELECT first_instant_of(day + 1, zone) - interval '1 second' $$`,
  `CREATE FUNCTION day_beginning_at(instant timestamptz, zone text) RETURNS date LANGUAGE sql STABLE AS $$
     SELECT local.day FROM (SELECT (instant AT TIME ZONE zone)::date AS day) local
     WHERE first_instant_of(local.day, zone) = instant AND local.day BETWEEN '1970-01-01' AND '9999-12-31' $$`,
  `CREATE FUNCTION day_ending_at(instant timestamptz, zone text) RETURNS date LANGUAGE sql STABLE AS $$
     SELECT local.day FROM (SELECT (instant AT TIME ZONE zone)::date AS day) local
     WHERE last_second_of(local.day, zone) = instant AND local.day BETWEEN '1970-01-01' AND '9999-12-31' $$`,
];

const columns = (): string[] => [
  ...Object.entries(DATES).flatMap(([table, dates]) =>
    dates.flatMap(({ day, date }) => [
      `ALTER TABLE ${table} ADD COLUMN ${day} date`,
      `ALTER TABLE ${table} ADD CONSTRAINT ${table}_${day}_check
         CHECK (${day} IS NULL OR (${date} IS NOT NULL AND ${day} BETWEEN '1970-01-01' AND '9999-12-31')) NOT VALID`,
      // Holds for all rows, because the column is new; the validation does not block writers.
      `ALTER TABLE ${table} VALIDATE CONSTRAINT ${table}_${day}_check`,
    ]),
  ),
  // The time zone by which the dates of the endeavour and its work were derived; null before they were converted.
  `ALTER TABLE endeavours ADD COLUMN derived_timezone text`,
  `CREATE INDEX endeavours_stale_dates_idx ON endeavours (id) WHERE derived_timezone IS DISTINCT FROM timezone`,
];

const triggers = (): string[] => [
  `CREATE FUNCTION derive_due_date() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE
     zone text := (SELECT e.timezone FROM endeavours e WHERE e.id = NEW.endeavour_id);
   BEGIN
     ${keepInStep(DUE)}
     RETURN NEW;
   END $$`,
  ...['tasks', 'demands'].flatMap((table) => [
    `CREATE TRIGGER ${table}_derive_new_dates BEFORE INSERT ON ${table} FOR EACH ROW
       WHEN (NEW.due_day IS NOT NULL) EXECUTE FUNCTION derive_due_date()`,
    `CREATE TRIGGER ${table}_derive_dates BEFORE UPDATE ON ${table} FOR EACH ROW
       WHEN (NEW.due_day IS NOT NULL AND (${isDifferent(['due_day', 'due_date', 'endeavour_id'])}))
       EXECUTE FUNCTION derive_due_date()`,
  ]),
  `CREATE FUNCTION derive_endeavour_dates() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE
     zone text := NEW.timezone;
   BEGIN
     ${DATES.endeavours.map(keepInStep).join('')}
     IF TG_OP = 'INSERT' THEN
       NEW.derived_timezone := NEW.timezone;
     END IF;
     RETURN NEW;
   END $$`,
  `CREATE TRIGGER endeavours_derive_new_dates BEFORE INSERT ON endeavours FOR EACH ROW
     EXECUTE FUNCTION derive_endeavour_dates()`,
  `CREATE TRIGGER endeavours_derive_dates BEFORE UPDATE ON endeavours FOR EACH ROW
     WHEN ((NEW.start_day IS NOT NULL OR NEW.end_day IS NOT NULL)
       AND (${isDifferent(['start_day', 'start_date', 'end_day', 'end_date', 'timezone'])}))
     EXECUTE FUNCTION derive_endeavour_dates()`,
];
