import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { UsersModule } from '../users/users.module.js';
import { TotpController } from './totp.controller.js';
import { TotpService } from './totp.service.js';

/** Second factors by authenticator apps. */
@Module({
  imports: [AuthModule, CredentialsModule, UsersModule],
  controllers: [TotpController],
  providers: [TotpService],
})
export class TotpModule {}
