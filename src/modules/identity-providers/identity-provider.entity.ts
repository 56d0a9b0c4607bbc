import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { Row } from '../../platform/database/views/rows.js';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';

/** The roles that new accounts can get in the organization of their provider. */
export const PROVIDER_ROLES = ['guest', 'member', 'admin'] as const;
export type ProviderRole = (typeof PROVIDER_ROLES)[number];

/** The role that a group gives. */
export interface GroupRole {
  group: string;
  role: ProviderRole;
}

export const DEFAULT_SCOPES = ['openid', 'email', 'profile'];

/** An OpenID provider, which authenticates people, of an organization or of the whole installation. */
@Entity('identity_providers')
@Check('identity_providers_name_check', 'char_length(name) BETWEEN 1 AND 500')
@Check('identity_providers_issuer_check', 'char_length(issuer) BETWEEN 1 AND 2048')
@Check('identity_providers_client_id_check', 'char_length(client_id) BETWEEN 1 AND 500')
@Check('identity_providers_scopes_check', "'openid' = ANY (scopes) AND cardinality(scopes) <= 20")
@Check('identity_providers_domains_check', 'cardinality(domains) <= 50')
@Check('identity_providers_role_check', `role IN ('${PROVIDER_ROLES.join("', '")}')`)
@Check('identity_providers_groups_check', "jsonb_typeof(group_roles) = 'array'")
@Check(
  'identity_providers_of_organization_check',
  "organization_id IS NOT NULL OR (groups_claim IS NULL AND group_roles = '[]' AND NOT required)",
)
@Check('identity_providers_enabled_check', 'NOT is_enabled OR deleted_at IS NULL')
@Index(['organizationId'])
@Index('identity_providers_required_idx', ['organizationId'], { where: 'required' })
export class IdentityProvider extends Row {
  /** The organization that it speaks for; null for the whole installation. */
  @Column('text', { nullable: true })
  @ForeignKey('Organization')
  organizationId: string | null;

  @Column('text')
  name: string;

  @Column('text')
  issuer: string;

  @Column('text')
  clientId: string;

  /** Encrypted; null for a public client. */
  @Column('text', { nullable: true })
  clientSecret: string | null;

  @Column('text', { array: true })
  scopes: string[];

  /** The domains of addresses that it speaks for. */
  @Column('text', { array: true, default: '{}' })
  domains: string[];

  /** Whether addresses count as verified that it does not call so. */
  @Column('boolean', { default: false })
  trustEmail: boolean;

  /** Whether it asks for a second factor itself. */
  @Column('boolean', { default: false })
  provesSecondFactor: boolean;

  /** Whether unknown people of its domains get an account. */
  @Column('boolean', { default: false })
  jit: boolean;

  /** The role of new accounts in the organization. */
  @Column('text', { default: 'member' })
  role: ProviderRole;

  /** The claim with the groups of a person; null if it tells none. */
  @Column('text', { nullable: true })
  groupsClaim: string | null;

  /** The roles that groups give in the organization. */
  @Column('jsonb', { default: [] })
  groupRoles: GroupRole[];

  /** Whether members with an address in its domains sign in with it only. */
  @Column('boolean', { default: false })
  required: boolean;

  @Column('boolean', { default: true })
  isEnabled: boolean;

  @TimestampColumn({ nullable: true })
  deletedAt: Date | null;
}
