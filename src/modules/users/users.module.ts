import { Module } from '@nestjs/common';
import { MessagesModule } from '../messages/messages.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { AccountsRepository } from './accounts.repository.js';
import { EndeavourGrantsService } from './endeavour-grants.service.js';
import { EmailUniqueness } from './email-uniqueness.js';
import { Codes } from './codes.js';
import { CodesRepository } from './codes.repository.js';
import { UserCreation } from './user-creation.js';
import { Passwords } from './passwords.js';
import { Profiles } from './profiles.js';
import { ProfilesRepository } from './profiles.repository.js';
import { Promotions } from './promotions.js';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { CredentialChanges } from './credential-changes.js';
import { TiersController } from './tiers/tiers.controller.js';
import { TiersRepository } from './tiers/tiers.repository.js';
import { TiersService } from './tiers/tiers.service.js';
import { UsersController } from './users.controller.js';
import { UsersRepository } from './users.repository.js';
import { UsersService } from './users.service.js';

/** Accounts, profiles and tiers. */
@Module({
  imports: [CredentialsModule, MessagesModule, ResourcesModule, TokensModule],
  controllers: [UsersController, TiersController],
  providers: [
    AccountsRepository,
    EndeavourGrantsService,
    EmailUniqueness,
    Codes,
    CodesRepository,
    UserCreation,
    Passwords,
    Profiles,
    ProfilesRepository,
    Promotions,
    CredentialChanges,
    TiersRepository,
    TiersService,
    UsersRepository,
    UsersService,
  ],
  exports: [
    AccountsRepository,
    EmailUniqueness,
    Codes,
    CodesRepository,
    UserCreation,
    Passwords,
    Profiles,
    Promotions,
    CredentialChanges,
    UsersRepository,
    UsersService,
  ],
})
export class UsersModule {}
