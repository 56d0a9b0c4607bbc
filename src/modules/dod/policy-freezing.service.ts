import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { newId } from '../../common/ids.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import { nextVersion } from '../../platform/database/lineage.js';
import { EndeavourPoliciesService } from '../endeavours/endeavour-policies.service.js';
import { HomeLeaving } from '../endeavours/home-leaving.js';
import { EndorsementsRepository } from './endorsements.repository.js';
import { PoliciesRepository } from './policies.repository.js';
import { Policy } from './policy.entity.js';
import { policyView } from './policy.view.js';

/** Copies the policy of an endeavour into the endeavour when it leaves the organization that the policy belongs to. */
@Injectable()
export class PolicyFreezingService {
  constructor(
    private readonly endeavours: EndeavourPoliciesService,
    private readonly endorsements: EndorsementsRepository,
    private readonly repository: PoliciesRepository,
    private readonly writer: ResourceWriter,
    leaving: HomeLeaving,
  ) {
    leaving.register((me, endeavourId, organizationId) => this.freeze(me, endeavourId, organizationId));
  }

  private async freeze(me: Caller, endeavourId: string, organizationId: string): Promise<void> {
    const id = await this.repository.inForceFrom(endeavourId, organizationId);
    if (id === undefined) return;
    const source = await this.repository.read(id);
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
        createdBy: me.resourceId,
      },
      place: { endeavourId },
      title: name,
      event: { type: 'dod_policy.forked' },
    });
    await this.endeavours.replace(me, [endeavourId], copy);
    await this.endorsements.carryOver(me, endeavourId, { id: copy, version: source.version + 1 });
  }
}
