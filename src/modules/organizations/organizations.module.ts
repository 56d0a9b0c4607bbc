import { Module } from '@nestjs/common';
import { MessagesModule } from '../messages/messages.module.js';
import { UsersModule } from '../users/users.module.js';
import { AlertTermsService } from './alert-terms.service.js';
import { AlertsController } from './alerts.controller.js';
import { AlertsService } from './alerts.service.js';
import { Archives } from './archives.service.js';
import { OrganizationArchiveController } from './organization-archive.controller.js';
import { OrganizationArchiveService } from './organization-archive.service.js';
import { OrganizationEndeavoursController } from './organization-endeavours.controller.js';
import { OrganizationEndeavoursService } from './organization-endeavours.service.js';
import { OrganizationExportsController } from './organization-exports.controller.js';
import { OrganizationExportsService } from './organization-exports.service.js';
import { OrganizationMembersController } from './organization-members.controller.js';
import { OrganizationMembersService } from './organization-members.service.js';
import { OrganizationsController } from './organizations.controller.js';
import { OrganizationsService } from './organizations.service.js';

@Module({
  imports: [MessagesModule, UsersModule],
  controllers: [
    OrganizationsController,
    OrganizationMembersController,
    OrganizationEndeavoursController,
    AlertsController,
    OrganizationArchiveController,
    OrganizationExportsController,
  ],
  providers: [
    OrganizationsService,
    OrganizationMembersService,
    OrganizationEndeavoursService,
    AlertsService,
    AlertTermsService,
    Archives,
    OrganizationArchiveService,
    OrganizationExportsService,
  ],
  exports: [Archives, OrganizationsService],
})
export class OrganizationsModule {}
