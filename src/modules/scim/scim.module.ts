import { Module } from '@nestjs/common';
import { ContainerEraser } from '../../platform/containment/container-eraser.js';
import { DomainsModule } from '../domains/domains.module.js';
import { IdentityProvidersModule } from '../identity-providers/identity-providers.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { UsersModule } from '../users/users.module.js';
import { DirectoryRoles } from './directory-roles.service.js';
import { DirectorySignIn } from './directory-sign-in.js';
import { ProvisioningService } from './provisioning.service.js';
import { ScimGroupsRepository } from './groups/scim-groups.repository.js';
import { ScimGroupsService } from './groups/scim-groups.service.js';
import { ScimServer } from './protocol/scim-server.js';
import { ScimTokensController } from './tokens/scim-tokens.controller.js';
import { ScimTokensRepository } from './tokens/scim-tokens.repository.js';
import { ScimTokensService } from './tokens/scim-tokens.service.js';
import { ScimUsersRepository } from './users/scim-users.repository.js';
import { ScimUsersService } from './users/scim-users.service.js';
import { scimTokenErasing } from './scim.containment.js';

/** Lets the directories of organizations keep accounts and teams (SCIM 2.0). */
@Module({
  imports: [DomainsModule, IdentityProvidersModule, OrganizationsModule, ResourcesModule, TokensModule, UsersModule],
  controllers: [ScimTokensController],
  providers: [
    DirectoryRoles,
    DirectorySignIn,
    ProvisioningService,
    ScimGroupsRepository,
    ScimGroupsService,
    ScimServer,
    ScimTokensRepository,
    ScimTokensService,
    ScimUsersRepository,
    ScimUsersService,
  ],
})
export class ScimModule {
  constructor(eraser: ContainerEraser) {
    eraser.register(scimTokenErasing);
    eraser.attach({
      parts: [
        { table: 'scim_group_members', column: 'team_id' },
        { table: 'scim_groups', column: 'team_id' },
        { table: 'scim_groups', column: 'organization_id' },
        { table: 'scim_users', column: 'organization_id' },
      ],
    });
  }
}
