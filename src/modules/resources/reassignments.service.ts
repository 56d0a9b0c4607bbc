import { Injectable } from '@nestjs/common';
import { Access, type AuthorizedResource } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { Memberships } from '../../access/memberships.js';
import type { OperationId } from '../../access/permissions.js';
import { forbidden, invalidField } from '../../common/errors.js';
import { WORK_ROLES, type WorkRole } from './work-roles.js';
import type { ReassignDto } from './reassignment.dto.js';
import { ReassignmentsRepository } from './reassignments.repository.js';

/** The parameters of a reassignment: from, to, endeavours and share. */
export interface Handover {
  from: string;
  to: string;
  endeavourIds: string[];
  include: readonly WorkRole[];
}

/** A feature whose open work resources are assigned or own. */
export interface OpenWork {
  /** The endeavours in which the resource has such work. */
  endeavoursOf(resourceId: string, include: readonly WorkRole[]): Promise<string[]>;
  /** Reassigns without a permission check; returns the number of changed entities. */
  handOver(me: Caller, handover: Handover): Promise<number>;
}

/** The result of a reassignment; `skipped` are endeavours in which the work was not reassigned. */
export interface Reassigned {
  moved: number;
  skipped: { endeavour_id: string; reason: 'archived' | 'not_assignable' }[];
}

/** Hands over the open work of people who leave, and of other resources. */
@Injectable()
export class ReassignmentsService {
  private readonly work: OpenWork[] = [];

  constructor(
    private readonly access: Access,
    private readonly memberships: Memberships,
    private readonly reassignments: ReassignmentsRepository,
  ) {}

  register(work: OpenWork): void {
    this.work.push(work);
  }

  async reassign(me: Caller, id: string, dto: ReassignDto): Promise<Reassigned> {
    const { endeavour_id: endeavourId, include = WORK_ROLES } = dto;
    await this.access.authorize(me, 'resources_reassign', id);
    const isOwn = id === me.resourceId;
    const endeavour = endeavourId === undefined ? undefined : await this.openedTo(me, isOwn, endeavourId);
    if (endeavour === undefined && !isOwn) await this.assertAdminSomewhere(me);
    const { resourceId: to } = await this.memberships.member(me, 'to', dto.to);
    if (to === id) throw invalidField('to', 'invalid_value', 'to must be a different resource.');
    if (endeavour !== undefined) this.access.assertWritable(endeavour);
    const concerned = await this.endeavoursOf(id, include);
    const wanted = endeavourId === undefined ? concerned : concerned.filter((one) => one === endeavourId);
    const { open, skipped } = await this.sorted(me, wanted, { to, rank: isOwn ? 2 : 3 });
    const handover: Handover = { from: id, to, endeavourIds: open, include };
    let moved = 0;
    for (const work of this.work) moved += await work.handOver(me, handover);
    return { moved, skipped };
  }

  private openedTo(me: Caller, isOwn: boolean, endeavourId: string): Promise<AuthorizedResource> {
    const operation: OperationId = isOwn ? 'resources_reassign_own' : 'resources_reassign_others';
    return this.access.resolveReference(me, operation, 'endeavour_id', endeavourId, 'endeavour');
  }

  private async assertAdminSomewhere(me: Caller): Promise<void> {
    if (me.isAdmin || (await this.reassignments.isAdminSomewhere(me))) return;
    throw forbidden('the admin role in an endeavour, or to be that person');
  }

  private async endeavoursOf(resourceId: string, include: readonly WorkRole[]): Promise<string[]> {
    const found = new Set<string>();
    for (const work of this.work) {
      for (const id of await work.endeavoursOf(resourceId, include)) found.add(id);
    }
    return [...found];
  }

  /** Those where the caller may hand over, locked, by what is possible there. */
  private async sorted(
    me: Caller,
    endeavourIds: readonly string[],
    taker: { to: string; rank: number },
  ): Promise<{ open: string[] } & Pick<Reassigned, 'skipped'>> {
    const rows = await this.reassignments.lockEndeavours(me, endeavourIds, taker);
    const open = rows.filter(({ archived, assignable }) => !archived && assignable);
    const skipped = rows
      .filter((row) => !open.includes(row))
      .map(({ id, archived }) => ({
        endeavour_id: id,
        reason: archived ? ('archived' as const) : ('not_assignable' as const),
      }));
    return { open: open.map(({ id }) => id), skipped };
  }
}
