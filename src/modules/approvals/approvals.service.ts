import { Injectable } from '@nestjs/common';
import { Access, type Found } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { conflict, forbidden, invalidField } from '../../common/errors.js';
import { isId, newId } from '../../common/ids.js';
import { ENDEAVOUR_ROLES, ORGANIZATION_ROLES } from '../../common/roles.js';
import { printable } from '../../common/text.js';
import { Writes } from '../../platform/changes/writes.js';
import { Database } from '../../platform/database/database.js';
import type { Representation } from '../../platform/database/view.js';
import type { Page } from '../../platform/http/page.js';
import type { RawQuery } from '../../platform/http/raw-query.js';
import { Listing } from '../../platform/listing/listing.js';
import type { CreateApprovalDto } from './approval.dto.js';
import { Approval, type Verdict } from './approval.entity.js';
import { approvalList } from './approval.list.js';
import { approvalView } from './approval.view.js';
import { contentOf, type ApprovedKind } from './approved-content.js';

/** A thing as it stands: what an approval is given to. */
interface Approved {
  revision: number;
  hash: string;
}

/** Verdicts on things, for good. */
@Injectable()
export class ApprovalsService {
  constructor(
    private readonly access: Access,
    private readonly database: Database,
    private readonly listing: Listing,
    private readonly writes: Writes,
  ) {}

  list(me: Caller, query: RawQuery): Promise<Page> {
    return this.listing.page(me, approvalList, query);
  }

  get(me: Caller, id: string): Promise<Representation> {
    return this.access.read(me, approvalView, id);
  }

  async create(me: Caller, dto: CreateApprovalDto): Promise<Representation> {
    const { entity_type: entityType, entity_id: entityId, role = null, verdict, comment, metadata } = dto;
    if (!isId(entityType, entityId)) {
      throw invalidField('entity_id', 'invalid_format', `entity_id must be the id of a thing of kind ${entityType}.`);
    }
    const target = await this.access.target(me, 'approvals_create', 'entity_id', entityId, { alone: true });
    if (role !== null) await this.assertHolds(me, target, role);
    this.access.ready(target);
    const { revision, hash } = await this.approved(entityType, entityId);
    await this.supersede(me, entityId, role, { verdict, hash });
    return this.writes.create(me, approvalView, Approval, {
      row: {
        id: newId('approval'),
        entityType,
        entityId,
        verdict,
        role,
        comment,
        approverId: me.resourceId,
        entityRevision: revision,
        contentHash: hash,
        metadata,
      },
      place: target.place,
      title: printable(`${verdict}: ${target.title}`, 500),
      parentId: entityId,
    });
  }

  /** A role up to one's own where the thing lies, or one of one's stakeholder roles there. */
  private async assertHolds(me: Caller, { place, rank, containerKind }: Found, role: string): Promise<void> {
    const roles: readonly string[] = containerKind === 'organization' ? ORGANIZATION_ROLES : ENDEAVOUR_ROLES;
    if (roles.slice(0, rank).includes(role)) return;
    const stake = await this.database.one(
      'SELECT 1 FROM endeavour_members WHERE endeavour_id = $1 AND user_id = $2 AND $3 = ANY(stakeholder_roles)',
      [place.endeavourId, me.userId, role],
    );
    if (stake === undefined) throw forbidden('holding the role that the approval is given as');
  }

  private async approved(kind: ApprovedKind, id: string): Promise<Approved> {
    const row = await this.database.one<Approved>(contentOf(kind, '$1'), [id]);
    if (row === undefined) throw new Error('a thing that is visible has a row');
    return row;
  }

  /** Makes way for a newer approval; refuses one that says again what is said already. */
  private async supersede(
    me: Caller,
    entityId: string,
    role: string | null,
    { verdict, hash }: { verdict: Verdict; hash: string },
  ): Promise<void> {
    const rows = await this.database.query<{ repeated: boolean }>(
      `UPDATE approvals SET is_current = false
       WHERE entity_id = $1 AND approver_id = $2 AND role IS NOT DISTINCT FROM $3 AND is_current
       RETURNING verdict = $4 AND content_hash = $5 AS repeated`,
      [entityId, me.resourceId, role, verdict, hash],
    );
    if (rows.some(({ repeated }) => repeated)) {
      throw conflict('already_given', `You have already given the verdict ${verdict} on this as it stands.`);
    }
  }
}
