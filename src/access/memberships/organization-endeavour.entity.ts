import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';

/** The link of an endeavour to an organization, which gives the organization's members a role in the endeavour. */
@Entity('organization_endeavours')
@Index(['endeavourId'])
@Index('organization_endeavours_home_idx', ['endeavourId'], { unique: true, where: 'is_home' })
@Index(['belongsToId'], { unique: true })
@Index('organization_endeavours_participates_in_idx', { synchronize: false })
export class OrganizationEndeavour {
  @PrimaryColumn('text')
  @ForeignKey('Organization')
  organizationId: string;

  @PrimaryColumn('text')
  @ForeignKey('Endeavour')
  endeavourId: string;

  /** Whether the organization is the home of the endeavour; maintained by triggers. */
  @Column('boolean', { default: false })
  isHome: boolean;

  /** Whether the endeavour is private; maintained by triggers. */
  @Column('boolean', { default: false })
  isPrivate: boolean;

  @Column('text', { nullable: true })
  @ForeignKey('User')
  linkedBy: string | null;

  @TimestampColumn({ default: () => 'now()' })
  linkedAt: Date;

  /** The id of the link as the relation `belongs_to`. */
  @Column('text', { default: () => "new_id('rel')" })
  belongsToId: string;
}
