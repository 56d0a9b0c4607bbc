import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { TimestampColumn } from '../../../platform/database/columns/timestamp-column.js';
import { Row } from '../../../platform/database/views/rows.js';

export const ENDORSEMENT_STATUSES = ['active', 'superseded', 'withdrawn'] as const;
type EndorsementStatus = (typeof ENDORSEMENT_STATUSES)[number];

/** The acceptance of one policy version by a member of an endeavour. */
@Entity('dod_endorsements')
@Check('dod_endorsements_status_check', `status IN ('${ENDORSEMENT_STATUSES.join("', '")}')`)
@Check('dod_endorsements_superseded_at_check', "(status = 'superseded') = (superseded_at IS NOT NULL)")
@Index(['endeavourId', 'resourceId'], { unique: true, where: "status = 'active'" })
@Index(['endeavourId', 'createdAt', 'id'])
@Index(['policyId', 'status'])
@Index(['resourceId', 'createdAt', 'id'])
export class Endorsement extends Row {
  @Column('text')
  @ForeignKey('Policy')
  policyId: string;

  @Column('integer')
  policyVersion: number;

  @Column('text')
  @ForeignKey('Resource')
  resourceId: string;

  @Column('text')
  @ForeignKey('Endeavour')
  endeavourId: string;

  @Column('text', { default: 'active' })
  status: EndorsementStatus;

  @TimestampColumn({ nullable: true })
  supersededAt: Date | null;
}
