import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { UsersModule } from '../users/users.module.js';
import { Assertions } from './assertions.js';
import { ChallengesRepository } from './challenges.repository.js';
import { PasskeyProofs } from './passkey-proofs.js';
import { PasskeysController } from './passkeys.controller.js';
import { PasskeysRepository } from './passkeys.repository.js';
import { PasskeysService } from './passkeys.service.js';
import { RelyingParty } from './relying-party.js';

/** Passkeys: key pairs on the devices of users (WebAuthn). */
@Module({
  imports: [AuthModule, UsersModule],
  controllers: [PasskeysController],
  providers: [Assertions, ChallengesRepository, PasskeyProofs, PasskeysRepository, PasskeysService, RelyingParty],
  exports: [PasskeyProofs, RelyingParty],
})
export class PasskeysModule {}
