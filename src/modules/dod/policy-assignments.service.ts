import { Injectable } from '@nestjs/common';
import { Access, type AuthorizedResource } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { archived, invalidInput, referenceNotFound } from '../../common/errors.js';
import { EndeavourPoliciesService } from '../endeavours/endeavour-policies.service.js';
import { EndeavourDodService } from './endeavour-dod.service.js';
import { EndorsementsRepository } from './endorsements.repository.js';
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

  /** A different policy ends earlier endorsements; the same one changes nothing. A dry run returns the effects. */
  async assign(me: Caller, endeavourId: string, policyId: string, isDryRun: boolean): Promise<object> {
    const endeavour = await this.access.authorize(me, 'dod_policy_assign', endeavourId);
    const status = await this.assertAssignable(me, policyId, endeavour);
    const opened = await this.endeavours.open(me, 'dod_policy_assign', endeavourId);
    this.access.assertWritable(opened);
    if (status === 'archived') throw archived('policy');
    const answer = { endeavour_id: endeavourId, policy_id: policyId };
    if (isDryRun) return { ...answer, status: 'dry_run', ...(await this.dod.impact(endeavourId, policyId)) };
    const before = opened.row.dodPolicyId;
    await this.endeavours.use(me, opened, policyId);
    if (before !== null && before !== policyId) await this.endorsements.supersedeAll(me, before, [endeavourId]);
    return { ...answer, status: 'assigned' };
  }

  async unassign(me: Caller, endeavourId: string): Promise<object> {
    const opened = await this.endeavours.open(me, 'dod_policy_unassign', endeavourId);
    this.access.assertWritable(opened);
    const before = opened.row.dodPolicyId;
    await this.endeavours.use(me, opened, null);
    if (before !== null) await this.endorsements.supersedeAll(me, before, [endeavourId]);
    return { endeavour_id: endeavourId, status: 'unassigned' };
  }

  /** The status of a policy that is visible to the caller and can be assigned to the endeavour. */
  private async assertAssignable(me: Caller, policyId: string, { id }: AuthorizedResource): Promise<PolicyStatus> {
    const seen = await this.access.find(me, policyId);
    const status = seen && (await this.repository.assignableStatus(policyId, id));
    if (status === undefined) throw invalidInput([referenceNotFound('policy_id')]);
    return status;
  }
}
