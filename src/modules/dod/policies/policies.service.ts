import { Injectable } from '@nestjs/common';
import { Access, type LockedResource } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { Lineage } from '../../../access/visibility/lineage.js';
import { fromWire } from '../../../common/texts/case.js';
import { conflict, administratorRequired, invalidField } from '../../../common/errors.js';
import { newId } from '../../../common/ids.js';
import type { ResourceScope } from '../../../platform/context/actor.js';
import { ResourceWriter } from '../../../platform/events/resource-writer.js';
import { assertNotBuiltIn, firstVersion } from '../../../platform/database/views/lineage.js';
import type { FieldNames, Representation } from '../../../platform/database/views/view.js';
import { mergedChanges } from '../../../platform/http/bodies/metadata.js';
import type { Page } from '../../../platform/http/responses/page.js';
import type { RawQuery } from '../../../platform/http/requests/query-parameters.js';
import { Listing } from '../../../platform/listing/listing.js';
import { completeConditions } from '../conditions/sent.js';
import { PoliciesRepository } from './policies.repository.js';
import type { CreatePolicyDto, UpdatePolicyDto } from './policy.dto.js';
import { Policy } from './policy.entity.js';
import type { PolicyContainer, PolicyStatus } from './policy.lifecycle.js';
import { policyList } from './policy.list.js';
import { strictnessOf } from './policy.rules.js';
import { PolicyFreezingService } from './policy-freezing.service.js';
import { policyView } from './policy.view.js';

/** Manages DoD policies, which define with conditions when a task is done. */
@Injectable()
export class PoliciesService {
  constructor(
    private readonly access: Access,
    private readonly freezing: PolicyFreezingService,
    private readonly lineage: Lineage,
    private readonly listing: Listing,
    private readonly repository: PoliciesRepository,
    private readonly writer: ResourceWriter,
  ) {}

  list(me: Caller, query: RawQuery): Promise<Page> {
    return this.listing.page(me, policyList, query);
  }

  get(me: Caller, id: string, fields?: FieldNames): Promise<Representation> {
    return this.access.getOr404(me, policyView, id, { fields });
  }

  chain(me: Caller, id: string): Promise<unknown[]> {
    return this.lineage.chain(me, policyView, id);
  }

  async create(me: Caller, dto: CreatePolicyDto): Promise<Representation> {
    const { conditions: input, strictness, quorum, ...rest } = dto;
    const conditions = completeConditions(input);
    const strict = strictnessOf({ strictness, quorum }, { strictness: 'all', quorum: null }, conditions);
    const { place, container } = await this.placeFor(me, dto);
    const id = newId('dod_policy');
    return this.writer.create(me, policyView, Policy, {
      row: { id, ...firstVersion(id), ...fromWire(rest), ...strict, container, conditions, createdBy: me.resourceId },
      place,
      title: dto.name,
    });
  }

  /** Updates everything except the conditions of a policy, which change only with a new version. */
  async update(me: Caller, id: string, dto: UpdatePolicyDto): Promise<Representation> {
    const locked = await this.access.lockForUpdate(me, 'dod_policies_update', Policy, id);
    this.access.assertWritable(locked);
    assertNotBuiltIn(locked.row);
    if (dto.status !== undefined) await this.assertMayBecome(locked, dto.status);
    await this.freezing.freezeElsewhere(me, locked.row);
    return this.writer.patch(me, policyView, Policy, {
      current: locked.row,
      changes: mergedChanges(locked.row, dto),
      place: locked.place,
      entityChanges: { title: dto.name },
      type: ({ status }) => (status === undefined ? undefined : 'dod_policy.status_changed'),
    });
  }

  /**
   * Returns the container of a new policy: the requested one; by default, global for administrators and personal for
   * others.
   */
  private async placeFor(
    me: Caller,
    { organization_id, endeavour_id, container: requested }: CreatePolicyDto,
  ): Promise<{ place: ResourceScope; container: PolicyContainer }> {
    const container = containerOf(me, { organization_id, endeavour_id, requested });
    if (container === 'personal') return { place: { ownerUserId: me.userId }, container };
    if (container === 'global') {
      if (!me.isAdmin) throw administratorRequired();
      return { place: { isGlobal: true }, container };
    }
    const parent =
      organization_id === undefined
        ? await this.access.resolveReference(me, 'dod_policies_create', 'endeavour_id', endeavour_id ?? '', 'endeavour')
        : await this.access.resolveReference(
            me,
            'dod_policies_create',
            'organization_id',
            organization_id,
            'organization',
          );
    this.access.assertWritable(parent);
    return { place: parent.place, container };
  }

  /** Rejects the reactivation of a policy that a newer version has replaced. */
  private async assertMayBecome({ row }: LockedResource<Policy>, status: PolicyStatus): Promise<void> {
    if (status !== 'active' || row.status === 'active') return;
    if (await this.repository.isReplaced(row.id)) {
      throw conflict('replaced', 'A newer version has replaced this policy.');
    }
  }
}

interface RequestedContainer {
  organization_id?: string;
  endeavour_id?: string;
  requested?: PolicyContainer;
}

/** Determines the container from the body, and rejects one that contradicts the ids in the body. */
function containerOf(me: Caller, { organization_id, endeavour_id, requested }: RequestedContainer): PolicyContainer {
  if (organization_id !== undefined && endeavour_id !== undefined) {
    const message = 'Set either organization_id or endeavour_id, not both.';
    throw invalidField('organization_id', 'invalid_value', message);
  }
  const implied = organization_id !== undefined ? 'organization' : endeavour_id !== undefined ? 'endeavour' : undefined;
  if (requested === undefined) return implied ?? (me.isAdmin ? 'global' : 'personal');
  if (implied === undefined && (requested === 'organization' || requested === 'endeavour')) {
    throw invalidField(`${requested}_id`, 'required', `${requested}_id is required if container is ${requested}.`);
  }
  if (implied !== undefined && requested !== implied) {
    throw invalidField('container', 'invalid_value', `container must be ${implied} if ${implied}_id is set.`);
  }
  return requested;
}
