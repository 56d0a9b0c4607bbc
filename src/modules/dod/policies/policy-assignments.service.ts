import { Injectable } from '@nestjs/common';
import { Access, type AuthorizedResource } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { archived, invalidInput, referenceNotFound } from '../../../common/errors.js';
import { EndeavourPoliciesService } from '../../endeavours/endeavour-policies.service.js';
import { EndeavourDodService } from '../endeavour-dod.service.js';
import { EndorsementsRepository } from '../endorsements/endorsements.repository.js';
import { PoliciesRepository } from './policies.repository.js';
import type { PolicyStatus } from './policy.lifecycle.js';

/** Assigns policies to endeavours. */
@Injectable()
export class PolicyAssignmentsService {
  constructor(
    private readonly access: Access,
    private readonly dod: EndeavourDodService,
    private readonly endeavours: EndeavourPoliciesService,
    private readonly endorsements: EndorsementsRepository,
    private readonly repository: PoliciesRepository,
  ) {}

  /**
   * Assigns a policy. A different policy supersedes the endorsements of the previous one; the same policy changes
   * nothing. A dry run returns the effects.
   */
  async assign(me: Caller, endeavourId: string, policyId: string, isDryRun: boolean): Promise<object> {
    const endeavour = await this.access.authorize(me, 'endeavours_dod_policy_set', endeavourId);
    const status = await this.assertAssignable(me, policyId, endeavour);
    const locked = await this.endeavours.lock(me, 'endeavours_dod_policy_set', endeavourId);
    this.access.assertWritable(locked);
    if (status === 'archived') throw archived('policy');
    const response = { endeavour_id: endeavourId, policy_id: policyId };
    if (isDryRun) return { ...response, status: 'dry_run', ...(await this.dod.impact(endeavourId, policyId)) };
    const before = locked.row.dodPolicyId;
    await this.endeavours.assign(me, locked, policyId);
    if (before !== null && before !== policyId) await this.endorsements.supersedeAll(me, before, [endeavourId]);
    return { ...response, status: 'assigned' };
  }

  async unassign(me: Caller, endeavourId: string): Promise<object> {
    const locked = await this.endeavours.lock(me, 'endeavours_dod_policy_remove', endeavourId);
    this.access.assertWritable(locked);
    const before = locked.row.dodPolicyId;
    await this.endeavours.assign(me, locked, null);
    if (before !== null) await this.endorsements.supersedeAll(me, before, [endeavourId]);
    return { endeavour_id: endeavourId, status: 'unassigned' };
  }

  /** Returns the status of the policy; 400 if it is not visible to the caller or cannot be assigned to the endeavour. */
  private async assertAssignable(me: Caller, policyId: string, { id }: AuthorizedResource): Promise<PolicyStatus> {
    const visible = await this.access.find(me, policyId);
    const status = visible && (await this.repository.assignableStatus(policyId, id));
    if (status === undefined) throw invalidInput([referenceNotFound('policy_id')]);
    return status;
  }
}
