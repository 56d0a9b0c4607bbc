import { Body, Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import { invalidField } from '../../common/errors.js';
import { normalizeEmail } from '../../common/network/email.js';
import { CreateBody } from '../../platform/http/bodies/body.pipe.js';
import { OwnTransactions, SecretProperties, WithoutDryRun } from '../../platform/http/server/route-metadata.js';
import { readQuery, type QueryReaders } from '../../platform/http/requests/plain-query.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import { TransactionalPost } from '../../platform/http/requests/transactional-routes.js';
import { EmailDto, LoginDto, RegisterDto, VerifyDto } from './auth.dto.js';
import { loggedOut, loginResult, pendingVerification, status, verificationStatus, verified } from './auth.schemas.js';
import { LoginService, type LoggedIn, type LoggedOut } from './login.service.js';
import type { SecondFactorRequired } from './pending-sign-ins.js';
import type { Pending } from './pending-code.js';
import { SignUpsService, type VerificationStatus, type Verified } from './sign-ups.service.js';

const statusQuery: QueryReaders = {
  email: (raw) => {
    const email = normalizeEmail(raw);
    if (email !== undefined) return { value: email };
    return { code: 'invalid_format', message: 'email must be an e-mail address.' };
  },
};

@WithoutDryRun(true)
@ApiTags('Auth')
@Controller('auth')
export class AuthController {
  constructor(
    private readonly logins: LoginService,
    private readonly signUps: SignUpsService,
  ) {}

  @TransactionalPost('register')
  @OwnTransactions(true)
  @Operation('auth_register', {
    summary: 'Register',
    description: 'Sends a code by mail. The account is created when `verify` is called with that code.',
    status: 201,
    body: RegisterDto,
    response: pendingVerification,
    refuses: ['conflict', 'self_registration_disabled', 'invalid_token'],
  })
  register(@Body(CreateBody(RegisterDto)) dto: RegisterDto): Promise<Pending> {
    return this.signUps.register(dto);
  }

  @TransactionalPost('verify')
  @OwnTransactions(true)
  @SecretProperties(['token'])
  @Operation('auth_verify', {
    summary: 'Verify the e-mail address and activate the account',
    description:
      'Creates the account and signs the user in. An unknown, wrong, expired or used code gets the same error.',
    body: VerifyDto,
    response: verified,
    refuses: ['verification_failed', 'forbidden'],
  })
  verify(@Body(CreateBody(VerifyDto)) dto: VerifyDto): Promise<Verified> {
    return this.signUps.verify(dto);
  }

  @TransactionalPost('resend-verification')
  @OwnTransactions(true)
  @Operation('auth_resend_verification', {
    summary: 'Resend the verification code',
    description:
      'Sends a new code for a pending sign-up with this address. The response is the same for every address.',
    body: EmailDto,
    response: status('code_resent'),
  })
  resend(@Body(CreateBody(EmailDto)) { email }: EmailDto): Promise<{ status: 'code_resent' }> {
    return this.signUps.resend(email);
  }

  @Get('verification-status')
  @Operation('auth_verification_status_get', {
    summary: 'Get sign-up status',
    description: 'For clients that wait for the code. The response is the same for every address.',
    query: { email: { description: 'The e-mail address of the sign-up.', schema: { type: 'string' }, required: true } },
    response: verificationStatus,
  })
  status(@QueryParameters() query: RawQuery): VerificationStatus {
    const email = readQuery(query, statusQuery).get('email') as string | undefined;
    if (email === undefined) throw invalidField('email', 'required', 'email is required.');
    return this.signUps.status(email);
  }

  @TransactionalPost('login')
  @OwnTransactions(true)
  @SecretProperties(['token', 'pending_token'])
  @Operation('auth_login', {
    summary: 'Login',
    description:
      'Signs the user in and returns a session token. A user has at most 20 sessions: the next sign-in ends the ' +
      'oldest. An account with a second factor gets `2fa_required` and no token: send its code to `POST /auth/totp/verify`.',
    body: LoginDto,
    response: loginResult,
    refuses: ['invalid_credentials', 'account_suspended', 'forbidden'],
  })
  login(@Body(CreateBody(LoginDto)) dto: LoginDto): Promise<LoggedIn | SecondFactorRequired> {
    return this.logins.login(dto);
  }

  @TransactionalPost('logout')
  @Operation('auth_logout', {
    summary: 'Logout',
    description:
      'Ends the session. Its token is invalid on every replica before the response is sent. A session that began at a ' +
      'provider can have an `end_session_url`: open it in the browser to end the session there, too.',
    response: loggedOut,
  })
  logout(@CurrentCaller() me: Caller): Promise<LoggedOut> {
    return this.logins.logout(me);
  }
}
