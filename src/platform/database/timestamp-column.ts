import { Column, type ColumnOptions } from 'typeorm';

/** A column for an instant, kept to the millisecond as JavaScript and the wire have it. */
export const TimestampColumn = (options: ColumnOptions = {}): PropertyDecorator =>
  Column({ type: 'timestamp with time zone', precision: 3, ...options });
