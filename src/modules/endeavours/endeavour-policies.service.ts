import { Injectable } from '@nestjs/common';
import { Access, type LockedResource } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import type { Actor } from '../../platform/context/actor.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import { Endeavour } from './endeavour.entity.js';
import { endeavourView } from './endeavour.view.js';
import { EndeavoursRepository } from './endeavours.repository.js';

/** Assigns DoD policies to endeavours; the feature `dod` checks that they can be assigned. */
@Injectable()
export class EndeavourPoliciesService {
  constructor(
    private readonly access: Access,
    private readonly endeavours: EndeavoursRepository,
    private readonly writer: ResourceWriter,
  ) {}

  /** Locks the endeavour, so that its policy does not change until the end of the transaction. */
  lock(
    me: Caller,
    operation: 'endeavours_dod_policy_set' | 'endeavours_dod_policy_remove',
    id: string,
  ): Promise<LockedResource<Endeavour>> {
    return this.access.lockForUpdate(me, operation, Endeavour, id);
  }

  async assign(me: Caller, { row, place }: LockedResource<Endeavour>, policyId: string | null): Promise<void> {
    await this.writer.patch(me, endeavourView, Endeavour, {
      current: row,
      changes: { dodPolicyId: policyId },
      place,
      type: () => (policyId === null ? 'dod.unassigned' : 'dod.assigned'),
    });
  }

  /** Assigns a policy to several endeavours. */
  async replace(me: Actor, endeavourIds: readonly string[], to: string): Promise<void> {
    await this.endeavours.assignPolicy(me, endeavourIds, to);
  }
}
