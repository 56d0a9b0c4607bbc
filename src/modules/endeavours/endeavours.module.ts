import { Module } from '@nestjs/common';
import { ContainedResources } from '../../platform/containment/contained-resources.js';
import { Searchables } from '../../platform/listing/searchables.js';
import { InvitationsModule } from '../invitations/invitations.module.js';
import { LinkOffers } from '../invitations/link-offers.js';
import { MessagesModule } from '../messages/messages.module.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { UsersModule } from '../users/users.module.js';
import { CompletionRepository } from './completion.repository.js';
import { CompletionService } from './completion.service.js';
import { DatedWork } from './dated-work.js';
import { EndeavourDatesRepository } from './endeavour-dates.repository.js';
import { EndeavourArchiveController } from './endeavour-archive.controller.js';
import { EndeavourArchiveService } from './endeavour-archive.service.js';
import { EndeavourEraseController } from './endeavour-erase.controller.js';
import { EndeavourEraseService } from './endeavour-erase.service.js';
import { EndeavourExportsController } from './endeavour-exports.controller.js';
import { EndeavourExportsService } from './endeavour-exports.service.js';
import { EndeavourHomesService } from './endeavour-homes.service.js';
import { EndeavourLinkOffers } from './endeavour-link-offers.service.js';
import { EndeavourLinksController } from './endeavour-links.controller.js';
import { EndeavourLinksService } from './endeavour-links.service.js';
import { EndeavourMembersController } from './endeavour-members.controller.js';
import { EndeavourMembersRepository } from './endeavour-members.repository.js';
import { EndeavourMembersService } from './endeavour-members.service.js';
import { EndeavourPoliciesService } from './endeavour-policies.service.js';
import { EndeavourTransfersController } from './endeavour-transfers.controller.js';
import { endeavourContainment } from './endeavour.containment.js';
import { endeavourList } from './endeavour.list.js';
import { EndeavoursController } from './endeavours.controller.js';
import { ExternalEndeavoursController } from './external-endeavours.controller.js';
import { ImportedEndeavours } from './imported-endeavours.service.js';
import { FieldLists } from './fields/field-lists.service.js';
import { FieldRenewals } from './fields/field-renewals.service.js';
import { FieldValues } from './fields/field-values.service.js';
import { FieldValuesRepository } from './fields/field-values.repository.js';
import { TransferConsent } from './transfer-consent.js';
import { TransferRequestsRepository } from './transfer-requests.repository.js';
import { GoalMembership } from './goal-membership.service.js';
import { GoalsRepository } from './goals.repository.js';
import { GoalLinks } from './goal-links.service.js';
import { HomeLeaving } from './home-leaving.js';
import { EndeavoursRepository } from './endeavours.repository.js';
import { EndeavoursService } from './endeavours.service.js';

@Module({
  imports: [InvitationsModule, MessagesModule, OrganizationsModule, ResourcesModule, UsersModule],
  controllers: [
    EndeavoursController,
    ExternalEndeavoursController,
    EndeavourMembersController,
    EndeavourLinksController,
    EndeavourTransfersController,
    EndeavourArchiveController,
    EndeavourExportsController,
    EndeavourEraseController,
  ],
  providers: [
    DatedWork,
    EndeavourDatesRepository,
    EndeavoursService,
    EndeavoursRepository,
    ImportedEndeavours,
    EndeavourMembersService,
    EndeavourMembersRepository,
    EndeavourLinkOffers,
    EndeavourLinksService,
    GoalLinks,
    GoalMembership,
    GoalsRepository,
    HomeLeaving,
    TransferConsent,
    TransferRequestsRepository,
    EndeavourArchiveService,
    EndeavourHomesService,
    EndeavourExportsService,
    EndeavourEraseService,
    EndeavourPoliciesService,
    CompletionService,
    CompletionRepository,
    FieldLists,
    FieldRenewals,
    FieldValues,
    FieldValuesRepository,
  ],
  exports: [
    GoalMembership,
    FieldLists,
    FieldValues,
    DatedWork,
    EndeavourArchiveService,
    EndeavourHomesService,
    EndeavourLinksService,
    EndeavourMembersService,
    EndeavoursService,
    ImportedEndeavours,
    EndeavourPoliciesService,
    CompletionService,
    HomeLeaving,
  ],
})
export class EndeavoursModule {
  constructor(
    containedResources: ContainedResources,
    linkOffers: LinkOffers,
    offering: EndeavourLinkOffers,
    searchables: Searchables,
  ) {
    containedResources.register(endeavourContainment);
    linkOffers.register(offering);
    searchables.register({ list: endeavourList });
  }
}
