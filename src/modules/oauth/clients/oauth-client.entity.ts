import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { Row } from '../../../platform/database/views/rows.js';
import { TimestampColumn } from '../../../platform/database/columns/timestamp-column.js';

/** How a program was registered: by an administrator, with a registration token, or openly, without one. */
export const REGISTRARS = ['administrator', 'token', 'open'] as const;
export type Registrar = (typeof REGISTRARS)[number];

/** How a program can get tokens, by the names of the standards. */
export const GRANT_TYPES = [
  'authorization_code',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:device_code',
] as const;
export type GrantType = (typeof GRANT_TYPES)[number];

/** How a program proves that it is itself: not at all, or with its secret. */
export const AUTH_METHODS = ['none', 'client_secret_basic', 'client_secret_post'] as const;
export type AuthMethod = (typeof AUTH_METHODS)[number];

export const MAX_REDIRECT_URIS = 20;
export const MAX_REDIRECT_URI = 2_048;

/** A program of others that is registered here. */
@Entity('oauth_clients')
@Check('oauth_clients_name_check', 'char_length(name) BETWEEN 1 AND 500')
@Check('oauth_clients_registered_by_check', `registered_by IN ('${REGISTRARS.join("', '")}')`)
@Check(
  'oauth_clients_redirect_uris_check',
  `cardinality(redirect_uris) <= ${MAX_REDIRECT_URIS}
     AND (cardinality(redirect_uris) > 0 OR NOT 'authorization_code' = ANY(grant_types))`,
)
@Check(
  'oauth_clients_grant_types_check',
  `cardinality(grant_types) > 0 AND grant_types <@ ARRAY['${GRANT_TYPES.join("', '")}']`,
)
@Check('oauth_clients_auth_method_check', `auth_method IN ('${AUTH_METHODS.join("', '")}')`)
@Check('oauth_clients_secret_check', "secret_hash IS NULL OR (auth_method <> 'none' AND deleted_at IS NULL)")
@Check('oauth_clients_registered_with_check', "registered_with IS NULL OR registered_by = 'token'")
@Index(['registeredWith'])
@Index('oauth_clients_unused_idx', ['createdAt'], { where: "registered_by <> 'administrator' AND deleted_at IS NULL" })
export class OauthClient extends Row {
  @Column('text')
  name: string;

  @Column('text')
  registeredBy: Registrar;

  /** The registration token with which it registered itself. */
  @Column('text', { nullable: true })
  @ForeignKey('RegistrationToken')
  registeredWith: string | null;

  /** Where answers may go, compared exactly but for the port of this machine. */
  @Column('text', { array: true })
  redirectUris: string[];

  @Column('text', { array: true })
  grantTypes: GrantType[];

  @Column('text')
  authMethod: AuthMethod;

  /** The keyed hash of the secret; null without one, and as soon as the program is deleted. */
  @Column('text', { nullable: true })
  secretHash: string | null;

  @TimestampColumn({ nullable: true })
  deletedAt: Date | null;
}
