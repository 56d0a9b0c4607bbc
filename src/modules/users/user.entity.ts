import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import type { NotifySettings } from '../../common/notifications.js';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';
import { Row } from '../../platform/database/views/rows.js';

export const USER_STATUSES = ['active', 'inactive', 'suspended'] as const;
export const USER_TYPES = ['human', 'agent'] as const;
export type UserStatus = (typeof USER_STATUSES)[number];
export type UserType = (typeof USER_TYPES)[number];

/** An account, of a person or an agent. */
@Entity('users')
@Check('users_status_check', `status IN ('${USER_STATUSES.join("', '")}')`)
@Check('users_user_type_check', `user_type IN ('${USER_TYPES.join("', '")}')`)
@Check('users_tier_check', 'tier BETWEEN 1 AND 3')
@Check('users_name_check', 'char_length(name) BETWEEN 1 AND 500')
@Check('users_metadata_check', "jsonb_typeof(metadata) = 'object'")
@Check('users_notify_check', "jsonb_typeof(notify) = 'object'")
@Check('users_erasure_at_check', "erasure_at IS NULL OR status <> 'active'")
@Index(['erasureAt'], { where: 'erasure_at IS NOT NULL' })
@Index(['email'], { unique: true })
@Index(['resourceId'], { unique: true })
@Check(
  'users_managed_check',
  "CASE WHEN is_managed THEN user_type = 'agent' AND NOT is_admin AND password_hash IS NULL AND NOT email_copy ELSE manager_id IS NULL AND agent_of IS NULL END",
)
@Index(['managerId'])
@Index(['agentOf'])
export class User extends Row {
  /** The normalized address, which is unique: in lower case, with the domain in ASCII (IDNA). */
  @Column('text')
  email: string;

  @Column('text')
  name: string;

  /** Null until the first password is set. */
  @Column('text', { nullable: true })
  passwordHash: string | null;

  @Column('text', { default: 'active' })
  status: UserStatus;

  @Column('text', { default: 'human' })
  userType: UserType;

  @Column('text', { default: 'en' })
  lang: string;

  @Column('text', { default: 'UTC' })
  timezone: string;

  @Column('boolean', { default: false })
  emailCopy: boolean;

  @Column('boolean', { default: false })
  isAdmin: boolean;

  @Column('smallint')
  @ForeignKey('Tier')
  tier: number;

  @Column('text')
  @ForeignKey('Resource')
  resourceId: string;

  @Column('text', { nullable: true })
  externalId: string | null;

  @Column('integer', { default: 0 })
  loginCount: number;

  @TimestampColumn({ nullable: true })
  lastActiveAt: Date | null;

  @Column('jsonb', { default: {} })
  metadata: Record<string, unknown>;

  /** Notification settings; the default applies to absent kinds. */
  @Column('jsonb', { default: {} })
  notify: Partial<NotifySettings>;

  /** Whether the user is an agent that acts with access tokens of its manager. */
  @Column('boolean', { default: false })
  isManaged: boolean;

  /** The manager whose rights limit those of an agent; null without a manager, and the agent then has no rights. */
  @Column('text', { nullable: true })
  @ForeignKey('User')
  managerId: string | null;

  /** The organization that an agent belongs to. */
  @Column('text', { nullable: true })
  @ForeignKey('Organization')
  agentOf: string | null;

  /** When the closed account will be erased. */
  @TimestampColumn({ nullable: true })
  erasureAt: Date | null;

  /** The user who closed it; users who closed their own account can reopen it by signing in. */
  @Column('text', { nullable: true })
  @ForeignKey('User')
  closedBy: string | null;

  @TimestampColumn({ nullable: true })
  erasedAt: Date | null;
}
