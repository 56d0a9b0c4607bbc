import { Injectable } from '@nestjs/common';
import { Access, type AuthorizedResource } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { MemberReferences } from '../../../access/memberships/member-references.js';
import type { Granter } from '../../../access/memberships/membership-rows.js';
import type { OperationId } from '../../../access/permissions/permissions.js';
import { forbidden, invalidField, invalidInput, referenceNotFound } from '../../../common/errors.js';
import type { Actor } from '../../../platform/context/actor.js';
import { WORK_ROLES, type WorkRole } from './work-roles.js';
import type { ReassignDto } from './reassignment.dto.js';
import { ReassignmentsRepository } from './reassignments.repository.js';
import { ResourcesRepository } from '../resources.repository.js';

/** The work to reassign: the open work in the endeavours that `from` has in the roles of `include`. */
export interface Reassignment {
  from: string;
  to: string;
  endeavourIds: string[];
  include: readonly WorkRole[];
}

/** A task or demand that is assigned to somebody or owned by somebody. */
export interface OpenEntity {
  id: string;
  type: 'task' | 'demand';
}

/** A feature whose work is assigned to or owned by resources. */
export interface OpenWork {
  /** The endeavours in which the resource has open work in any of these roles. */
  endeavoursOf(resourceId: string, include: readonly WorkRole[]): Promise<string[]>;
  /** At most `limit` open entities of the resource in the endeavours of the organization. */
  openIn(organizationId: string, resourceId: string, limit: number): Promise<OpenEntity[]>;
  /** Reassigns the work without a permission check; returns the number of changed entities. */
  reassign(me: Actor, reassignment: Reassignment): Promise<number>;
}

/** The result of a reassignment; `skipped` are endeavours in which the work was not reassigned. */
export interface Reassigned {
  moved: number;
  skipped: { endeavour_id: string; reason: 'archived' | 'not_assignable' }[];
}

/** Reassigns the open work of a resource, for example of a person who leaves. */
@Injectable()
export class ReassignmentsService {
  private readonly sources: OpenWork[] = [];

  constructor(
    private readonly access: Access,
    private readonly memberReferences: MemberReferences,
    private readonly reassignments: ReassignmentsRepository,
    private readonly resources: ResourcesRepository,
  ) {}

  register(source: OpenWork): void {
    this.sources.push(source);
  }

  async reassign(me: Caller, id: string, dto: ReassignDto): Promise<Reassigned> {
    const { endeavour_id: endeavourId, include = WORK_ROLES } = dto;
    await this.access.authorize(me, 'resources_reassign', id);
    const isOwn = id === me.resourceId;
    const endeavour = endeavourId === undefined ? undefined : await this.authorizeEndeavour(me, isOwn, endeavourId);
    if (endeavour === undefined && !isOwn) await this.assertAdminSomewhere(me);
    const { resourceId: to } = await this.memberReferences.member(me, 'to', dto.to);
    if (to === id) throw invalidField('to', 'invalid_value', 'to must be a different resource.');
    if (!(await this.resources.protectFromDeletion(to))) throw invalidInput([referenceNotFound('to')]);
    if (endeavour !== undefined) this.access.assertWritable(endeavour);
    const endeavourIds = await this.endeavoursOf(id, include);
    const requested =
      endeavourId === undefined ? endeavourIds : endeavourIds.filter((candidate) => candidate === endeavourId);
    const { writable, skipped } = await this.lockAndSort(me, requested, { to, rank: isOwn ? 2 : 3 });
    const reassignment: Reassignment = { from: id, to, endeavourIds: writable, include };
    let moved = 0;
    for (const source of this.sources) moved += await source.reassign(me, reassignment);
    return { moved, skipped };
  }

  /**
   * Hands over the open work of a person whom the directory of the organization dismisses, in the endeavours of the
   * organization in which `to` can be assigned; without a permission check.
   */
  async handOver(directory: Granter, home: string, { from, to }: { from: string; to: string }): Promise<void> {
    if (to === from || !(await this.resources.protectFromDeletion(to))) return;
    const requested = await this.endeavoursOf(from, WORK_ROLES);
    const { writable } = await this.lockAndSort(directory, requested, { to, rank: 3, home });
    const reassignment: Reassignment = { from, to, endeavourIds: writable, include: WORK_ROLES };
    for (const source of this.sources) await source.reassign(directory, reassignment);
  }

  /** At most `limit` open tasks and demands of the resource in the endeavours of the organization. */
  async openIn(organizationId: string, resourceId: string, limit: number): Promise<OpenEntity[]> {
    const found: OpenEntity[] = [];
    for (const source of this.sources) {
      found.push(...(await source.openIn(organizationId, resourceId, limit - found.length)));
    }
    return found;
  }

  /** Whether the resource has open work in any role. */
  async hasOpenWork(resourceId: string): Promise<boolean> {
    return (await this.endeavoursOf(resourceId, WORK_ROLES)).length > 0;
  }

  private authorizeEndeavour(me: Caller, isOwn: boolean, endeavourId: string): Promise<AuthorizedResource> {
    const operation: OperationId = isOwn ? 'resources_reassign_own' : 'resources_reassign_others';
    return this.access.resolveReference(me, operation, 'endeavour_id', endeavourId, 'endeavour');
  }

  private async assertAdminSomewhere(me: Caller): Promise<void> {
    if (me.isAdmin || (await this.reassignments.isAdminSomewhere(me))) return;
    throw forbidden('the admin role in an endeavour, or to be the user of this resource');
  }

  private async endeavoursOf(resourceId: string, include: readonly WorkRole[]): Promise<string[]> {
    const endeavourIds = new Set<string>();
    for (const source of this.sources) {
      for (const id of await source.endeavoursOf(resourceId, include)) endeavourIds.add(id);
    }
    return [...endeavourIds];
  }

  /** Locks the endeavours in which the caller may reassign work, and separates those in which it is not possible. */
  private async lockAndSort(
    me: Granter,
    endeavourIds: readonly string[],
    requirements: { to: string; rank: number; home?: string },
  ): Promise<{ writable: string[] } & Pick<Reassigned, 'skipped'>> {
    const rows = await this.reassignments.lockEndeavours(me, endeavourIds, requirements);
    const writable = rows.filter(({ archived, assignable }) => !archived && assignable);
    const skipped = rows
      .filter((row) => !writable.includes(row))
      .map(({ id, archived }) => ({
        endeavour_id: id,
        reason: archived ? ('archived' as const) : ('not_assignable' as const),
      }));
    return { writable: writable.map(({ id }) => id), skipped };
  }
}
