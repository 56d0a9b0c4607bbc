import { Injectable } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { Memberships, type AuthorizedGrant } from '../../../access/memberships/memberships.js';
import { MembershipRows, type Granted } from '../../../access/memberships/membership-rows.js';
import { Tiers } from '../../../access/tiers/tiers.js';
import { conflict, forbidden, notFound } from '../../../common/errors.js';
import type { OrganizationRole } from '../../../common/roles.js';
import { ResourceWriter } from '../../../platform/events/resource-writer.js';
import type { Representation } from '../../../platform/database/views/view.js';
import { ResourceHomesRepository } from './resource-homes.repository.js';
import { Resource } from '../resource.entity.js';
import { resourceView } from '../resource.view.js';
import { ResourcesRepository } from '../resources.repository.js';
import { ResourcesService } from '../resources.service.js';
import { TeamsService } from '../teams/teams.service.js';

const OWNER = 4;
const HOME_OWNER = 'the owner role in the home organization of the resource';

/** A resource that is about to be added to an organization, which becomes its home or shares it. */
export interface Addition {
  row: Resource;
  organizationId: string;
  becomesHome: boolean;
}

/** The organization from which a resource is removed. */
interface SourceOrganization {
  id: string;
  revision: number;
  status: string;
  closedBy: string | null;
}

/**
 * Adds resources to organizations, removes them and transfers them. The home organization manages a resource and can
 * share it.
 */
@Injectable()
export class ResourceHomesService {
  constructor(
    private readonly access: Access,
    private readonly homes: ResourceHomesRepository,
    private readonly memberships: Memberships,
    private readonly resources: ResourcesService,
    private readonly membershipRows: MembershipRows,
    private readonly rows: ResourcesRepository,
    private readonly teams: TeamsService,
    private readonly tiers: Tiers,
    private readonly writer: ResourceWriter,
  ) {}

  /** Locks a resource that an admin adds to an organization; 403 if the caller cannot add it. */
  async prepareAddition(me: Caller, resourceId: string, organizationId: string): Promise<Addition> {
    const row = await this.rows.lock(resourceId);
    const isMember = await this.membershipRows.isInOrganization(organizationId, resourceId);
    const manages = row.organizationId === null && (await this.resources.manages(me, resourceId));
    const addition = { row, organizationId, becomesHome: manages };
    if (isMember || manages) return addition;
    if (row.organizationId === null) throw forbidden('to be the creator of the resource');
    await this.assertOwns(me, row.organizationId);
    return addition;
  }

  async add(
    me: Caller,
    addition: Addition,
    grant: AuthorizedGrant<OrganizationRole>,
  ): Promise<Granted<OrganizationRole>> {
    const { row, organizationId, becomesHome } = addition;
    this.access.assertWritable(await this.access.authorize(me, 'resources_get', row.id));
    if (grant.isNew) await this.tiers.assertMayAddResource(me, organizationId, row.type);
    const granted = await this.memberships.apply(me, grant);
    if (becomesHome) await this.move(me, row, organizationId, 'resource.linked');
    return granted;
  }

  /**
   * Whether the caller may end the sharing as a manager of the resource, even if the organization is not visible to
   * them.
   */
  async mayEndSharing(me: Caller, resourceId: string, organizationId: string): Promise<boolean> {
    const row = await this.homes.homeOf(resourceId);
    if (row === undefined || row.isUser || row.organizationId === organizationId) return false;
    if ((await this.access.find(me, resourceId)) === undefined) return false;
    return this.resources.manages(me, resourceId);
  }

  /** Removes a resource from an organization; only owners can remove it from its home. */
  async remove(me: Caller, organization: SourceOrganization, resourceId: string): Promise<void> {
    const row = await this.rows.lock(resourceId);
    if (!(await this.membershipRows.isInOrganization(organization.id, resourceId))) throw notFound();
    if (row.organizationId === organization.id) await this.leaveHome(me, row, organization);
    else this.access.assertIfMatch({ row: organization });
    await this.endSharing(me, organization.id, resourceId);
  }

  /** Moves a resource from its home to another organization, which then manages it. */
  async transfer(me: Caller, id: string, organizationId: string): Promise<Representation> {
    const opened = await this.access.lockForUpdate(me, 'resources_transfer', Resource, id);
    const { row } = opened;
    await this.assertMayTransfer(me, row);
    const target = await this.access.resolveReference(
      me,
      'resources_take_in',
      'organization_id',
      organizationId,
      'organization',
    );
    this.access.assertWritable(opened);
    this.access.assertWritable(target);
    if (row.userId !== null)
      throw conflict('user_resource', 'This resource represents a user and cannot have a home organization.');
    if (row.organizationId === null)
      throw conflict('no_home', 'The resource has no home organization; add it to the organization instead.');
    if (row.organizationId === organizationId) return this.access.getOr404(me, resourceView, id);
    if (row.type === 'team') await this.assertIdle(id, row.organizationId);
    const member = { resourceId: id, userId: null };
    const grant = await this.memberships.authorizeOrganizationGrant(me, organizationId, member, {});
    await this.add(me, { row, organizationId, becomesHome: false }, grant);
    await this.move(me, row, organizationId, 'resource.transferred');
    await this.endSharing(me, row.organizationId, id);
    return this.access.getOr404(me, resourceView, id);
  }

  private async leaveHome(me: Caller, row: Resource, organization: SourceOrganization): Promise<void> {
    const { id, status, closedBy } = organization;
    await this.assertOwns(me, id);
    this.access.assertWritable({
      row: organization,
      containerStatus: status,
      containerKind: 'organization',
      closedBy,
    });
    if (!(await this.homes.hasActiveCreator(row.id))) {
      throw conflict(
        'last_owner',
        'Without a home organization, the creator manages the resource, but this creator is not an active person.',
      );
    }
    await this.move(me, row, null, 'resource.unlinked', id);
  }

  private async endSharing(me: Caller, organizationId: string, resourceId: string): Promise<void> {
    await this.teams.leaveTeamsOf(me, organizationId, resourceId);
    await this.memberships.endSharing(me, organizationId, resourceId);
  }

  /** Changes the home in the row and in the entity row, whose container decides who sees the events. */
  private async move(
    me: Caller,
    current: Resource,
    organizationId: string | null,
    type: string,
    from: string | null = null,
  ): Promise<void> {
    await this.teams.endMembershipsOutsideHome(me, current.id, organizationId);
    const ownerUserId = organizationId === null ? await this.homes.creatorOf(current.id) : null;
    await this.writer.patch(me, resourceView, Resource, {
      current,
      changes: { organizationId },
      place: { organizationId: organizationId ?? from },
      entityChanges: { organizationId, ownerUserId },
      type: () => type,
    });
  }

  private async assertMayTransfer(me: Caller, { id, userId, organizationId }: Resource): Promise<void> {
    if (userId === null && organizationId !== null) return this.assertOwns(me, organizationId);
    if (!(await this.resources.manages(me, id))) throw forbidden(HOME_OWNER);
  }

  private async assertOwns(me: Caller, organizationId: string): Promise<void> {
    if ((await this.membershipRows.rankIn(me, organizationId)) < OWNER) throw forbidden(HOME_OWNER);
  }

  private async assertIdle(teamId: string, organizationId: string): Promise<void> {
    const count = await this.homes.countOpenWork(teamId, organizationId);
    if (count === 0) return;
    const message = `The team has ${count} open tasks and demands in its current home organization; reassign them first.`;
    throw conflict('in_use', message, { count });
  }
}
