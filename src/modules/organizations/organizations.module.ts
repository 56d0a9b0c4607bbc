import { Module } from '@nestjs/common';
import { UsersModule } from '../users/users.module.js';
import { OrganizationEndeavoursController } from './organization-endeavours.controller.js';
import { OrganizationEndeavoursService } from './organization-endeavours.service.js';
import { OrganizationMembersController } from './organization-members.controller.js';
import { OrganizationMembersService } from './organization-members.service.js';
import { OrganizationsController } from './organizations.controller.js';
import { OrganizationsService } from './organizations.service.js';

@Module({
  imports: [UsersModule],
  controllers: [OrganizationsController, OrganizationMembersController, OrganizationEndeavoursController],
  providers: [OrganizationsService, OrganizationMembersService, OrganizationEndeavoursService],
  exports: [OrganizationsService],
})
export class OrganizationsModule {}
