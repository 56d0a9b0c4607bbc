import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../../platform/database/columns/timestamp-column.js';
import type { FormerPlace } from '../../organizations/members/directory-memberships.service.js';

/** An e-mail address as a directory knows it. */
export interface ScimEmail {
  value: string;
  type?: string;
  primary?: boolean;
}

/** The names of a person as a directory knows them. */
export interface ScimName {
  formatted?: string;
  givenName?: string;
  familyName?: string;
}

/** The record that an organization keeps of one of its people, from its directory. */
@Entity('scim_users')
@Check('scim_users_user_name_check', 'char_length(user_name) BETWEEN 1 AND 500')
@Check('scim_users_deleted_check', '(deleted_at IS NULL) = (user_name IS NOT NULL)')
@Check('scim_users_active_check', 'NOT active OR deleted_at IS NULL')
@Check('scim_users_emails_check', "jsonb_typeof(emails) = 'array'")
@Index('scim_users_user_name_idx', { synchronize: false })
@Index(['organizationId', 'externalId'])
@Index(['organizationId', 'createdAt', 'userId'])
@Index(['organizationId', 'updatedAt'])
@Index(['userId'])
export class ScimUser {
  @PrimaryColumn('text')
  @ForeignKey('Organization')
  organizationId: string;

  @PrimaryColumn('text')
  @ForeignKey('User')
  userId: string;

  /** Unique in the organization, without regard to case; null once the directory has deleted the person. */
  @Column('text', { nullable: true })
  userName: string | null;

  @Column('text', { nullable: true })
  externalId: string | null;

  @Column('text', { nullable: true })
  displayName: string | null;

  @Column('jsonb', { default: {} })
  name: ScimName;

  @Column('jsonb', { default: [] })
  emails: ScimEmail[];

  /** What the directory has said last. */
  @Column('boolean')
  active: boolean;

  /** What the person had before the directory ended the membership, to be given back. */
  @Column('jsonb', { nullable: true })
  former: FormerPlace | null;

  /** Whether the directory has suspended the account. */
  @Column('boolean', { default: false })
  isSuspended: boolean;

  @TimestampColumn({ default: () => 'now()' })
  createdAt: Date;

  @TimestampColumn({ default: () => 'now()' })
  updatedAt: Date;

  @Column('integer', { default: 1 })
  revision: number;

  @TimestampColumn({ nullable: true })
  deletedAt: Date | null;
}
