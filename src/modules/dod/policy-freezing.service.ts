import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { newId } from '../../common/ids.js';
import { Writes } from '../../platform/changes/writes.js';
import { nextVersion } from '../../platform/database/lineage.js';
import { Database } from '../../platform/database/database.js';
import { EndeavourPolicies } from '../endeavours/endeavour-policies.service.js';
import { HomeLeaving } from '../endeavours/home-leaving.js';
import { Endorsements } from './endorsements.service.js';
import { PoliciesRepository } from './policies.repository.js';
import { Policy } from './policy.entity.js';
import { policyView } from './policy.view.js';

/** Keeps the version in force for an endeavour that leaves the organization of its policy, as a policy of its own. */
@Injectable()
export class PolicyFreezing {
  constructor(
    private readonly database: Database,
    private readonly endeavours: EndeavourPolicies,
    private readonly endorsements: Endorsements,
    private readonly repository: PoliciesRepository,
    private readonly writes: Writes,
    leaving: HomeLeaving,
  ) {
    leaving.register((me, endeavourId, organizationId) => this.freeze(me, endeavourId, organizationId));
  }

  private async freeze(me: Caller, endeavourId: string, organizationId: string): Promise<void> {
    const id = await this.repository.inForceFrom(endeavourId, organizationId);
    if (id === undefined) return;
    const source = await this.database.row(Policy, id);
    const { name, description, conditions, strictness, quorum, scope, metadata } = source;
    const copy = newId('dod_policy');
    await this.writes.create(me, policyView, Policy, {
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
      news: { type: 'dod_policy.forked' },
    });
    await this.endeavours.replace(me, [endeavourId], copy);
    await this.endorsements.carryOver(me, endeavourId, { id: copy, version: source.version + 1 });
  }
}
