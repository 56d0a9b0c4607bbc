import { Module } from '@nestjs/common';
import { ResourcesModule } from '../resources/resources.module.js';
import { AccountMails } from './account-mails.js';
import { Addresses } from './addresses.js';
import { Codes } from './codes.js';
import { Enrollment } from './enrollment.js';
import { Passwords } from './passwords.js';
import { Profiles } from './profiles.js';
import { UsersController } from './users.controller.js';
import { UsersService } from './users.service.js';

/** Those who can sign in. */
@Module({
  imports: [ResourcesModule],
  controllers: [UsersController],
  providers: [AccountMails, Addresses, Codes, Enrollment, Passwords, Profiles, UsersService],
  exports: [Addresses, Codes, Enrollment, Passwords, Profiles, UsersService],
})
export class UsersModule {}
