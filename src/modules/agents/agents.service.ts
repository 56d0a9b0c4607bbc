import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { ContainerLocks } from '../../access/visibility/container-locks.js';
import { Memberships } from '../../access/memberships/memberships.js';
import { Tiers } from '../../access/tiers/tiers.js';
import { notFound } from '../../common/errors.js';
import { newId } from '../../common/ids.js';
import type { Representation } from '../../platform/database/views/view.js';
import type { Page } from '../../platform/http/responses/page.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import type { Deleted } from '../../platform/http/openapi/schemas.js';
import { Listing } from '../../platform/listing/listing.js';
import { TeamsService } from '../resources/teams/teams.service.js';
import { TokensService } from '../tokens/tokens.service.js';
import { UserCreation } from '../users/user-creation.js';
import { UsersService } from '../users/users.service.js';
import { userView } from '../users/user.view.js';
import type { CreateAgentDto, UpdateAgentDto } from './agent.dto.js';
import { agentList } from './agent.list.js';
import { AgentsRepository } from './agents.repository.js';

/**
 * Manages agents: programs that are members of an organization. An agent authenticates only with access tokens, never has
 * more rights than its manager, and counts as the same person as its manager. When the manager leaves, a trigger assigns
 * another one (`agent.database.ts`).
 */
@Injectable()
export class AgentsService {
  constructor(
    private readonly access: Access,
    private readonly containerLocks: ContainerLocks,
    private readonly userCreation: UserCreation,
    private readonly listing: Listing,
    private readonly memberships: Memberships,
    private readonly repository: AgentsRepository,
    private readonly teams: TeamsService,
    private readonly tiers: Tiers,
    private readonly tokens: TokensService,
    private readonly users: UsersService,
  ) {}

  list(me: Caller, query: RawQuery): Promise<Page> {
    return this.listing.page(me, agentList, query);
  }

  async create(me: Caller, { organization_id: organizationId, ...dto }: CreateAgentDto): Promise<Representation> {
    const organization = await this.access.resolveReference(
      me,
      'agents_create',
      'organization_id',
      organizationId,
      'organization',
    );
    this.access.assertWritable(organization);
    await this.tiers.assertMayAddResource(me, organizationId, 'agent');
    // The column requires a unique value; this placeholder receives no mail and is never returned.
    const email = `${newId('user')}@agent.invalid`;
    const managed = { isManaged: true, managerId: me.userId, agentOf: organizationId, userType: 'agent' as const };
    const created = (await this.userCreation.create(me, { ...dto, ...managed, email })).read(userView);
    const member = { resourceId: created.resource_id, userId: created.id };
    await this.memberships.grantOrganization(me, organizationId, member, { role: 'member' });
    return this.repository.read(created.id);
  }

  async update(me: Caller, id: string, { name, status }: UpdateAgentDto): Promise<Representation> {
    await this.lockDirected(me, id);
    const state = status && (status === 'active' ? ('active' as const) : ('inactive' as const));
    await this.users.changeAgent(me, id, { name, status: state });
    return this.repository.read(id);
  }

  /** Revokes the agent's tokens and ends all its roles, wherever they are; its work is kept under its name. */
  async delete(me: Caller, id: string): Promise<Deleted> {
    if (!(await this.repository.isDirected(me, id))) throw notFound();
    await this.containerLocks.lockAllOf(id);
    await this.lockDirected(me, id);
    await this.tokens.endAll(me, id);
    const resourceId = await this.users.closeAgent(me, id);
    await this.teams.endAllOf(me, resourceId);
    await this.memberships.endAll(me, { resourceId, userId: id });
    return { id, deleted: true };
  }

  /** Locks the agent; 404 if the caller does not direct it. */
  private async lockDirected(me: Caller, id: string): Promise<void> {
    if (!(await this.repository.lockDirected(me, id))) throw notFound();
  }
}
