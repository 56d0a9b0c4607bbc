import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { CommentsModule } from '../comments/comments.module.js';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { DodModule } from '../dod/dod.module.js';
import { EndeavoursModule } from '../endeavours/endeavours.module.js';
import { InvitationsModule } from '../invitations/invitations.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { UsersModule } from '../users/users.module.js';
import { AccountClosingController } from './account-closing.controller.js';
import { AccountClosingService } from './account-closing.service.js';
import { AccountErasureService } from './account-erasure.service.js';
import { ErasureRepository } from './erasure.repository.js';
import { MyDataController } from './my-data.controller.js';
import { OwnedContainersRepository } from './owned-containers.repository.js';
import { RedactionsController } from './redactions.controller.js';
import { RedactionsRepository } from './redactions.repository.js';
import { RedactionsService } from './redactions.service.js';
import { UserDeletionController } from './user-deletion.controller.js';

/** Closing and erasure of accounts, the export of personal data, and redactions of history. */
@Module({
  imports: [
    AuthModule,
    CommentsModule,
    CredentialsModule,
    DodModule,
    EndeavoursModule,
    InvitationsModule,
    OrganizationsModule,
    ResourcesModule,
    TokensModule,
    UsersModule,
  ],
  controllers: [AccountClosingController, MyDataController, RedactionsController, UserDeletionController],
  providers: [
    AccountClosingService,
    AccountErasureService,
    ErasureRepository,
    OwnedContainersRepository,
    RedactionsService,
    RedactionsRepository,
  ],
})
export class PrivacyModule {}
