import { Column, type ColumnOptions } from 'typeorm';

/** A column for an instant in milliseconds, the precision of JavaScript and the wire format. */
export const TimestampColumn = (options: ColumnOptions = {}): PropertyDecorator =>
  Column({ type: 'timestamp with time zone', precision: 3, ...options });
