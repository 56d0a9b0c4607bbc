import { Injectable } from '@nestjs/common';
import { Access, type AuthorizedResource } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { conflict, forbidden, invalidInput, referenceNotFound } from '../../common/errors.js';
import { newId } from '../../common/ids.js';
import { BulkWriter } from '../../platform/events/bulk-writer.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import { Database } from '../../platform/database/database.js';
import type { FieldNames, Representation } from '../../platform/database/view.js';
import type { Page } from '../../platform/http/page.js';
import type { RawQuery } from '../../platform/http/query-parameters.js';
import { Listing } from '../../platform/listing/listing.js';
import type { CreateEndorsementDto } from './endorsement.dto.js';
import { Endorsement } from './endorsement.entity.js';
import { endorsementList } from './endorsement.list.js';
import { endorsementView } from './endorsement.view.js';

interface Assigned {
  id: string;
  version: number;
}

/** Who has bound themselves to go by the policy of an endeavour; only they close its tasks. */
@Injectable()
export class EndorsementsService {
  constructor(
    private readonly access: Access,
    private readonly database: Database,
    private readonly listing: Listing,
    private readonly bulkWriter: BulkWriter,
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
    const assigned = await this.assignedTo(endeavour_id);
    if (policy_id !== undefined && policy_id !== assigned?.id) await this.assertVisible(me, policy_id);
    this.access.assertWritable(endeavour);
    if (assigned === undefined) throw conflict('no_policy', 'No policy is assigned to this endeavour.');
    if (policy_id !== undefined && policy_id !== assigned.id) {
      throw conflict('not_assigned', 'Another policy is assigned to this endeavour.', {
        assigned_policy_id: assigned.id,
      });
    }
    await this.assertNew(me, endeavour_id);
    return this.bind(me, endeavour, assigned);
  }

  /** Withdraws the caller's own endorsement. */
  async withdraw(me: Caller, id: string): Promise<{ id: string; deleted: true }> {
    const opened = await this.access.lockForUpdate(me, 'dod_endorsements_withdraw', Endorsement, id);
    if (opened.row.resourceId !== me.resourceId) throw forbidden('to be the person who gave the endorsement');
    this.access.assertWritable(opened);
    if (opened.row.status !== 'active')
      throw conflict('not_active', `The endorsement is already ${opened.row.status}.`);
    await this.writer.patch(me, endorsementView, Endorsement, {
      current: opened.row,
      changes: { status: 'withdrawn' },
      place: opened.place,
      type: () => 'dod_endorsement.withdrawn',
    });
    return { id, deleted: true };
  }

  /** Ends all endorsements of a policy in these endeavours. */
  async supersedeAll(me: Caller, policyId: string, endeavourIds: readonly string[]): Promise<void> {
    await this.bulkWriter.patchAll(me, endorsementView, Endorsement, {
      where: `d.status = 'active' AND d.policy_id = ($1::text[])[1] AND d.endeavour_id = ANY(($1::text[])[2:])`,
      parameter: [policyId, ...endeavourIds],
      changes: { status: 'superseded', supersededAt: new Date() },
      type: 'dod_endorsement.superseded',
    });
  }

  /** Lets the active endorsements in an endeavour be of the copy that has taken the place of its policy. */
  async carryOver(me: Caller, endeavourId: string, { id, version }: Assigned): Promise<void> {
    await this.bulkWriter.patchAll(me, endorsementView, Endorsement, {
      where: `d.status = 'active' AND d.endeavour_id = $1`,
      parameter: endeavourId,
      changes: { policyId: id, policyVersion: version },
      type: 'dod_endorsement.updated',
    });
  }

  /** The lock keeps the endeavour from getting another policy, and the caller from endorsing twice, until the commit. */
  private async assignedTo(endeavourId: string): Promise<Assigned | undefined> {
    await this.database.query('SELECT 1 FROM endeavours WHERE id = $1 FOR NO KEY UPDATE', [endeavourId]);
    return this.database.one<Assigned>(
      'SELECT p.id, p.version FROM endeavours e JOIN dod_policies p ON p.id = e.dod_policy_id WHERE e.id = $1',
      [endeavourId],
    );
  }

  private async assertVisible(me: Caller, policyId: string): Promise<void> {
    if ((await this.access.find(me, policyId)) === undefined) throw invalidInput([referenceNotFound('policy_id')]);
  }

  private async assertNew(me: Caller, endeavourId: string): Promise<void> {
    const given = await this.database.one<{ id: string }>(
      `SELECT id FROM dod_endorsements WHERE endeavour_id = $1 AND resource_id = $2 AND status = 'active'`,
      [endeavourId, me.resourceId],
    );
    if (given !== undefined) {
      throw conflict('already_endorsed', 'You have already endorsed this policy.', { endorsement_id: given.id });
    }
  }

  private bind(me: Caller, { id, title, place }: AuthorizedResource, policy: Assigned): Promise<Representation> {
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
