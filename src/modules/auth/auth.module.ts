import { Module } from '@nestjs/common';
import { InvitationsModule } from '../invitations/invitations.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { UsersModule } from '../users/users.module.js';
import { AccountController } from './account.controller.js';
import { AccountMails } from './account-mails.js';
import { AuthController } from './auth.controller.js';
import { AuthLimits } from './auth-limits.js';
import { CurrentPassword } from './current-password.js';
import { EmailChangesService } from './email-changes/email-changes.service.js';
import { EmailChangesRepository } from './email-changes/email-changes.repository.js';
import { FirstAdministrator } from './first-administrator.js';
import { LoginService } from './login.service.js';
import { OperatorAccounts } from './operator-accounts.js';
import { OwnSessionsService } from './sessions/own-sessions.service.js';
import { PasswordChangesService } from './password-changes.service.js';
import { PendingSignIns } from './pending-sign-ins.js';
import { PendingSignInsRepository } from './pending-sign-ins.repository.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SignUpsRepository } from './sign-ups.repository.js';
import { SignUpsService } from './sign-ups.service.js';

/** Sign-up, sign-in and sign-out. */
@Module({
  imports: [InvitationsModule, TokensModule, UsersModule],
  controllers: [AuthController, AccountController, SessionsController],
  providers: [
    AccountMails,
    AuthLimits,
    CurrentPassword,
    EmailChangesService,
    EmailChangesRepository,
    FirstAdministrator,
    LoginService,
    OperatorAccounts,
    OwnSessionsService,
    PasswordChangesService,
    PendingSignIns,
    PendingSignInsRepository,
    SignUpsRepository,
    SignUpsService,
  ],
  exports: [
    AccountMails,
    AuthLimits,
    CurrentPassword,
    EmailChangesRepository,
    FirstAdministrator,
    LoginService,
    PendingSignIns,
    SignUpsRepository,
  ],
})
export class AuthModule {}
