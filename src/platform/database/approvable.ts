import { Column } from 'typeorm';

/** Who wrote the row last; the writers keep it, for triggers that have to know. It has no foreign key, as every change writes it. */
export const UpdatedBy = (): PropertyDecorator => Column('text', { nullable: true, select: false });

/**
 * When and by whom each part of what is approved was changed last: `{<part>: {revision, by, at}}`, kept by triggers. The part
 * `''` is what everybody approves; a task also has `metadata.<key>`, and `metadata.*` for what has changed too often to say.
 */
export const ContentChanges = (): PropertyDecorator => Column('jsonb', { default: {}, select: false });
