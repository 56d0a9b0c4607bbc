import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ENDEAVOUR_ROLES, type EndeavourRole } from '../../common/roles.js';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';

/** A direct role in an endeavour, in addition to roles derived from organizations. */
@Entity('endeavour_members')
@Check('endeavour_members_role_check', `role IN ('${ENDEAVOUR_ROLES.join("', '")}')`)
@Check('endeavour_members_stakeholder_roles_check', "NOT stakeholder_roles && '{guest,viewer,member,admin,owner}'")
@Index(['userId', 'endeavourId'])
@Index(['belongsToId'], { unique: true })
@Index('endeavour_members_member_of_idx', { synchronize: false })
@Index(['participatesInId'], { unique: true })
export class EndeavourMember {
  @PrimaryColumn('text')
  @ForeignKey('Endeavour')
  endeavourId: string;

  @PrimaryColumn('text')
  @ForeignKey('User')
  userId: string;

  @Column('text')
  @ForeignKey('Resource')
  resourceId: string;

  @Column('text', { default: 'member' })
  role: EndeavourRole;

  /** Custom roles in which a member can approve, such as `product_owner`. */
  @Column('text', { array: true, default: '{}' })
  stakeholderRoles: string[];

  @Column('text', { nullable: true })
  @ForeignKey('User')
  addedBy: string | null;

  @TimestampColumn({ default: () => 'now()' })
  joinedAt: Date;

  /** The id of the membership as the relation `belongs_to`. */
  @Column('text', { default: () => "new_id('rel')" })
  belongsToId: string;

  /** The id of the membership as the relation `participates_in`. */
  @Column('text', { default: () => "new_id('rel')" })
  participatesInId: string;
}
