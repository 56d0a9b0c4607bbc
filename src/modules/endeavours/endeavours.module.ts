import { Module } from '@nestjs/common';
import { ContainedResources } from '../../platform/containment/contained-resources.js';
import { Searchables } from '../../platform/listing/search/searchables.js';
import { InvitationsModule } from '../invitations/invitations.module.js';
import { LinkOffers } from '../invitations/link-offers.js';
import { MessagesModule } from '../messages/messages.module.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { UsersModule } from '../users/users.module.js';
import { CompletionRepository } from './dates/completion.repository.js';
import { CompletionService } from './dates/completion.service.js';
import { DatedWork } from './dates/dated-work.js';
import { EndeavourDatesRepository } from './dates/endeavour-dates.repository.js';
import { EndeavourArchiveController } from './archive/endeavour-archive.controller.js';
import { EndeavourArchiveService } from './archive/endeavour-archive.service.js';
import { EndeavourEraseController } from './archive/endeavour-erase.controller.js';
import { EndeavourEraseService } from './archive/endeavour-erase.service.js';
import { EndeavourExportsController } from './archive/endeavour-exports.controller.js';
import { EndeavourExportsService } from './archive/endeavour-exports.service.js';
import { EndeavourHomesService } from './homes/endeavour-homes.service.js';
import { EndeavourLinkOffers } from './homes/endeavour-link-offers.service.js';
import { EndeavourLinksController } from './homes/endeavour-links.controller.js';
import { EndeavourLinksService } from './homes/endeavour-links.service.js';
import { EndeavourMembersController } from './members/endeavour-members.controller.js';
import { EndeavourMembersRepository } from './members/endeavour-members.repository.js';
import { EndeavourMembersService } from './members/endeavour-members.service.js';
import { EndeavourPoliciesService } from './endeavour-policies.service.js';
import { EndeavourTransfersController } from './homes/endeavour-transfers.controller.js';
import { endeavourContainment } from './endeavour.containment.js';
import { endeavourList } from './endeavour.list.js';
import { EndeavoursController } from './endeavours.controller.js';
import { ExternalEndeavoursController } from './external-endeavours.controller.js';
import { ImportedEndeavours } from './imported-endeavours.service.js';
import { FieldLists } from './fields/field-lists.service.js';
import { FieldRenewals } from './fields/field-renewals.service.js';
import { FieldValues } from './fields/field-values.service.js';
import { FieldValuesRepository } from './fields/field-values.repository.js';
import { TransferConsent } from './homes/transfer-consent.js';
import { TransferRequestsRepository } from './homes/transfer-requests.repository.js';
import { GoalMembership } from './goals/goal-membership.service.js';
import { GoalsRepository } from './goals/goals.repository.js';
import { GoalLinks } from './goals/goal-links.service.js';
import { HomeLeaving } from './homes/home-leaving.js';
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
