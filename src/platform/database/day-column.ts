import { Check, Column } from 'typeorm';

/** A column for a calendar day, read as `YYYY-MM-DD`; the database derives the instant in the column beside it. */
export const DayColumn = (): PropertyDecorator => Column({ type: 'date', nullable: true });

/** The days that the service accepts, and only together with their instant. */
export const DayCheck = (table: string, day: string, date: string): ClassDecorator =>
  Check(
    `${table}_${day}_check`,
    `${day} IS NULL OR (${date} IS NOT NULL AND ${day} BETWEEN '1970-01-01' AND '9999-12-31')`,
  );
