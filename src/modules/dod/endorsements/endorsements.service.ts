import { Injectable } from '@nestjs/common';
import { Access, type AuthorizedResource } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import type { OperationId } from '../../../access/permissions/permissions.js';
import { conflict, forbidden, invalidField, invalidInput, referenceNotFound } from '../../../common/errors.js';
import { newId } from '../../../common/ids.js';
import { ResourceWriter } from '../../../platform/events/resource-writer.js';
import type { FieldNames, Representation, Wire } from '../../../platform/database/views/view.js';
import type { Page } from '../../../platform/http/responses/page.js';
import type { RawQuery } from '../../../platform/http/requests/query-parameters.js';
import { checkEachItem, writeEachItem } from '../../../platform/http/responses/refused-items.js';
import { Listing } from '../../../platform/listing/listing.js';
import type { CreateEndorsementDto, CreateEndorsementsDto } from './endorsement.dto.js';
import { Endorsement } from './endorsement.entity.js';
import { endorsementList } from './endorsement.list.js';
import { endorsementView } from './endorsement.view.js';
import { EndorsementsRepository, type EndorsedPolicy } from './endorsements.repository.js';

const LIST = 'endorsements';

/** An endorsement as the response to many at once shows it. */
export type CreatedEndorsement = Wire<typeof endorsementView>;

/** An endorsement that nothing speaks against. */
interface PreparedEndorsement {
  endeavour: AuthorizedResource;
  policy: EndorsedPolicy;
}

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

  async endorse(me: Caller, dto: CreateEndorsementDto): Promise<Representation> {
    const { endeavour, policy } = await this.prepare(me, 'dod_endorsements_create', dto);
    return this.create(me, endeavour, policy);
  }

  /** Endorses all of the policies or none; the error names each endorsement that is refused. */
  async endorseAll(me: Caller, { endorsements }: CreateEndorsementsDto): Promise<CreatedEndorsement[]> {
    const orderBy = ({ endeavour_id }: CreateEndorsementDto): string => endeavour_id;
    const endeavourIds = endorsements.map(orderBy);
    const prepared = await checkEachItem(endorsements, { list: LIST, orderBy }, (dto, index) => {
      assertFirst(endeavourIds.indexOf(dto.endeavour_id), index);
      return this.prepare(me, 'dod_endorsements_bulk', dto);
    });
    const created = await writeEachItem(prepared, { list: LIST }, ({ endeavour, policy }) =>
      this.create(me, endeavour, policy),
    );
    return created.map((endorsement) => endorsement.read(endorsementView));
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

  /** Checks an endorsement, and locks the endeavour so that the result still holds when it is written. */
  private async prepare(
    me: Caller,
    operation: OperationId,
    { endeavour_id, policy_id }: CreateEndorsementDto,
  ): Promise<PreparedEndorsement> {
    const endeavour = await this.access.resolveReference(me, operation, 'endeavour_id', endeavour_id, 'endeavour');
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
    return { endeavour, policy: assigned };
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

/** Rejects a second endorsement in the same endeavour. */
function assertFirst(first: number, index: number): void {
  if (first === index) return;
  throw invalidField('endeavour_id', 'invalid_value', `endeavour_id repeats that of ${LIST}.${first}.`);
}
