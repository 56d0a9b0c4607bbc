import { Injectable } from '@nestjs/common';
import { ApiError } from '../../common/errors.js';
import { PROOF_METHODS, type ProofMethod } from '../../common/proofs.js';
import { Database } from '../../platform/database/database.js';
import type { Caller } from '../authentication/caller.js';
import { permissionOf, type OperationId } from '../permissions/permissions.js';
import { PROOF_MINUTES } from '../permissions/permission.js';

type MethodsOf = (userId: string) => Promise<readonly ProofMethod[]>;

/**
 * Asks for a recent proof that the person of the session is there, so that a stolen token is not enough to take over an
 * account. The permission table says for which operations. Only those look the last proof up; signing in is one.
 */
@Injectable()
export class StepUp {
  private readonly sources: MethodsOf[] = [];

  constructor(private readonly database: Database) {}

  /** Registers who knows ways in which a user can prove to be there. */
  provideMethods(methodsOf: MethodsOf): void {
    this.sources.push(methodsOf);
  }

  /** How the user can prove to be there; only without any other method, by a mailed code. */
  async methodsOf(userId: string): Promise<readonly ProofMethod[]> {
    const known = new Set<ProofMethod>();
    for (const methodsOf of this.sources) for (const method of await methodsOf(userId)) known.add(method);
    return known.size > 0 ? PROOF_METHODS.filter((method) => known.has(method)) : ['mailed_code'];
  }

  /** 403 `proof_required`, with the ways to prove to be there. */
  async refuse(me: Caller): Promise<never> {
    throw new ApiError(
      'forbidden',
      'Confirm with POST /auth/step-up that it is you, or sign in again, and try again.',
      {
        required: 'a recent proof that it is you',
        reason: 'proof_required',
        methods: await this.methodsOf(me.userId),
      },
    );
  }

  /** 403 `proof_required` if the operation asks for a proof, and the last one is too old. */
  async assertFor(operation: OperationId, me: Caller): Promise<void> {
    const { proofMinutes } = permissionOf(operation);
    if (proofMinutes !== undefined) await this.assertProved(me, proofMinutes);
  }

  /** Asks for a proof, also in a place that the permission table cannot name, because it depends on the account. */
  async assertProved(me: Caller, minutes = PROOF_MINUTES): Promise<void> {
    if (!(await this.isProved(me, minutes))) await this.refuse(me);
  }

  private async isProved({ sessionId }: Caller, minutes: number): Promise<boolean> {
    const row = await this.database.queryPipelined<{ isProved: boolean }>(
      `SELECT coalesce(s.proved_at, s.created_at) >= now() - $2 * interval '1 minute' AS "isProved"
       FROM sessions s WHERE s.id = $1`,
      [sessionId, minutes],
    );
    return row?.isProved === true;
  }
}
