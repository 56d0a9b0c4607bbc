import { Module } from '@nestjs/common';
import { UsersModule } from '../users/users.module.js';
import { EndeavoursController } from './endeavours.controller.js';
import { EndeavoursService } from './endeavours.service.js';

@Module({
  imports: [UsersModule],
  controllers: [EndeavoursController],
  providers: [EndeavoursService],
  exports: [EndeavoursService],
})
export class EndeavoursModule {}
