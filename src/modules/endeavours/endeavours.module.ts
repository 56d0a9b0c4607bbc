import { Module } from '@nestjs/common';
import { Contents } from '../../platform/contents/contents.js';
import { MessagesModule } from '../messages/messages.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { UsersModule } from '../users/users.module.js';
import { Completion } from './completion.service.js';
import { EndeavourArchiveController } from './endeavour-archive.controller.js';
import { EndeavourArchiveService } from './endeavour-archive.service.js';
import { EndeavourEraseController } from './endeavour-erase.controller.js';
import { EndeavourEraseService } from './endeavour-erase.service.js';
import { EndeavourExportsController } from './endeavour-exports.controller.js';
import { EndeavourExportsService } from './endeavour-exports.service.js';
import { EndeavourHomes } from './endeavour-homes.service.js';
import { EndeavourLinksController } from './endeavour-links.controller.js';
import { EndeavourLinks } from './endeavour-links.service.js';
import { EndeavourMembersController } from './endeavour-members.controller.js';
import { EndeavourMembersService } from './endeavour-members.service.js';
import { EndeavourPolicies } from './endeavour-policies.service.js';
import { EndeavourTransfersController } from './endeavour-transfers.controller.js';
import { endeavourContent } from './endeavour.content.js';
import { EndeavoursController } from './endeavours.controller.js';
import { HomeLeaving } from './home-leaving.js';
import { EndeavoursService } from './endeavours.service.js';

@Module({
  imports: [MessagesModule, OrganizationsModule, UsersModule],
  controllers: [
    EndeavoursController,
    EndeavourMembersController,
    EndeavourLinksController,
    EndeavourTransfersController,
    EndeavourArchiveController,
    EndeavourExportsController,
    EndeavourEraseController,
  ],
  providers: [
    EndeavoursService,
    EndeavourMembersService,
    EndeavourLinks,
    HomeLeaving,
    EndeavourArchiveService,
    EndeavourHomes,
    EndeavourExportsService,
    EndeavourEraseService,
    EndeavourPolicies,
    Completion,
  ],
  exports: [
    EndeavourArchiveService,
    EndeavourHomes,
    EndeavourLinks,
    EndeavourMembersService,
    EndeavoursService,
    EndeavourPolicies,
    Completion,
    HomeLeaving,
  ],
})
export class EndeavoursModule {
  constructor(contents: Contents) {
    contents.register(endeavourContent);
  }
}
