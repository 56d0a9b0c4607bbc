import { Module } from '@nestjs/common';
import { Contents } from '../../platform/contents/contents.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { UsersModule } from '../users/users.module.js';
import { Completion } from './completion.service.js';
import { EndeavourArchiveController } from './endeavour-archive.controller.js';
import { EndeavourArchiveService } from './endeavour-archive.service.js';
import { EndeavourExportsController } from './endeavour-exports.controller.js';
import { EndeavourExportsService } from './endeavour-exports.service.js';
import { EndeavourMembersController } from './endeavour-members.controller.js';
import { EndeavourMembersService } from './endeavour-members.service.js';
import { EndeavourPolicies } from './endeavour-policies.service.js';
import { endeavourContent } from './endeavour.content.js';
import { EndeavoursController } from './endeavours.controller.js';
import { EndeavoursService } from './endeavours.service.js';

@Module({
  imports: [OrganizationsModule, UsersModule],
  controllers: [
    EndeavoursController,
    EndeavourMembersController,
    EndeavourArchiveController,
    EndeavourExportsController,
  ],
  providers: [
    EndeavoursService,
    EndeavourMembersService,
    EndeavourArchiveService,
    EndeavourExportsService,
    EndeavourPolicies,
    Completion,
  ],
  exports: [EndeavoursService, EndeavourPolicies, Completion],
})
export class EndeavoursModule {
  constructor(contents: Contents) {
    contents.register(endeavourContent);
  }
}
