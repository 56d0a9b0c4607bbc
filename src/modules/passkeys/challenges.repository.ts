import { randomBytes } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { Housekeeping } from '../../platform/jobs/housekeeping.js';
import type { ChallengePurpose } from './webauthn-challenge.entity.js';

const CHALLENGE_BYTES = 32;
const MINUTES = 5;

/** What a challenge is for. */
interface ChallengeBinding {
  purpose: ChallengePurpose;
  sessionId: string | null;
  userHandle?: string;
}

/** Makes challenges, and takes each back once. */
@Injectable()
export class ChallengesRepository implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly housekeeping: Housekeeping,
  ) {}

  onModuleInit(): void {
    this.housekeeping.discard('webauthn_challenges', 'expires_at < now()');
  }

  async create({ purpose, sessionId, userHandle }: ChallengeBinding): Promise<string> {
    const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url');
    await this.database.query(
      `INSERT INTO webauthn_challenges (challenge, purpose, session_id, user_handle, expires_at)
       VALUES ($1, $2, $3, $4, clock_timestamp() + make_interval(mins => $5))`,
      [challenge, purpose, sessionId, userHandle ?? null, MINUTES],
    );
    return challenge;
  }

  /**
   * Uses up a challenge, whether or not its signature turns out to be right; undefined if there is none for that purpose
   * and session.
   */
  async take(
    challenge: string,
    { purpose, sessionId }: ChallengeBinding,
  ): Promise<{ userHandle: string | null } | undefined> {
    const [taken] = await this.database.inNewTransaction(() =>
      this.database.query<{ userHandle: string | null }>(
        `DELETE FROM webauthn_challenges
         WHERE challenge = $1 AND purpose = $2 AND session_id IS NOT DISTINCT FROM $3 AND expires_at > clock_timestamp()
         RETURNING user_handle AS "userHandle"`,
        [challenge, purpose, sessionId],
      ),
    );
    return taken;
  }
}
