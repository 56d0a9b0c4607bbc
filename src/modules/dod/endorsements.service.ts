import { Injectable } from '@nestjs/common';
import { Access, type AuthorizedResource } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { conflict, forbidden, invalidInput, referenceNotFound } from '../../common/errors.js';
import { newId } from '../../common/ids.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import type { FieldNames, Representation } from '../../platform/database/view.js';
import type { Page } from '../../platform/http/page.js';
import type { RawQuery } from '../../platform/http/query-parameters.js';
import { Listing } from '../../platform/listing/listing.js';
import type { CreateEndorsementDto } from './endorsement.dto.js';
import { Endorsement } from './endorsement.entity.js';
import { endorsementList } from './endorsement.list.js';
import { endorsementView } from './endorsement.view.js';
import { EndorsementsRepository, type EndorsedPolicy } from './endorsements.repository.js';

/** Manages endorsements of the policy of an endeavour; only members who have endorsed it can complete tasks. */
@Injectable()
export class EndorsementsService {
  constructor(
    private readonly access: Access,
    private readonly listing: Listing,
    private readonly repository: EndorsementsRepository,
    private readonly writer: ResourceWriter,
  ) {}

  list(me: Caller, query: RawQuery): Promise<Page> {
    return this.listing.page(me, endorsementList, query);
  }

  get(me: Caller, id: string, fields?: FieldNames): Promise<Representation> {
    return this.access.getOr404(me, endorsementView, id, { fields });
  }

  async endorse(me: Caller, { endeavour_id, policy_id }: CreateEndorsementDto): Promise<Representation> {
    const field = 'endeavour_id';
    const endeavour = await this.access.resolveReference(
      me,
      'dod_endorsements_create',
      field,
      endeavour_id,
      'endeavour',
    );
    const assigned = await this.repository.lockAssigned(endeavour_id);
    if (policy_id !== undefined && policy_id !== assigned?.id) await this.assertVisible(me, policy_id);
    this.access.assertWritable(endeavour);
    if (assigned === undefined) throw conflict('no_policy', 'No policy is assigned to this endeavour.');
    if (policy_id !== undefined && policy_id !== assigned.id) {
      throw conflict('not_assigned', 'Another policy is assigned to this endeavour.', {
        assigned_policy_id: assigned.id,
      });
    }
    await this.assertNotEndorsed(me, endeavour_id);
    return this.create(me, endeavour, assigned);
  }

  /** Withdraws the caller's own endorsement. */
  async withdraw(me: Caller, id: string): Promise<{ id: string; deleted: true }> {
    const locked = await this.access.lockForUpdate(me, 'dod_endorsements_delete', Endorsement, id);
    if (locked.row.resourceId !== me.resourceId) throw forbidden('to be the person who gave the endorsement');
    this.access.assertWritable(locked);
    if (locked.row.status !== 'active')
      throw conflict('not_active', `The endorsement is already ${locked.row.status}.`);
    await this.writer.patch(me, endorsementView, Endorsement, {
      current: locked.row,
      changes: { status: 'withdrawn' },
      place: locked.place,
      type: () => 'dod_endorsement.withdrawn',
    });
    return { id, deleted: true };
  }

  private async assertVisible(me: Caller, policyId: string): Promise<void> {
    if ((await this.access.find(me, policyId)) === undefined) throw invalidInput([referenceNotFound('policy_id')]);
  }

  private async assertNotEndorsed(me: Caller, endeavourId: string): Promise<void> {
    const endorsementId = await this.repository.activeOf(me.resourceId, endeavourId);
    if (endorsementId === undefined) return;
    throw conflict('already_endorsed', 'You have already endorsed this policy.', { endorsement_id: endorsementId });
  }

  private create(
    me: Caller,
    { id, title, place }: AuthorizedResource,
    policy: EndorsedPolicy,
  ): Promise<Representation> {
    return this.writer.create(me, endorsementView, Endorsement, {
      row: {
        id: newId('dod_endorsement'),
        policyId: policy.id,
        policyVersion: policy.version,
        resourceId: me.resourceId,
        endeavourId: id,
      },
      place,
      title: `${me.name} in ${title}`,
    });
  }
}
