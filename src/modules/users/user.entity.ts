import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { Moment } from '../../platform/database/moment.js';
import { Row } from '../../platform/database/rows.js';

export const USER_STATUSES = ['active', 'inactive', 'suspended'] as const;
export const USER_TYPES = ['human', 'agent'] as const;
export type UserStatus = (typeof USER_STATUSES)[number];
export type UserType = (typeof USER_TYPES)[number];

/** Somebody who can sign in, human or agent. */
@Entity('users')
@Check('users_status_check', `status IN ('${USER_STATUSES.join("', '")}')`)
@Check('users_user_type_check', `user_type IN ('${USER_TYPES.join("', '")}')`)
@Check('users_tier_check', 'tier BETWEEN 1 AND 3')
@Check('users_name_check', 'char_length(name) BETWEEN 1 AND 500')
@Check('users_metadata_check', "jsonb_typeof(metadata) = 'object'")
@Index(['email'], { unique: true })
@Index(['resourceId'], { unique: true })
export class User extends Row {
  /** Lower case, domain through IDNA: the form in which it is unique. */
  @Column('text')
  email: string;

  @Column('text')
  name: string;

  /** Null until the first password was set. */
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
  tier: number;

  @Column('text')
  @ForeignKey('Resource')
  resourceId: string;

  @Column('text', { nullable: true })
  externalId: string | null;

  @Column('integer', { default: 0 })
  loginCount: number;

  @Moment({ nullable: true })
  lastActiveAt: Date | null;

  @Column('jsonb', { default: {} })
  metadata: Record<string, unknown>;
}
