import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import { OwnTransactions, SecretProperties, WithoutDryRun } from '../../platform/http/server/route-metadata.js';
import { exactly } from '../../platform/http/openapi/schemas.js';
import { TransactionalPost } from '../../platform/http/requests/transactional-routes.js';
import { startedSignIn } from '../identity-providers/sign-in/oidc.schemas.js';
import { ProviderSignIns, type Started } from '../identity-providers/sign-in/provider-sign-ins.js';
import { PasskeyProofs, type RequestOptions } from '../passkeys/passkey-proofs.js';
import { requestOptionsSchema } from '../passkeys/passkey.schemas.js';
import { StartProofDto, StepUpDto } from './step-up.dto.js';
import { StepUpService, type Proved, type SentCode } from './step-up.service.js';

const proved = exactly({
  status: { type: 'string', const: 'proved' },
  proved_at: { type: 'string', format: 'date-time', description: 'When you last proved that it is you.' },
});

const sentCode = exactly({
  status: { type: 'string', const: 'code_sent' },
  expires_at: { type: 'string', format: 'date-time', description: 'When the code expires.' },
});

@WithoutDryRun(true)
@ApiTags('Auth')
@Controller('auth/step-up')
export class StepUpController {
  constructor(
    private readonly passkeys: PasskeyProofs,
    private readonly signIns: ProviderSignIns,
    private readonly stepUp: StepUpService,
  ) {}

  @TransactionalPost()
  @OwnTransactions(true)
  @Operation('auth_step_up', {
    summary: 'Confirm that it is you',
    description:
      'Proves with your password, a code, a passkey or a sign-in at a provider that you, and not somebody with a copy of your token, use this session. ' +
      'Operations that change credentials, tokens or accounts ask for a proof of the last 15 minutes; signing in is ' +
      'one. A wrong password or code gets the same error, and an account has 10 of them per hour.',
    body: StepUpDto,
    response: proved,
    refuses: ['verification_failed'],
  })
  prove(@CurrentCaller() me: Caller, @Body(bodies.CreateBody(StepUpDto)) dto: StepUpDto): Promise<Proved> {
    return this.stepUp.prove(me, dto);
  }

  @TransactionalPost('options')
  @Operation('auth_step_up_options_create', {
    summary: 'Begin to confirm with a passkey that it is you',
    description:
      'Returns what `navigator.credentials.get` takes; send what it returns as `credential` to `POST /auth/step-up`. The ' +
      'challenge is valid in this session, once, for five minutes.',
    response: requestOptionsSchema,
    refuses: ['conflict'],
  })
  options(@CurrentCaller() me: Caller): Promise<RequestOptions> {
    return this.passkeys.stepUpOptions(me);
  }

  @TransactionalPost('oidc')
  @OwnTransactions(true)
  @SecretProperties(['flow_token'])
  @Operation('auth_step_up_oidc_create', {
    summary: 'Begin to confirm with a provider that it is you',
    description:
      'Asks you to sign in again at a provider at which you have an identity. Send what it sends back, with `flow_token`, ' +
      'as `oidc` to `POST /auth/step-up`. It works once, in this session, for ten minutes; the provider has to say when you ' +
      'signed in (`auth_time`).',
    body: StartProofDto,
    response: startedSignIn,
    refuses: ['conflict'],
  })
  startAtProvider(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(StartProofDto)) { provider_id: providerId, redirect_uri: redirectUri }: StartProofDto,
  ): Promise<Started> {
    return this.signIns.startProof(me, providerId, redirectUri);
  }

  @TransactionalPost('code')
  @OwnTransactions(true)
  @Operation('auth_step_up_code_create', {
    summary: 'Send a code to confirm that it is you',
    description:
      'Mails a code for `POST /auth/step-up` to an account that has neither a password nor another method. Others get ' +
      '403 `proof_required` with their methods.',
    response: sentCode,
  })
  sendCode(@CurrentCaller() me: Caller): Promise<SentCode> {
    return this.stepUp.sendCode(me);
  }
}
