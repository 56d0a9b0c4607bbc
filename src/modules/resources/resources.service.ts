import { Injectable } from '@nestjs/common';
import { Access, type Found, type Opened } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { Memberships } from '../../access/memberships.js';
import type { OperationId } from '../../access/permissions.js';
import { Tiers } from '../../access/tiers.js';
import { fromWire } from '../../common/case.js';
import { archived, forbidden } from '../../common/errors.js';
import { newId } from '../../common/ids.js';
import type { Actor } from '../../platform/changes/actor.js';
import { Writes } from '../../platform/changes/writes.js';
import { Database } from '../../platform/database/database.js';
import type { Representation } from '../../platform/database/view.js';
import { mergeMetadata } from '../../platform/http/metadata.js';
import type { Page } from '../../platform/http/page.js';
import type { RawQuery } from '../../platform/http/raw-query.js';
import { Listing } from '../../platform/listing/listing.js';
import { isManagedBy } from './managed.js';
import type { CreateResourceDto, UpdateResourceDto } from './resource.dto.js';
import { Resource } from './resource.entity.js';
import { resourceList } from './resource.list.js';
import { assertType, mergeQuorum } from './resource.rules.js';
import { resourceView } from './resource.view.js';

/** People, teams and other capacity that work is assigned to. */
@Injectable()
export class ResourcesService {
  constructor(
    private readonly access: Access,
    private readonly database: Database,
    private readonly listing: Listing,
    private readonly memberships: Memberships,
    private readonly tiers: Tiers,
    private readonly writes: Writes,
  ) {}

  list(me: Caller, query: RawQuery): Promise<Page> {
    return this.listing.page(me, resourceList, query);
  }

  get(me: Caller, id: string): Promise<Representation> {
    return this.access.read(me, resourceView, id);
  }

  async create(me: Caller, { organization_id, ...dto }: CreateResourceDto): Promise<Representation> {
    if (organization_id !== undefined) await this.openOrganization(me, organization_id, dto.type);
    const id = newId('resource');
    return this.writes.create(me, resourceView, Resource, {
      row: { id, ...fromWire(dto), createdBy: me.resourceId },
      place: { ownerUserId: me.userId },
      title: dto.name,
      ...(organization_id !== undefined && { satellites: () => this.settle(me, organization_id, id) }),
    });
  }

  async update(me: Caller, id: string, dto: UpdateResourceDto): Promise<Representation> {
    const opened = await this.openManaged(me, 'resources_update', id);
    const { row } = opened;
    const { skills, quorum, metadata, ...sent } = dto;
    assertType(row, dto.type);
    const members = quorum === undefined ? 0 : await this.countMembers(id);
    return this.writes.patch(me, resourceView, Resource, {
      current: row,
      changes: {
        ...fromWire(sent),
        ...(skills !== undefined && { skills: skills ?? [] }),
        quorum: mergeQuorum(row, quorum, members),
        metadata: mergeMetadata(row.metadata, metadata),
      },
      place: opened.place,
      pointer: { title: dto.name },
    });
  }

  /** Locks a resource for a change by somebody who manages it: 404, 403, 412 and 409 as everywhere. */
  async openManaged(me: Caller, operation: OperationId, id: string): Promise<Opened<Resource>> {
    const opened = await this.access.open(me, operation, Resource, id);
    await this.assertManaged(me, id);
    this.access.ready(opened);
    await this.assertNotArchived(opened);
    return opened;
  }

  /** Whether the caller may patch the resource (spec 02). */
  async manages(me: Caller, id: string): Promise<boolean> {
    const row = await this.database.one<{ managed: boolean }>(
      `SELECT ${isManagedBy('r', '$2', '$3')} AS managed FROM resources r WHERE r.id = $1`,
      [id, me.userId, me.resourceId],
    );
    return row !== undefined && (me.isAdmin || row.managed);
  }

  /** Makes the resource that stands for a user; the user's own row follows in the same transaction. */
  async embody(
    actor: Actor,
    { resourceId, userId, name, type }: { resourceId: string; userId: string; name: string; type: 'human' | 'agent' },
  ): Promise<void> {
    await this.writes.create(actor, resourceView, Resource, {
      row: { id: resourceId, name, type, userId, createdBy: resourceId },
      place: { ownerUserId: userId },
      title: name,
    });
  }

  /** Keeps the resource that stands for a user in step with its user's name and type. */
  async follow(actor: Actor, resourceId: string, changes: { name?: string; type?: 'human' | 'agent' }): Promise<void> {
    if (changes.name === undefined && changes.type === undefined) return;
    const current = await this.database.row(Resource, resourceId, { locked: true });
    await this.writes.patch(actor, resourceView, Resource, {
      current,
      changes,
      place: { ownerUserId: current.userId },
      pointer: { title: changes.name },
    });
  }

  private async openOrganization(me: Caller, id: string, type: string): Promise<void> {
    const found = await this.access.named(me, 'resources_take_in', 'organization_id', id, 'organization');
    this.access.ready(found);
    await this.tiers.assertMayAddResource(me, id, type);
  }

  private async settle(me: Caller, organizationId: string, resourceId: string): Promise<void> {
    await this.memberships.grantOrganization(me, organizationId, { resourceId, userId: null }, { role: 'member' });
  }

  private async assertManaged(me: Caller, id: string): Promise<void> {
    if (await this.manages(me, id)) return;
    throw forbidden(
      'managing the resource: being its user, admin of its organization, or its creator while still a member there',
    );
  }

  /** What belongs to archived organizations only is archived with them; a person is not. */
  private async assertNotArchived({ id, row }: Found & { row: Resource }): Promise<void> {
    if (row.userId !== null) return;
    const homes = await this.database.one<{ archived: boolean | null }>(
      `SELECT bool_and(o.status = 'archived') AS archived
       FROM organization_resources home JOIN organizations o ON o.id = home.organization_id WHERE home.resource_id = $1`,
      [id],
    );
    if (homes?.archived === true) throw archived('organization');
  }

  private async countMembers(teamId: string): Promise<number> {
    const row = await this.database.one<{ members: number }>(
      'SELECT count(*)::integer AS members FROM team_members WHERE team_id = $1',
      [teamId],
    );
    return row?.members ?? 0;
  }
}
