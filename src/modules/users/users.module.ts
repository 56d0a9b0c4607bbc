import { Module } from '@nestjs/common';
import { MessagesModule } from '../messages/messages.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { AccountMails } from './account-mails.js';
import { EmailUniqueness } from './email-uniqueness.js';
import { Codes } from './codes.js';
import { UserCreation } from './user-creation.js';
import { Passwords } from './passwords.js';
import { Profiles } from './profiles.js';
import { TiersController } from './tiers.controller.js';
import { TiersRepository } from './tiers.repository.js';
import { TiersService } from './tiers.service.js';
import { UsersController } from './users.controller.js';
import { UsersService } from './users.service.js';

/** Those who can sign in. */
@Module({
  imports: [MessagesModule, ResourcesModule, TokensModule],
  controllers: [UsersController, TiersController],
  providers: [
    AccountMails,
    EmailUniqueness,
    Codes,
    UserCreation,
    Passwords,
    Profiles,
    TiersRepository,
    TiersService,
    UsersService,
  ],
  exports: [EmailUniqueness, Codes, UserCreation, Passwords, Profiles, UsersService],
})
export class UsersModule {}
