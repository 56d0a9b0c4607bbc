import { Module } from '@nestjs/common';
import { ContainerEraser } from '../../platform/containment/container-eraser.js';
import { Searchables } from '../../platform/listing/search/searchables.js';
import { IdentityProvidersModule } from '../identity-providers/identity-providers.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { UsersModule } from '../users/users.module.js';
import { AlertTermsRepository } from './alerts/alert-terms.repository.js';
import { AlertTermsService } from './alerts/alert-terms.service.js';
import { AlertController } from './alerts/alert.controller.js';
import { AlertsController } from './alerts/alerts.controller.js';
import { AlertsRepository } from './alerts/alerts.repository.js';
import { AlertsService } from './alerts/alerts.service.js';
import { ArchivesRepository } from './archive/archives.repository.js';
import { ArchivesService } from './archive/archives.service.js';
import { DirectoryMembershipsService } from './members/directory-memberships.service.js';
import { ErasureRequests } from './archive/erasure-requests.service.js';
import { OrganizationArchiveController } from './archive/organization-archive.controller.js';
import { OrganizationArchiveService } from './archive/organization-archive.service.js';
import { ContainerErasureService } from './archive/container-erasure.service.js';
import { OrganizationEndeavoursRepository } from './organization-endeavours.repository.js';
import { OrganizationEndeavoursService } from './organization-endeavours.service.js';
import { OrganizationEraseController } from './archive/organization-erase.controller.js';
import { OrganizationEraseService } from './archive/organization-erase.service.js';
import { OrganizationExportsController } from './archive/organization-exports.controller.js';
import { OrganizationExportsService } from './archive/organization-exports.service.js';
import { OrganizationMembersController } from './members/organization-members.controller.js';
import { MemberCapacitiesService } from './members/member-capacities.service.js';
import { OrganizationMembersRepository } from './members/organization-members.repository.js';
import { OrganizationMembersService } from './members/organization-members.service.js';
import { OwnerMails } from './archive/owner-mails.js';
import { organizationList } from './organization.list.js';
import { OrganizationsController } from './organizations.controller.js';
import { OrganizationsRepository } from './organizations.repository.js';
import { OrganizationsService } from './organizations.service.js';
import { SecondFactorRules } from './members/second-factor-rules.service.js';
import { SecondFactorRulesRepository } from './members/second-factor-rules.repository.js';

@Module({
  imports: [IdentityProvidersModule, MessagesModule, ResourcesModule, TokensModule, UsersModule],
  controllers: [
    OrganizationsController,
    OrganizationMembersController,
    AlertsController,
    AlertController,
    OrganizationArchiveController,
    OrganizationExportsController,
    OrganizationEraseController,
  ],
  providers: [
    OrganizationsService,
    OrganizationsRepository,
    SecondFactorRules,
    SecondFactorRulesRepository,
    OrganizationMembersService,
    MemberCapacitiesService,
    OrganizationMembersRepository,
    OrganizationEndeavoursService,
    OrganizationEndeavoursRepository,
    AlertsService,
    AlertsRepository,
    AlertTermsService,
    AlertTermsRepository,
    ArchivesService,
    ArchivesRepository,
    OrganizationArchiveService,
    OrganizationExportsService,
    ContainerErasureService,
    DirectoryMembershipsService,
    ErasureRequests,
    OrganizationEraseService,
    OwnerMails,
  ],
  exports: [
    ArchivesService,
    ContainerErasureService,
    DirectoryMembershipsService,
    ErasureRequests,
    OrganizationArchiveService,
    OrganizationEndeavoursService,
    OrganizationMembersService,
    OrganizationsService,
    OwnerMails,
  ],
})
export class OrganizationsModule {
  constructor(eraser: ContainerEraser, searchables: Searchables) {
    eraser.attach({
      parts: [
        { table: 'alerts', column: 'entity_id' },
        { table: 'departures', column: 'container_id' },
        { table: 'former_links', column: 'endeavour_id' },
        { table: 'former_links', column: 'organization_id' },
        { table: 'outbox', column: 'reference' },
      ],
    });
    searchables.register({ list: organizationList });
  }
}
