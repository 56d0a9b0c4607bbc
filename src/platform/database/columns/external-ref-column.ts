import { Check, Column, Index } from 'typeorm';
import { MAX_EXTERNAL_ID, MAX_SOURCE } from '../../../common/external-ref.js';

/** A column for the reference to the same entity in another system. */
export const ExternalRefColumn = (): PropertyDecorator => Column('jsonb', { nullable: true });

/** The index by source, id and container, which makes a reference unique within the container (migration ExternalRefs). */
export const ExternalRefIndex = (table: string): ClassDecorator =>
  Index(`${table}_external_ref_taken_idx`, { synchronize: false });

export const ExternalRefCheck = (table: string): ClassDecorator =>
  Check(
    `${table}_external_ref_check`,
    `external_ref IS NULL OR (jsonb_typeof(external_ref) = 'object'
       AND coalesce(char_length(external_ref ->> 'source'), 0) BETWEEN 1 AND ${MAX_SOURCE}
       AND coalesce(char_length(external_ref ->> 'id'), 0) BETWEEN 1 AND ${MAX_EXTERNAL_ID})`,
  );
