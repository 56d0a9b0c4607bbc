import { Module } from '@nestjs/common';
import { UsersModule } from '../users/users.module.js';
import { EndeavourMembersController } from './endeavour-members.controller.js';
import { EndeavourMembersService } from './endeavour-members.service.js';
import { EndeavoursController } from './endeavours.controller.js';
import { EndeavoursService } from './endeavours.service.js';

@Module({
  imports: [UsersModule],
  controllers: [EndeavoursController, EndeavourMembersController],
  providers: [EndeavoursService, EndeavourMembersService],
  exports: [EndeavoursService],
})
export class EndeavoursModule {}
