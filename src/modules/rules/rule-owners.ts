import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { boundsOf } from '../../access/authentication/bounded-caller.js';
import { Callers } from '../../access/authentication/callers.js';
import { ApiError } from '../../common/errors.js';
import type { Confinement } from '../../platform/database/transactions/confinement.js';
import { Database } from '../../platform/database/database.js';
import type { RunningRule } from './rules.repository.js';

/** The person as whom a rule runs, and the restrictions of its requests. */
export interface RuleOwner {
  me: Caller;
  bounds: Confinement | undefined;
}

/** Thrown if the owner of a rule may no longer change it. */
export class OwnerLeft extends Error {
  constructor(readonly ruleId: string) {
    super(`the owner of ${ruleId} is no longer an admin of its endeavour`);
  }
}

/** Loads the owners of rules with their rights of this moment. */
@Injectable()
export class RuleOwners {
  constructor(
    private readonly access: Access,
    private readonly callers: Callers,
    private readonly database: Database,
  ) {}

  /**
   * Restricts the rest of the transaction to what the owner may reach, and returns the owner: those of an agent are limited
   * by its manager's, and a rule that was written with an access token has its limits and ends with it.
   */
  async enter({ id, ownerUserId, tokenId, ...proof }: RunningRule): Promise<RuleOwner> {
    const found = await (tokenId === null
      ? this.callers.byProof(ownerUserId ?? '', proof)
      : this.callers.byTokenId(tokenId));
    if (found === undefined || found.caller.userId !== ownerUserId) throw new OwnerLeft(id);
    const bounds = boundsOf(found);
    if (bounds !== undefined) await this.database.confine(bounds);
    const me = found.caller;
    try {
      await this.access.authorize(me, 'rules_update', id);
    } catch (error) {
      if (error instanceof ApiError && ['not_found', 'forbidden'].includes(error.code)) throw new OwnerLeft(id);
      throw error;
    }
    return { me, bounds };
  }
}
