import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ORGANIZATION_ROLES, type OrganizationRole } from '../../common/roles.js';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';

/** A resource that belongs to an organization; the user of the resource, if any, is a member with this role. */
@Entity('organization_resources')
@Check('organization_resources_role_check', `role IN ('${ORGANIZATION_ROLES.join("', '")}')`)
@Check('organization_resources_capacity_check', 'capacity BETWEEN 0 AND 1000000000')
@Check('organization_resources_capacity_of_person_check', 'capacity IS NULL OR user_id IS NOT NULL')
@Index(['userId', 'organizationId'], { unique: true })
@Index(['resourceId'])
@Index(['hasMemberId'], { unique: true })
@Index(['memberOfId'], { unique: true })
export class OrganizationResource {
  @PrimaryColumn('text')
  @ForeignKey('Organization')
  organizationId: string;

  @PrimaryColumn('text')
  @ForeignKey('Resource')
  resourceId: string;

  /** The user of the resource, if any. */
  @Column('text', { nullable: true })
  @ForeignKey('User')
  userId: string | null;

  @Column('text', { default: 'member' })
  role: OrganizationRole;

  /** Whether a group at the identity provider of the organization gave the role, so that only groups change it. */
  @Column('boolean', { default: false })
  viaGroup: boolean;

  @Column('text', { nullable: true })
  @ForeignKey('User')
  addedBy: string | null;

  @TimestampColumn({ default: () => 'now()' })
  joinedAt: Date;

  /** The id of the membership as the relation `has_member`. */
  @Column('text', { default: () => "new_id('rel')" })
  hasMemberId: string;

  /** The id of the membership as the relation `member_of`. */
  @Column('text', { default: () => "new_id('rel')" })
  memberOfId: string;

  /** The hours per week that admins of the organization expect of the member, if they have set them (spec 14). */
  @Column('double precision', { nullable: true })
  capacity: number | null;
}
