import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { ENDEAVOUR_ROLES, ORGANIZATION_ROLES, type EndeavourRole, type OrganizationRole } from '../../common/roles.js';
import { Moment } from '../../platform/database/moment.js';
import { Row } from '../../platform/database/rows.js';

/** An offer of an account and of roles, to whoever holds its token. */
@Entity('invitations')
@Check('invitations_role_check', `role IN ('${ORGANIZATION_ROLES.join("', '")}')`)
@Check('invitations_endeavour_role_check', `endeavour_role IN ('${ENDEAVOUR_ROLES.join("', '")}')`)
@Check('invitations_uses_check', 'uses BETWEEN 0 AND max_uses')
@Check('invitations_max_uses_check', 'max_uses = 1 OR email IS NULL')
@Check(
  'invitations_place_check',
  '(organization_id IS NULL) = (role IS NULL) AND (endeavour_id IS NULL) = (endeavour_role IS NULL)',
)
@Index(['tokenHash'], { unique: true })
@Index(['organizationId'])
@Index(['endeavourId'])
export class Invitation extends Row {
  /** Only this address may accept it, where there is one. */
  @Column('text', { nullable: true })
  email: string | null;

  @Column('text', { nullable: true })
  @ForeignKey('Organization')
  organizationId: string | null;

  @Column('text', { nullable: true })
  role: OrganizationRole | null;

  @Column('text', { nullable: true })
  @ForeignKey('Endeavour')
  endeavourId: string | null;

  @Column('text', { nullable: true })
  endeavourRole: EndeavourRole | null;

  @Column('integer', { default: 1 })
  maxUses: number;

  @Column('integer', { default: 0 })
  uses: number;

  @Moment()
  expiresAt: Date;

  /** Null until the mail that carries the token is sent. */
  @Column('text', { nullable: true })
  tokenHash: string | null;

  /** Whose rights the roles rest on. */
  @Column('text')
  @ForeignKey('User')
  invitedBy: string;

  @Moment({ nullable: true })
  deletedAt: Date | null;
}
