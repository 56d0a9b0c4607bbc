import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { IdentityProvidersModule } from '../identity-providers/identity-providers.module.js';
import { PasskeysModule } from '../passkeys/passkeys.module.js';
import { UsersModule } from '../users/users.module.js';
import { StepUpController } from './step-up.controller.js';
import { StepUpService } from './step-up.service.js';

/** Proofs that the person of a session is there. */
@Module({
  imports: [AuthModule, CredentialsModule, IdentityProvidersModule, PasskeysModule, UsersModule],
  controllers: [StepUpController],
  providers: [StepUpService],
})
export class StepUpModule {}
