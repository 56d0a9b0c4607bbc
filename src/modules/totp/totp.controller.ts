import { Body, Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import { CreateBody } from '../../platform/http/bodies/body.pipe.js';
import { OwnTransactions, SecretProperties, WithoutDryRun } from '../../platform/http/server/route-metadata.js';
import { TransactionalPost } from '../../platform/http/requests/transactional-routes.js';
import { loggedIn, status } from '../auth/auth.schemas.js';
import type { LoggedIn } from '../auth/login.service.js';
import { SecondFactorCodeDto, TotpCodeDto, VerifySecondFactorDto } from './totp.dto.js';
import { recoveryCodes, totpSetup, totpStatus } from './totp.schemas.js';
import { TotpService, type RecoveryCodes, type TotpSetup, type TotpStatus } from './totp.service.js';

@WithoutDryRun(true)
@ApiTags('Auth')
@Controller('auth/totp')
export class TotpController {
  constructor(private readonly totp: TotpService) {}

  @Get('status')
  @Operation('auth_totp_status_get', {
    summary: 'Get second factor',
    description: 'Says whether you sign in with a second factor, and how many recovery codes are left.',
    response: totpStatus,
  })
  status(@CurrentCaller() me: Caller): Promise<TotpStatus> {
    return this.totp.status(me);
  }

  @TransactionalPost('setup')
  @SecretProperties(['secret', 'url', 'qr_code'])
  @Operation('auth_totp_setup', {
    summary: 'Set up second factor',
    description:
      'Makes a secret for an authenticator app, which cannot be read again. Nothing changes until `enable` is called ' +
      'with a code of the app within 15 minutes.',
    response: totpSetup,
    refuses: ['conflict'],
  })
  setup(@CurrentCaller() me: Caller): Promise<TotpSetup> {
    return this.totp.setup(me);
  }

  @TransactionalPost('enable')
  @OwnTransactions(true)
  @SecretProperties(['recovery_codes'])
  @Operation('auth_totp_enable', {
    summary: 'Enable second factor',
    description:
      'From now on, signing in takes a code of the app. Returns ten recovery codes, each for one sign-in without the ' +
      'app; they cannot be read again.',
    body: TotpCodeDto,
    response: recoveryCodes,
    refuses: ['verification_failed', 'conflict'],
  })
  enable(@CurrentCaller() me: Caller, @Body(CreateBody(TotpCodeDto)) { code }: TotpCodeDto): Promise<RecoveryCodes> {
    return this.totp.enable(me, code);
  }

  @TransactionalPost('disable')
  @OwnTransactions(true)
  @Operation('auth_totp_disable', {
    summary: 'Disable second factor',
    description: 'Deletes the secret and the recovery codes, and ends all other sessions of the account.',
    body: SecondFactorCodeDto,
    response: status('disabled'),
    refuses: ['verification_failed', 'conflict'],
  })
  disable(
    @CurrentCaller() me: Caller,
    @Body(CreateBody(SecondFactorCodeDto)) { code }: SecondFactorCodeDto,
  ): Promise<{ status: 'disabled' }> {
    return this.totp.disable(me, code);
  }

  @TransactionalPost('recovery-codes')
  @OwnTransactions(true)
  @SecretProperties(['recovery_codes'])
  @Operation('auth_totp_recovery_codes_create', {
    summary: 'Replace recovery codes',
    description: 'Returns ten new recovery codes. The old ones are void, and all other sessions of the account end.',
    body: SecondFactorCodeDto,
    response: recoveryCodes,
    refuses: ['verification_failed'],
  })
  renew(
    @CurrentCaller() me: Caller,
    @Body(CreateBody(SecondFactorCodeDto)) { code }: SecondFactorCodeDto,
  ): Promise<RecoveryCodes> {
    return this.totp.renewRecoveryCodes(me, code);
  }

  @TransactionalPost('verify')
  @OwnTransactions(true)
  @SecretProperties(['token'])
  @Operation('auth_totp_verify', {
    summary: 'Sign in with the second factor',
    description:
      'Completes a sign-in to which `POST /auth/login` answered `2fa_required`, with a code of the app or a recovery ' +
      'code. A pending token is valid for five minutes and five attempts; every failure gets the same error.',
    body: VerifySecondFactorDto,
    response: loggedIn,
    refuses: ['invalid_credentials', 'account_suspended', 'forbidden'],
  })
  verify(@Body(CreateBody(VerifySecondFactorDto)) dto: VerifySecondFactorDto): Promise<LoggedIn> {
    return this.totp.verify(dto.pending_token, dto.code);
  }
}
