import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';

/** What is kept of the protocol, by the names of the library. Grants and access tokens are rows of `access_tokens`. */
export const STORED_MODELS = ['AuthorizationCode', 'DeviceCode', 'Interaction', 'RefreshToken'] as const;
export type StoredModel = (typeof STORED_MODELS)[number];

/** A code, a refresh token or a request of a program that waits for the consent of a person. */
@Entity('oauth_items')
@Check('oauth_items_model_check', `model IN ('${STORED_MODELS.join("', '")}')`)
@Index(['grantId'])
@Index(['userCode'], { unique: true })
@Index(['expiresAt'])
export class OauthItem {
  @PrimaryColumn('text')
  model: StoredModel;

  /** The keyed hash of the code or token. */
  @PrimaryColumn('text')
  hash: string;

  /** What the library stores, without the code or token. */
  @Column('jsonb')
  payload: object;

  /** The access token to which it belongs; null until a person has consented. */
  @Column('text', { nullable: true })
  @ForeignKey('AccessToken')
  grantId: string | null;

  /** The keyed hash of the code that a person types for a device. */
  @Column('text', { nullable: true })
  userCode: string | null;

  @TimestampColumn()
  expiresAt: Date;

  /** When it was first used. */
  @TimestampColumn({ nullable: true })
  consumedAt: Date | null;
}
