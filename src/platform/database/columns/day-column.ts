import { Check, Column } from 'typeorm';

/** A column for a calendar day, read as `YYYY-MM-DD`; the database derives the instant in the column beside it. */
export const DayColumn = (): PropertyDecorator => Column({ type: 'date', nullable: true });

/**
 * Work does not start after it is due (spec/14). The service compares with the day in the time zone of the endeavour;
 * the check, which cannot know it, admits what is right in any.
 */
export const StartDateCheck = (table: string): ClassDecorator =>
  Check(
    `${table}_start_date_check`,
    "start_date BETWEEN '1970-01-01' AND least('9999-12-31', (due_date AT TIME ZONE 'UTC')::date + 1)",
  );

/** The days that the service accepts, and only together with their instant. */
export const DayCheck = (table: string, day: string, date: string): ClassDecorator =>
  Check(
    `${table}_${day}_check`,
    `${day} IS NULL OR (${date} IS NOT NULL AND ${day} BETWEEN '1970-01-01' AND '9999-12-31')`,
  );
