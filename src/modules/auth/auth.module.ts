import { Module } from '@nestjs/common';
import { InvitationsModule } from '../invitations/invitations.module.js';
import { UsersModule } from '../users/users.module.js';
import { AccountController } from './account.controller.js';
import { AuthController } from './auth.controller.js';
import { AuthLimits } from './auth-limits.js';
import { CurrentPassword } from './current-password.js';
import { EmailChanges } from './email-changes.service.js';
import { FirstAdministrator } from './first-administrator.js';
import { Logins } from './logins.service.js';
import { PasswordChanges } from './password-changes.service.js';
import { SignUps } from './sign-ups.service.js';

/** Signing up, in and out. */
@Module({
  imports: [InvitationsModule, UsersModule],
  controllers: [AuthController, AccountController],
  providers: [AuthLimits, CurrentPassword, EmailChanges, FirstAdministrator, Logins, PasswordChanges, SignUps],
  exports: [FirstAdministrator],
})
export class AuthModule {}
