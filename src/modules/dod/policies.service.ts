import { Injectable } from '@nestjs/common';
import { Access, type Found, type Opened } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { Lineage } from '../../access/lineage.js';
import { fromWire } from '../../common/case.js';
import { conflict, forbidden } from '../../common/errors.js';
import { newId } from '../../common/ids.js';
import { Writes } from '../../platform/changes/writes.js';
import { Database } from '../../platform/database/database.js';
import { assertNotBuiltIn, firstVersion } from '../../platform/database/lineage.js';
import type { Representation } from '../../platform/database/view.js';
import { mergeMetadata } from '../../platform/http/metadata.js';
import type { Page } from '../../platform/http/page.js';
import type { RawQuery } from '../../platform/http/raw-query.js';
import { Listing } from '../../platform/listing/listing.js';
import { completeConditions } from './conditions/sent.js';
import type { CreatePolicyDto, UpdatePolicyDto } from './policy.dto.js';
import { Policy } from './policy.entity.js';
import type { PolicyStatus } from './policy.lifecycle.js';
import { policyList } from './policy.list.js';
import { strictnessOf } from './policy.rules.js';
import { policyView } from './policy.view.js';

/** What done means, in words that can be checked. */
@Injectable()
export class PoliciesService {
  constructor(
    private readonly access: Access,
    private readonly database: Database,
    private readonly lineage: Lineage,
    private readonly listing: Listing,
    private readonly writes: Writes,
  ) {}

  list(me: Caller, query: RawQuery): Promise<Page> {
    return this.listing.page(me, policyList, query);
  }

  get(me: Caller, id: string): Promise<Representation> {
    return this.access.read(me, policyView, id);
  }

  chain(me: Caller, id: string): Promise<unknown[]> {
    return this.lineage.chain(me, policyView, id);
  }

  async create(me: Caller, dto: CreatePolicyDto): Promise<Representation> {
    const { conditions: sent, strictness, quorum, ...rest } = dto;
    const conditions = completeConditions(sent);
    const strict = strictnessOf({ strictness, quorum }, { strictness: 'all', quorum: null }, conditions);
    const home = await this.homeFor(me, dto.organization_id);
    if (home !== undefined) this.access.ready(home);
    const id = newId('dod_policy');
    return this.writes.create(me, policyView, Policy, {
      row: { id, ...firstVersion(id), ...fromWire(rest), ...strict, conditions, createdBy: me.resourceId },
      place: home?.place ?? { isGlobal: true },
      title: dto.name,
    });
  }

  /** Changes what a policy is called; what it asks for changes with a new version only. */
  async update(me: Caller, id: string, dto: UpdatePolicyDto): Promise<Representation> {
    const opened = await this.access.open(me, 'dod_policies_update', Policy, id);
    this.access.ready(opened);
    assertNotBuiltIn(opened.row);
    if (dto.status !== undefined) await this.assertMayBecome(opened, dto.status);
    const { metadata, ...sent } = dto;
    return this.writes.patch(me, policyView, Policy, {
      current: opened.row,
      changes: { ...fromWire(sent), metadata: mergeMetadata(opened.row.metadata, metadata) },
      place: opened.place,
      pointer: { title: dto.name },
      type: ({ status }) => (status === undefined ? undefined : 'dod_policy.status_changed'),
    });
  }

  private async homeFor(me: Caller, organizationId: string | undefined): Promise<Found | undefined> {
    if (organizationId !== undefined) {
      return this.access.named(me, 'dod_policies_create', 'organization_id', organizationId, 'organization');
    }
    if (!me.isAdmin) throw forbidden('an administrator, or organization_id with the role admin there');
    return undefined;
  }

  /** What endeavours go by stays active; what has a newer version stays archived. The row is locked meanwhile. */
  private async assertMayBecome({ row }: Opened<Policy>, status: PolicyStatus): Promise<void> {
    if (status === row.status) return;
    const found = await this.database.one<{ used: number; replaced: boolean }>(
      `SELECT (SELECT count(*) FROM endeavours WHERE dod_policy_id = $1)::integer AS used,
              EXISTS (SELECT 1 FROM dod_policies WHERE predecessor_id = $1 AND origin = 'custom') AS replaced`,
      [row.id],
    );
    if (status === 'archived' && found !== undefined && found.used > 0) {
      throw conflict('in_use', `${found.used} endeavours go by this policy.`, { endeavours: found.used });
    }
    if (status === 'active' && found?.replaced === true) {
      throw conflict('replaced', 'A newer version has taken the place of this policy.');
    }
  }
}
