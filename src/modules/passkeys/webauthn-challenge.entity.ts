import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';

export const CHALLENGE_PURPOSES = ['register', 'login', 'step_up'] as const;
export type ChallengePurpose = (typeof CHALLENGE_PURPOSES)[number];

/** A random number that an authenticator signs once, for one purpose and, except at sign-ins, for one session. */
@Entity('webauthn_challenges')
@Check('webauthn_challenges_purpose_check', `purpose IN ('${CHALLENGE_PURPOSES.join("', '")}')`)
@Check('webauthn_challenges_session_check', "(purpose = 'login') = (session_id IS NULL)")
@Check('webauthn_challenges_user_handle_check', "(purpose = 'register') = (user_handle IS NOT NULL)")
@Index(['expiresAt'])
export class WebauthnChallenge {
  @PrimaryColumn('text')
  challenge: string;

  @Column('text')
  purpose: ChallengePurpose;

  /** The session may have been removed since. */
  @Column('text', { nullable: true })
  sessionId: string | null;

  @Column('text', { nullable: true })
  userHandle: string | null;

  @TimestampColumn()
  expiresAt: Date;
}
