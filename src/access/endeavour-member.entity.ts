import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ENDEAVOUR_ROLES, type EndeavourRole } from '../common/roles.js';
import { Moment } from '../platform/database/moment.js';

/** A person's own role in an endeavour, beside what organizations give. */
@Entity('endeavour_members')
@Check('endeavour_members_role_check', `role IN ('${ENDEAVOUR_ROLES.join("', '")}')`)
@Index(['userId', 'endeavourId'])
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

  /** Free words that an approval may be given as (`product_owner`). */
  @Column('text', { array: true, default: '{}' })
  stakeholderRoles: string[];

  @Moment({ default: () => 'now()' })
  joinedAt: Date;
}
