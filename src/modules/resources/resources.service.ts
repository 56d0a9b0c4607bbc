import { Injectable } from '@nestjs/common';
import { Access, type LockedResource } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { Memberships } from '../../access/memberships/memberships.js';
import { ExternalRefs } from '../../access/references/external-refs.js';
import type { OperationId } from '../../access/permissions/permissions.js';
import { Tiers } from '../../access/tiers/tiers.js';
import { fromWire } from '../../common/texts/case.js';
import { conflict, forbidden } from '../../common/errors.js';
import { newId } from '../../common/ids.js';
import type { Actor } from '../../platform/context/actor.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import { mergeExternalRef } from '../../platform/http/bodies/fields.js';
import { mergedChanges } from '../../platform/http/bodies/metadata.js';
import type { Page } from '../../platform/http/responses/page.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import { Listing } from '../../platform/listing/listing.js';
import type { CreateResourceDto, UpdateResourceDto } from './resource.dto.js';
import { Resource } from './resource.entity.js';
import { resourceList } from './resource.list.js';
import { assertNoQuorumInMetadata, assertType, mergeQuorum } from './resource.rules.js';
import { resourceView } from './resource.view.js';
import { ResourcesRepository } from './resources.repository.js';
import { TeamsRepository } from './teams/teams.repository.js';

/** Manages resources: people, teams and other capacity that work is assigned to. */
@Injectable()
export class ResourcesService {
  constructor(
    private readonly access: Access,
    private readonly externalRefs: ExternalRefs,
    private readonly listing: Listing,
    private readonly memberships: Memberships,
    private readonly resources: ResourcesRepository,
    private readonly teams: TeamsRepository,
    private readonly tiers: Tiers,
    private readonly writer: ResourceWriter,
  ) {}

  list(me: Caller, query: RawQuery): Promise<Page> {
    return this.listing.page(me, resourceList, query);
  }

  get(me: Caller, id: string, fields?: FieldNames): Promise<Representation> {
    return this.access.getOr404(me, resourceView, id, { fields });
  }

  async create(me: Caller, { organization_id, external_ref, ...dto }: CreateResourceDto): Promise<Representation> {
    assertNoQuorumInMetadata(dto.type, dto.metadata);
    if (organization_id !== undefined) await this.authorizeOrganization(me, organization_id, dto.type);
    const id = newId('resource');
    const externalRef = mergeExternalRef(null, external_ref);
    await this.externalRefs.lock(resourceView, organization_id ?? me.resourceId, externalRef);
    return this.writer.create(me, resourceView, Resource, {
      row: { id, ...fromWire(dto), externalRef, organizationId: organization_id, createdBy: me.resourceId },
      place: organization_id === undefined ? { ownerUserId: me.userId } : { organizationId: organization_id },
      title: dto.name,
      ...(organization_id !== undefined && { childRows: () => this.grantMembership(me, organization_id, id) }),
    });
  }

  async update(me: Caller, id: string, dto: UpdateResourceDto): Promise<Representation> {
    const opened = await this.lockManaged(me, 'resources_update', id);
    this.access.assertWritable(opened);
    const { row } = opened;
    const { skills, quorum, external_ref, ...sent } = dto;
    assertType(row, dto.type);
    assertNoQuorumInMetadata(row.type, dto.metadata);
    if (dto.name !== undefined) await this.assertOwnName(row);
    if (dto.type !== undefined && dto.type !== row.type) await this.tiers.assertMayBecome(me, id, dto.type);
    const members = quorum === undefined ? 0 : await this.teams.countMembers(id);
    const externalRef = mergeExternalRef(row.externalRef ?? null, external_ref);
    await this.externalRefs.lock(resourceView, row.organizationId ?? row.createdBy, externalRef);
    return this.writer.patch(me, resourceView, Resource, {
      current: row,
      changes: {
        ...mergedChanges(row, sent),
        externalRef,
        ...(skills !== undefined && { skills: skills ?? [] }),
        quorum: mergeQuorum(row, quorum, members),
      },
      place: opened.place,
      entityChanges: { title: dto.name },
    });
  }

  /** Rejects renaming an agent here, because its name includes that of its manager. */
  private async assertOwnName({ userId }: Resource): Promise<void> {
    if (userId === null || !(await this.resources.isManagedAgent(userId))) return;
    throw conflict('managed_agent', 'Rename the agent with PATCH /agents/{id}.');
  }

  /** Locks a resource for a change by its manager; 404 if it is not visible, 403 if the caller does not manage it. */
  async lockManaged(me: Caller, operation: OperationId, id: string): Promise<LockedResource<Resource>> {
    const opened = await this.access.lockForUpdate(me, operation, Resource, id);
    await this.assertManaged(me, id);
    return opened;
  }

  /** Whether the caller may patch the resource (spec 02). */
  async manages(me: Caller, id: string): Promise<boolean> {
    const isManager = await this.resources.isManagedBy(me, id);
    return isManager !== undefined && (me.isAdmin || isManager);
  }

  /** Creates the resource of a user; the caller inserts the user in the same transaction. */
  async createForUser(
    actor: Actor,
    { resourceId, userId, name, type }: { resourceId: string; userId: string; name: string; type: 'human' | 'agent' },
  ): Promise<void> {
    await this.writer.create(actor, resourceView, Resource, {
      row: { id: resourceId, name, type, userId, createdBy: resourceId },
      place: { ownerUserId: userId },
      title: name,
    });
  }

  /** Applies a change of a user's name or type to the resource of the user. */
  async updateForUser(
    actor: Actor,
    resourceId: string,
    changes: { name?: string; type?: 'human' | 'agent' },
  ): Promise<void> {
    if (changes.name === undefined && changes.type === undefined) return;
    const current = await this.resources.lock(resourceId);
    await this.writer.patch(actor, resourceView, Resource, {
      current,
      changes,
      place: { ownerUserId: current.userId },
      entityChanges: { title: changes.name },
    });
  }

  /** Erases personal data from the resource of a user, which can no longer be assigned. */
  async erase(resourceId: string, name: string): Promise<void> {
    const row = await this.resources.lock(resourceId);
    const cleared = { capacityModel: null, capacityValue: null, skills: [], metadata: {} };
    const changes = { ...cleared, name, status: 'inactive' as const, deletedAt: new Date() };
    await this.writer.remove(null, resourceView, Resource, row, { ownerUserId: row.userId }, changes, name);
  }

  private async authorizeOrganization(me: Caller, id: string, type: string): Promise<void> {
    const organization = await this.access.resolveReference(
      me,
      'resources_take_in',
      'organization_id',
      id,
      'organization',
    );
    this.access.assertWritable(organization);
    await this.tiers.assertMayAddResource(me, id, type);
  }

  private async grantMembership(me: Caller, organizationId: string, resourceId: string): Promise<void> {
    await this.memberships.grantOrganization(me, organizationId, { resourceId, userId: null }, { role: 'member' });
  }

  private async assertManaged(me: Caller, id: string): Promise<void> {
    if (await this.manages(me, id)) return;
    throw forbidden(
      'to be the user of this resource, an admin of its home organization, or its creator if it has no home organization',
    );
  }
}
