import { Entity, PrimaryColumn } from 'typeorm';

/**
 * A demand whose tasks are of a release without effective priorities. It has no foreign key, because the migration that
 * adds it would lock the demands that clients change meanwhile.
 */
@Entity('priority_renewals')
export class PriorityRenewal {
  @PrimaryColumn('text')
  demandId: string;
}
