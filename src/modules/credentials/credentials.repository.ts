import { Injectable, type OnModuleInit } from '@nestjs/common';
import { StepUp } from '../../access/step-up.js';
import type { ProofMethod } from '../../common/proofs.js';
import { Database } from '../../platform/database/database.js';
import type { CredentialKind } from './credential.entity.js';

/** Reads which credentials users have. */
@Injectable()
export class CredentialsRepository implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly stepUp: StepUp,
  ) {}

  onModuleInit(): void {
    this.stepUp.provideMethods((userId) => this.proofMethodsOf(userId));
  }

  /** How the user can prove to be there; only without any other method by a mailed code. */
  async proofMethodsOf(userId: string): Promise<readonly ProofMethod[]> {
    const kinds = await this.database.query<{ kind: CredentialKind }>(
      'SELECT kind FROM credentials WHERE user_id = $1 ORDER BY kind',
      [userId],
    );
    return kinds.length > 0 ? kinds.map(({ kind }) => kind) : ['mailed_code'];
  }
}
