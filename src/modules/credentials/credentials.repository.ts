import { Injectable, type OnModuleInit } from '@nestjs/common';
import { StepUp } from '../../access/second-factor/step-up.js';
import { WaysIn } from '../../access/authentication/ways-in.js';
import type { ProofMethod } from '../../common/proofs.js';
import { Database } from '../../platform/database/database.js';
import type { CredentialKind } from './credential.entity.js';
import { IS_ENABLED_TOTP } from './credential.view.js';

/** The secret of an authenticator app, and the time of the database in seconds. */
export interface TotpSecret {
  secret: string;
  lastStep: number | null;
  seconds: number;
}

/** Whether a second factor is on, since when, and how many recovery codes are left. */
export interface SecondFactorState {
  enabledAt: Date | null;
  recoveryCodes: number;
}

/** Reads and writes the credentials of users. */
@Injectable()
export class CredentialsRepository implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly stepUp: StepUp,
    private readonly waysIn: WaysIn,
  ) {}

  onModuleInit(): void {
    this.stepUp.provideMethods((userId) => this.proofMethodsOf(userId));
    this.waysIn.provide(async (userId) => ((await this.hasPassword(userId)) ? 1 : 0));
  }

  /** How the user can prove to be there. With an authenticator app, the password alone proves nothing. */
  private async proofMethodsOf(userId: string): Promise<readonly ProofMethod[]> {
    const rows = await this.database.query<{ kind: CredentialKind }>(
      'SELECT DISTINCT kind FROM credentials WHERE user_id = $1 AND expires_at IS NULL',
      [userId],
    );
    const kinds = new Set<ProofMethod>(rows.map(({ kind }) => kind));
    if (kinds.has('totp')) kinds.delete('password');
    return [...kinds];
  }

  private async hasPassword(userId: string): Promise<boolean> {
    const rows = await this.database.query(`SELECT 1 FROM credentials WHERE user_id = $1 AND kind = 'password'`, [
      userId,
    ]);
    return rows.length > 0;
  }

  async secondFactorOf(userId: string): Promise<SecondFactorState> {
    const row = await this.database.one<SecondFactorState>(
      `SELECT max(c.created_at) FILTER (WHERE c.kind = 'totp') AS "enabledAt",
         count(*) FILTER (WHERE c.kind = 'recovery_code')::integer AS "recoveryCodes"
       FROM credentials c WHERE c.user_id = $1 AND c.expires_at IS NULL`,
      [userId],
    );
    return row ?? { enabledAt: null, recoveryCodes: 0 };
  }

  /** Stores a secret that the user can enable until the returned time; undefined if one is enabled already. */
  async offerTotp(userId: string, secret: string, minutes: number): Promise<Date | undefined> {
    const [offered] = await this.database.query<{ expiresAt: Date }>(
      `INSERT INTO credentials AS c (user_id, kind, secret, expires_at)
       VALUES ($1, 'totp', $2, clock_timestamp() + make_interval(mins => $3))
       ON CONFLICT (user_id) WHERE kind = 'totp' DO UPDATE
         SET secret = excluded.secret, expires_at = excluded.expires_at, last_step = NULL WHERE c.expires_at IS NOT NULL
       RETURNING expires_at AS "expiresAt"`,
      [userId, secret, minutes],
    );
    return offered?.expiresAt;
  }

  /** The secret that waits to be enabled, locked; undefined if there is none or it has expired. */
  offeredTotp(userId: string): Promise<TotpSecret | undefined> {
    return this.totp(`kind = 'totp' AND expires_at > clock_timestamp()`, userId);
  }

  /** The secret in use, locked until its code is used up. */
  enabledTotp(userId: string): Promise<TotpSecret | undefined> {
    return this.totp(`kind = 'totp' AND expires_at IS NULL`, userId);
  }

  /** Puts the secret into use; its code of that step is used up. */
  async enableTotp(userId: string, step: number): Promise<void> {
    await this.database.query(
      `UPDATE credentials SET expires_at = NULL, last_step = $2, created_at = clock_timestamp()
       WHERE user_id = $1 AND kind = 'totp'`,
      [userId, step],
    );
  }

  /** Uses up the codes of the step and of all before it. */
  async useStep(userId: string, step: number): Promise<void> {
    await this.database.query(`UPDATE credentials SET last_step = $2 WHERE user_id = $1 AND kind = 'totp'`, [
      userId,
      step,
    ]);
  }

  /** Uses up a recovery code; false if there is none with that hash. */
  async useRecoveryCode(userId: string, hash: string): Promise<boolean> {
    const used = await this.database.query(
      `DELETE FROM credentials r WHERE r.user_id = $1 AND r.kind = 'recovery_code' AND r.secret = $2
         AND EXISTS (SELECT FROM credentials c WHERE c.user_id = $1 AND ${IS_ENABLED_TOTP}) RETURNING 1`,
      [userId, hash],
    );
    return used.length > 0;
  }

  /** Replaces all recovery codes. */
  async replaceRecoveryCodes(userId: string, hashes: readonly string[]): Promise<void> {
    await this.database.query(`DELETE FROM credentials WHERE user_id = $1 AND kind = 'recovery_code'`, [userId]);
    await this.database.query(
      `INSERT INTO credentials (user_id, kind, secret) SELECT $1, 'recovery_code', unnest($2::text[])`,
      [userId, hashes],
    );
  }

  /** Deletes the second factor with its recovery codes; false if the user had none in use. */
  async deleteSecondFactor(userId: string): Promise<boolean> {
    const deleted = await this.database.query<{ wasEnabled: boolean }>(
      `DELETE FROM credentials WHERE user_id = $1 AND kind IN ('totp', 'recovery_code')
       RETURNING kind = 'totp' AND expires_at IS NULL AS "wasEnabled"`,
      [userId],
    );
    return deleted.some(({ wasEnabled }) => wasEnabled);
  }

  /** Deletes all credentials of a user who is erased. */
  async deleteAll(userId: string): Promise<void> {
    await this.database.query('DELETE FROM credentials WHERE user_id = $1', [userId]);
  }

  private totp(which: string, userId: string): Promise<TotpSecret | undefined> {
    return this.database.one<TotpSecret>(
      `SELECT secret, last_step AS "lastStep", extract(epoch FROM clock_timestamp())::double precision AS seconds
       FROM credentials WHERE user_id = $1 AND ${which} FOR UPDATE`,
      [userId],
    );
  }
}
