import { Injectable } from '@nestjs/common';
import { LOCK_ENDEAVOUR, POLICIES_IN_FORCE } from '../../../access/visibility/containers.view.js';
import type { Caller } from '../../../access/authentication/caller.js';
import type { Actor } from '../../../platform/context/actor.js';
import { BulkWriter } from '../../../platform/events/bulk-writer.js';
import { Database } from '../../../platform/database/database.js';
import { Endorsement } from './endorsement.entity.js';
import { endorsementView } from './endorsement.view.js';

/** The version of a policy to which an endorsement applies. */
export interface EndorsedPolicy {
  id: string;
  version: number;
}

/** Reads and writes endorsements. */
@Injectable()
export class EndorsementsRepository {
  constructor(
    private readonly bulkWriter: BulkWriter,
    private readonly database: Database,
  ) {}

  /**
   * Returns the policy of the endeavour. Locks the endeavour, so that until the commit its policy does not change and the
   * caller cannot endorse it a second time.
   */
  async lockAssigned(endeavourId: string): Promise<EndorsedPolicy | undefined> {
    await this.database.query(LOCK_ENDEAVOUR, [endeavourId]);
    return this.database.one<EndorsedPolicy>(`SELECT p.id, p.version FROM ${POLICIES_IN_FORCE} WHERE e.id = $1`, [
      endeavourId,
    ]);
  }

  /** Returns the id of the resource's active endorsement in the endeavour. */
  async activeOf(resourceId: string, endeavourId: string): Promise<string | undefined> {
    const endorsement = await this.database.one<{ id: string }>(
      `SELECT id FROM dod_endorsements WHERE endeavour_id = $1 AND resource_id = $2 AND status = 'active'`,
      [endeavourId, resourceId],
    );
    return endorsement?.id;
  }

  /** Supersedes all active endorsements of a policy in these endeavours. */
  async supersedeAll(me: Caller, policyId: string, endeavourIds: readonly string[]): Promise<void> {
    await this.bulkWriter.patchAll(me, endorsementView, Endorsement, {
      where: `d.status = 'active' AND d.policy_id = ($1::text[])[1] AND d.endeavour_id = ANY(($1::text[])[2:])`,
      parameter: [policyId, ...endeavourIds],
      changes: { status: 'superseded', supersededAt: new Date() },
      type: 'dod_endorsement.superseded',
    });
  }

  /** Changes the active endorsements in an endeavour to endorsements of the copy that has replaced its policy. */
  async carryOver(me: Actor, endeavourId: string, { id, version }: EndorsedPolicy): Promise<void> {
    await this.bulkWriter.patchAll(me, endorsementView, Endorsement, {
      where: `d.status = 'active' AND d.endeavour_id = $1`,
      parameter: endeavourId,
      changes: { policyId: id, policyVersion: version },
      type: 'dod_endorsement.updated',
    });
  }
}
