import { Injectable } from '@nestjs/common';
import { ApiError } from '../common/errors.js';
import { PROOF_METHODS, type ProofMethod } from '../common/proofs.js';
import type { Caller } from './caller.js';
import { permissionOf, type OperationId } from './permissions.js';
import { PROOF_MINUTES } from './permissions/permission.js';

type MethodsOf = (userId: string) => Promise<readonly ProofMethod[]>;

/**
 * Asks for a recent proof that the person of the session is there, so that a stolen token is not enough to take over an
 * account. The permission table says for which operations. The lookup of the session returns the age of the last proof, so
 * that only refusals need a statement.
 */
@Injectable()
export class StepUp {
  private readonly sources: MethodsOf[] = [];

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

  /** Whether the operation asks for no proof, or the last one is recent enough. */
  allows(operation: OperationId, me: Caller): boolean {
    const { proofMinutes } = permissionOf(operation);
    return proofMinutes === undefined || isProved(me, proofMinutes);
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

  async assertFor(operation: OperationId, me: Caller): Promise<void> {
    if (!this.allows(operation, me)) await this.refuse(me);
  }

  /** Asks for a proof in a place that the permission table cannot name, because it depends on the account. */
  async assertProved(me: Caller): Promise<void> {
    if (!isProved(me, PROOF_MINUTES)) await this.refuse(me);
  }
}

const isProved = ({ proofAge = Infinity }: Caller, minutes: number): boolean => proofAge <= minutes * 60;
