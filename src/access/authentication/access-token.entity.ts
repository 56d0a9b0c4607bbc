import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { ProtectedResource } from '../../common/programs.js';
import type { TokenKind } from './calendar-tokens.js';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';
import { Row } from '../../platform/database/views/rows.js';

/** A token with which a program acts as a user, within its scopes and its container. */
@Entity('access_tokens')
@Check('access_tokens_name_check', 'char_length(name) BETWEEN 1 AND 500')
@Check('access_tokens_scopes_check', 'cardinality(scopes) BETWEEN 1 AND 50')
@Check(
  'access_tokens_kind_check',
  `CASE kind WHEN 'oauth' THEN client_id IS NOT NULL AND resource IS NOT NULL AND resource IN ('api', 'mcp')
     WHEN 'access' THEN client_id IS NULL AND resource IS NULL
     WHEN 'calendar' THEN client_id IS NULL AND resource IS NULL AND organization_id IS NULL ELSE false END`,
)
@Check('access_tokens_grant_check', "kind <> 'oauth' OR (NOT '*' = ANY(scopes) AND made_by = user_id)")
@Check('access_tokens_container_check', 'organization_id IS NULL OR endeavour_id IS NULL')
@Check('access_tokens_idle_days_check', 'idle_days > 0')
@Index(['userId', 'createdAt'])
@Index(['madeBy'])
@Index(['organizationId'])
@Index(['endeavourId'])
@Index('access_tokens_client_id_idx', ['clientId'], { where: 'client_id IS NOT NULL' })
export class AccessToken extends Row {
  /** The user on whose behalf the token acts. */
  @Column('text')
  @ForeignKey('User')
  userId: string;

  /** The creator of the token: the user themselves, or for an agent's token the person who created it. */
  @Column('text')
  @ForeignKey('User')
  madeBy: string;

  @Column('text', { default: 'access' })
  kind: TokenKind;

  /** The program of others that a person has let act on their behalf; null for tokens of other kinds. */
  @Column('text', { nullable: true })
  clientId: string | null;

  /** What such a program can use the token for; null for tokens of other kinds. */
  @Column('text', { nullable: true })
  resource: ProtectedResource | null;

  @Column('text')
  name: string;

  @Column('text', { array: true })
  scopes: string[];

  @Column('text', { nullable: true })
  @ForeignKey('Organization')
  organizationId: string | null;

  @Column('text', { nullable: true })
  @ForeignKey('Endeavour')
  endeavourId: string | null;

  /** Addresses and networks from which the token is accepted; any if empty. */
  @Column('text', { array: true, default: '{}' })
  allowedNetworks: string[];

  @TimestampColumn()
  expiresAt: Date;

  /** Whether the session that made it, or gave it its secret, had proved a second factor. */
  @Column('boolean', { default: false })
  hasSecondFactor: boolean;

  /** The organization towards which alone that session had proved one. */
  @Column('text', { nullable: true })
  provedTo: string | null;

  /** The number of days without use after which the token expires; null if each use leaves the expiry as it is. */
  @Column('integer', { nullable: true })
  idleDays: number | null;

  @TimestampColumn({ nullable: true })
  endedAt: Date | null;
}

/**
 * The keyed hash of a token's secret, used to look the token up. After a rotation, the previous secret stays valid until
 * `expiresAt`.
 */
@Entity('access_token_secrets')
@Index(['tokenId'])
export class AccessTokenSecret {
  @PrimaryColumn('text')
  hash: string;

  @Column('text')
  @ForeignKey('AccessToken')
  tokenId: string;

  @TimestampColumn({ nullable: true })
  expiresAt: Date | null;
}

/** The time, to the minute, and the client address of the last use of a token. */
@Entity('access_token_uses')
export class AccessTokenUse {
  @PrimaryColumn('text')
  @ForeignKey('AccessToken')
  tokenId: string;

  @TimestampColumn()
  usedAt: Date;

  @Column('text')
  address: string;
}
