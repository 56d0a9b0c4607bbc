import { Module } from '@nestjs/common';
import { InvitationsModule } from '../invitations/invitations.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { UsersModule } from '../users/users.module.js';
import { AccountController } from './account.controller.js';
import { AuthController } from './auth.controller.js';
import { AuthLimits } from './auth-limits.js';
import { CurrentPassword } from './current-password.js';
import { EmailChanges } from './email-changes.service.js';
import { EmailChangesRepository } from './email-changes.repository.js';
import { FirstAdministrator } from './first-administrator.js';
import { Logins } from './logins.service.js';
import { OperatorAccounts } from './operator-accounts.js';
import { OwnSessions } from './own-sessions.service.js';
import { PasswordChanges } from './password-changes.service.js';
import { SessionsController } from './sessions.controller.js';
import { SignUps } from './sign-ups.service.js';

/** Signing up, in and out. */
@Module({
  imports: [InvitationsModule, TokensModule, UsersModule],
  controllers: [AuthController, AccountController, SessionsController],
  providers: [
    AuthLimits,
    CurrentPassword,
    EmailChanges,
    EmailChangesRepository,
    FirstAdministrator,
    Logins,
    OperatorAccounts,
    OwnSessions,
    PasswordChanges,
    SignUps,
  ],
  exports: [CurrentPassword, FirstAdministrator],
})
export class AuthModule {}
