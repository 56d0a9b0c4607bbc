import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/authentication/caller.js';
import type { Granter } from '../../../access/memberships/membership-rows.js';
import { RoleLosses } from '../../../access/permissions/role-losses.js';
import { newId } from '../../../common/ids.js';
import { actingPerson } from '../../../platform/context/actor.js';
import { ResourceWriter } from '../../../platform/events/resource-writer.js';
import { nextVersion } from '../../../platform/database/views/lineage.js';
import { EndeavourPoliciesService } from '../../endeavours/endeavour-policies.service.js';
import { HomeLeaving } from '../../endeavours/homes/home-leaving.js';
import { TasksRepository } from '../../tasks/tasks.repository.js';
import { EndorsementsRepository } from '../endorsements/endorsements.repository.js';
import { PoliciesRepository } from './policies.repository.js';
import { Policy } from './policy.entity.js';
import { policyView } from './policy.view.js';

/**
 * Copies the policy of an endeavour into the endeavour, so that nobody outside changes what binds it: when it leaves the
 * organization that the policy belongs to, and when the creator of a personal policy is no longer an admin there, or
 * changes it after that was overlooked.
 */
@Injectable()
export class PolicyFreezingService {
  constructor(
    private readonly endeavours: EndeavourPoliciesService,
    private readonly endorsements: EndorsementsRepository,
    private readonly repository: PoliciesRepository,
    private readonly tasks: TasksRepository,
    private readonly writer: ResourceWriter,
    leaving: HomeLeaving,
    losses: RoleLosses,
  ) {
    losses.register({
      lost: (actor, userId) => this.freezePoliciesOf(actor, userId),
      endeavoursOf: (userId) => repository.endeavoursUnderPoliciesOf(userId),
    });
    leaving.register((me, endeavourId, organizationId) => this.freezeAtLeaving(me, endeavourId, organizationId));
  }

  /** Copies a personal policy, which the calling code has locked, into the endeavours that the caller cannot assign it to. */
  async freezeElsewhere(me: Caller, policy: Policy): Promise<void> {
    if (policy.container !== 'personal' || me.isAdmin) return;
    for (const endeavourId of await this.repository.lockForeignEndeavours(me, policy.id)) {
      await this.freeze(me, endeavourId, policy);
    }
  }

  private async freezePoliciesOf(actor: Granter, userId: string): Promise<void> {
    for (const { endeavourId, policyId } of await this.repository.lockEndeavoursWithoutAdmin(userId)) {
      await this.freeze(actor, endeavourId, await this.repository.read(policyId));
    }
  }

  private async freezeAtLeaving(me: Caller, endeavourId: string, organizationId: string): Promise<void> {
    const id = await this.repository.inForceFrom(endeavourId, organizationId);
    if (id !== undefined) await this.freeze(me, endeavourId, await this.repository.read(id));
  }

  private async freeze(me: Granter, endeavourId: string, source: Policy): Promise<void> {
    const { name, description, conditions, strictness, quorum, scope, metadata } = source;
    const copy = newId('dod_policy');
    await this.writer.create(me, policyView, Policy, {
      row: {
        id: copy,
        name,
        description,
        conditions,
        strictness,
        quorum,
        scope,
        metadata,
        ...nextVersion(source),
        origin: 'fork',
        container: 'endeavour',
        endeavourId,
        createdBy: actingPerson(me),
      },
      place: { endeavourId },
      title: name,
      event: { type: 'dod_policy.forked' },
    });
    await this.endeavours.replace(me, [endeavourId], copy);
    await this.endorsements.carryOver(me, endeavourId, { id: copy, version: source.version + 1 });
    await this.tasks.carryOverrides(endeavourId, source.id, copy);
  }
}
