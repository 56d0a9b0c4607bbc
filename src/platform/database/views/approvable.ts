import { Column } from 'typeorm';

/** The last writer of the row, stored for triggers. It has no foreign key, because every change writes it. */
export const UpdatedBy = (): PropertyDecorator => Column('text', { nullable: true, select: false });

/**
 * When and by whom each part of the approved content was last changed: `{<part>: {revision, by, at}}`, maintained by
 * triggers. The part `''` is what every approval covers; a task also has `metadata.<key>`, and `metadata.*` after too
 * many changes.
 */
export const ContentChanges = (): PropertyDecorator => Column('jsonb', { default: {}, select: false });
