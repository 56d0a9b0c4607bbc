import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { ENDEAVOUR_ROLES, ORGANIZATION_ROLES, type EndeavourRole, type OrganizationRole } from '../../common/roles.js';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';
import { Row } from '../../platform/database/views/rows.js';

export const INVITATION_STATUSES = ['open', 'accepted', 'refused', 'expired'] as const;
/** What an invitation offers: roles to a person, or a link of an endeavour to an organization of that person. */
export const INVITATION_KINDS = ['roles', 'link'] as const;
export type InvitationKind = (typeof INVITATION_KINDS)[number];
export const INVITATION_MAIL_STATUSES = ['queued', 'sent', 'failed', 'not_sent'] as const;

/** An offer of roles, or of a link of an endeavour, to a user, to an e-mail address, or to anyone with its token. */
@Entity('invitations')
@Check('invitations_role_check', `role IN ('${ORGANIZATION_ROLES.join("', '")}')`)
@Check('invitations_endeavour_role_check', `endeavour_role IN ('${ENDEAVOUR_ROLES.join("', '")}')`)
@Check('invitations_uses_check', 'uses BETWEEN 0 AND max_uses')
@Check('invitations_kind_check', `kind IN ('${INVITATION_KINDS.join("', '")}')`)
@Check('invitations_max_uses_check', `max_uses = 1 OR (invitee IS NULL AND kind = 'roles')`)
@Check(
  'invitations_invitee_check',
  'invitee IS NOT DISTINCT FROM coalesce(email, user_id) AND (email IS NULL OR user_id IS NULL)',
)
@Check('invitations_mail_status_check', `mail_status IN ('${INVITATION_MAIL_STATUSES.join("', '")}')`)
@Check(
  'invitations_place_check',
  `(organization_id IS NULL) = (role IS NULL) AND CASE kind WHEN 'link'
     THEN organization_id IS NULL AND endeavour_id IS NOT NULL AND endeavour_role IS NULL
     ELSE (endeavour_id IS NULL) = (endeavour_role IS NULL) END`,
)
@Index(['tokenHash'], { unique: true })
@Index(['organizationId'])
@Index(['endeavourId'])
@Index(['invitee'])
@Index(['refusedBy'])
@Index('invitations_open_organization_idx', ['invitee', 'organizationId'], { unique: true, where: 'is_open' })
@Index('invitations_open_endeavour_idx', ['invitee', 'endeavourId', 'kind'], { unique: true, where: 'is_open' })
@Index('invitations_open_account_idx', ['invitee'], {
  unique: true,
  where: 'is_open AND organization_id IS NULL AND endeavour_id IS NULL',
})
export class Invitation extends Row {
  @Column('text', { default: 'roles' })
  kind: InvitationKind;

  /** The e-mail address whose owner can accept the invitation, if it is restricted to one. */
  @Column('text', { nullable: true })
  email: string | null;

  /** The user who can accept the invitation, if it is restricted to one. */
  @Column('text', { nullable: true })
  @ForeignKey('User')
  userId: string | null;

  /** The e-mail address or the user id; an invitee can have only one open invitation to each container. */
  @Column('text', { nullable: true })
  invitee: string | null;

  /**
   * False once the invitation is used up, refused or withdrawn. An expired invitation is closed when the next one to the
   * same invitee is created.
   */
  @Column('boolean', { default: true })
  isOpen: boolean;

  /** Whether the invitation was created within 30 days of a refusal, so that it is not sent and cannot be accepted. */
  @Column('boolean', { default: false })
  isMuted: boolean;

  @TimestampColumn({ nullable: true })
  refusedAt: Date | null;

  @Column('text', { nullable: true })
  @ForeignKey('User')
  refusedBy: string | null;

  /** The status of the mail, maintained by a trigger of the outbox; null if no mail is sent. */
  @Column('text', { nullable: true })
  mailStatus: (typeof INVITATION_MAIL_STATUSES)[number] | null;

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

  @TimestampColumn()
  expiresAt: Date;

  /** The keyed hash of the token; null until the mail with the token is sent. */
  @Column('text', { nullable: true })
  tokenHash: string | null;

  /** The user whose rights the roles are based on. */
  @Column('text')
  @ForeignKey('User')
  invitedBy: string;

  @TimestampColumn({ nullable: true })
  deletedAt: Date | null;
}
