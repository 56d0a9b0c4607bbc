import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { EndeavoursModule } from '../endeavours/endeavours.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { UsersModule } from '../users/users.module.js';
import { AccountClosingController } from './account-closing.controller.js';
import { AccountClosing } from './account-closing.service.js';
import { AccountErasure } from './account-erasure.service.js';
import { ErasureRepository } from './erasure.repository.js';
import { MyDataController } from './my-data.controller.js';
import { OwnedContainersRepository } from './owned-containers.repository.js';
import { RedactionsController } from './redactions.controller.js';
import { RedactionsRepository } from './redactions.repository.js';
import { Redactions } from './redactions.service.js';
import { UserDeletionController } from './user-deletion.controller.js';

/** How people leave the service, and how texts leave its history. */
@Module({
  imports: [AuthModule, EndeavoursModule, OrganizationsModule, ResourcesModule, UsersModule],
  controllers: [AccountClosingController, MyDataController, RedactionsController, UserDeletionController],
  providers: [
    AccountClosing,
    AccountErasure,
    ErasureRepository,
    OwnedContainersRepository,
    Redactions,
    RedactionsRepository,
  ],
})
export class LeavingModule {}
