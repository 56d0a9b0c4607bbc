import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../platform/database/timestamp-column.js';

/** An endeavour linked to an organization, whose members thereby have a role in it. */
@Entity('organization_endeavours')
@Index(['endeavourId'])
@Index('organization_endeavours_home_idx', ['endeavourId'], { unique: true, where: 'is_home' })
@Index(['belongsToId'], { unique: true })
export class OrganizationEndeavour {
  @PrimaryColumn('text')
  @ForeignKey('Organization')
  organizationId: string;

  @PrimaryColumn('text')
  @ForeignKey('Endeavour')
  endeavourId: string;

  /** Whether it is the home of the endeavour; kept by triggers, as the next. */
  @Column('boolean', { default: false })
  isHome: boolean;

  /** Whether the endeavour is private. */
  @Column('boolean', { default: false })
  isPrivate: boolean;

  @Column('text', { nullable: true })
  @ForeignKey('User')
  linkedBy: string | null;

  @TimestampColumn({ default: () => 'now()' })
  linkedAt: Date;

  /** Its id as the relation `belongs_to`. */
  @Column('text', { default: () => "new_id('rel')" })
  belongsToId: string;
}
