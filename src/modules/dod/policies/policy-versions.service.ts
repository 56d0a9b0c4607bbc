import { Injectable } from '@nestjs/common';
import { Access, type LockedResource } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { Lineage, type ForkTarget } from '../../../access/visibility/lineage.js';
import { fromWire } from '../../../common/texts/case.js';
import { archived, forbidden, invalidField } from '../../../common/errors.js';
import { newId } from '../../../common/ids.js';
import { rankOf } from '../../../common/roles.js';
import { ResourceWriter } from '../../../platform/events/resource-writer.js';
import { nextVersion } from '../../../platform/database/views/lineage.js';
import type { Representation } from '../../../platform/database/views/view.js';
import { EndeavourPoliciesService } from '../../endeavours/endeavour-policies.service.js';
import { completeConditions } from '../conditions/sent.js';
import { EndorsementsRepository } from '../endorsements/endorsements.repository.js';
import { PoliciesRepository } from './policies.repository.js';
import type { VersionPolicyDto } from './policy.dto.js';
import { Policy } from './policy.entity.js';
import type { PolicyContainer } from './policy.lifecycle.js';
import { strictnessOf } from './policy.rules.js';
import { policyView } from './policy.view.js';

/**
 * Creates the next version of a policy, and assigns it in one transaction to every endeavour that uses the policy and
 * where the caller can assign policies; other endeavours keep the old version. Built-in policies are copied instead.
 */
@Injectable()
export class PolicyVersionsService {
  constructor(
    private readonly access: Access,
    private readonly endeavours: EndeavourPoliciesService,
    private readonly endorsements: EndorsementsRepository,
    private readonly lineage: Lineage,
    private readonly repository: PoliciesRepository,
    private readonly writer: ResourceWriter,
  ) {}

  /**
   * Locks the policy until the end of the transaction, so that only one of several concurrent requests creates a version;
   * the others find an archived policy.
   */
  async create(me: Caller, id: string, dto: VersionPolicyDto): Promise<Representation> {
    const source = await this.access.lockForUpdate(me, 'dod_policies_versions_create', Policy, id);
    if (source.row.origin === 'template') return this.copy(me, source, dto);
    return this.replace(me, source, dto);
  }

  private async copy(me: Caller, source: LockedResource<Policy>, dto: VersionPolicyDto): Promise<Representation> {
    const { organization_id, endeavour_id } = dto;
    const requested = { organization_id, endeavour_id };
    const target = await this.lineage.target(me, 'dod_policies_create', source, requested, { hasGlobal: true });
    this.access.assertWritable({ ...target, row: source.row });
    return this.write(me, source.row, dto, target, 'fork');
  }

  private async replace(me: Caller, source: LockedResource<Policy>, dto: VersionPolicyDto): Promise<Representation> {
    const { row } = source;
    if (source.rank < rankOf('admin'))
      throw forbidden('the admin role where the policy belongs, or to be an administrator');
    for (const [field, requested, current] of [
      ['organization_id', dto.organization_id, row.organizationId],
      ['endeavour_id', dto.endeavour_id, row.endeavourId],
    ] as const) {
      if (requested === undefined || requested === current) continue;
      throw invalidField(field, 'invalid_value', 'A new version stays in the container of its policy.');
    }
    this.access.assertWritable(source);
    if (row.status === 'archived') throw archived('policy');
    const endeavourIds = await this.repository.lockAssignableEndeavours(me, row.id);
    const next = await this.write(me, row, dto, source, 'custom');
    await this.writer.patch(me, policyView, Policy, {
      current: row,
      changes: { status: 'archived' },
      place: source.place,
      type: () => 'dod_policy.status_changed',
    });
    await this.endeavours.replace(me, endeavourIds, next.id);
    await this.endorsements.supersedeAll(me, row.id, endeavourIds);
    return next;
  }

  private write(
    me: Caller,
    source: Policy,
    dto: VersionPolicyDto,
    { place }: ForkTarget,
    origin: 'custom' | 'fork',
  ): Promise<Representation> {
    const {
      conditions: sent,
      strictness,
      quorum,
      organization_id: _organization,
      endeavour_id: _endeavour,
      ...rest
    } = dto;
    const conditions = sent === undefined ? source.conditions : completeConditions(sent);
    const { name, description, scope, metadata } = source;
    return this.writer.create(me, policyView, Policy, {
      row: {
        id: newId('dod_policy'),
        origin,
        name,
        description,
        scope,
        metadata,
        ...fromWire(rest),
        ...strictnessOf({ strictness, quorum }, source, conditions),
        ...nextVersion(source),
        conditions,
        organizationId: place.organizationId ?? null,
        endeavourId: place.endeavourId ?? null,
        container: containerOf(place),
        createdBy: me.resourceId,
      },
      place,
      title: dto.name ?? name,
      event: { type: origin === 'fork' ? 'dod_policy.forked' : 'dod_policy.versioned' },
    });
  }
}

function containerOf({ organizationId, endeavourId, isGlobal }: ForkTarget['place']): PolicyContainer {
  if (isGlobal === true) return 'global';
  if (typeof organizationId === 'string') return 'organization';
  return typeof endeavourId === 'string' ? 'endeavour' : 'personal';
}
