import { Body, Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation } from '../../../access/operations/operation.js';
import { normalizeEmail } from '../../../common/network/email.js';
import { invalidField } from '../../../common/errors.js';
import * as bodies from '../../../platform/http/bodies/body.pipe.js';
import { readQuery, type QueryReaders } from '../../../platform/http/requests/plain-query.js';
import { QueryParameters, type RawQuery } from '../../../platform/http/requests/query-parameters.js';
import { OwnTransactions, SecretProperties, WithoutDryRun } from '../../../platform/http/server/route-metadata.js';
import { component, exactly } from '../../../platform/http/openapi/schemas.js';
import { AcceptsForms, FORM } from '../../../platform/http/bodies/forms.js';
import { TransactionalPost } from '../../../platform/http/requests/transactional-routes.js';
import { loginResult, status } from '../../auth/auth.schemas.js';
import type { LoggedIn } from '../../auth/login.service.js';
import type { SecondFactorRequired } from '../../auth/pending-sign-ins.js';
import { FinishSignInDto, StartSignInDto } from './oidc.dto.js';
import { signInMethods, startedSignIn } from './oidc.schemas.js';
import { ProviderLogouts } from '../protocol/provider-logouts.service.js';
import { ProviderSignIns, type Started } from './provider-sign-ins.js';
import { SignInMethods, type Methods } from '../identities/sign-in-methods.js';

const methodsQuery: QueryReaders = {
  email: (raw) => {
    const email = normalizeEmail(raw);
    if (email !== undefined) return { value: email };
    return { code: 'invalid_format', message: 'email must be an e-mail address.' };
  },
};

const LOGOUT_FORM = component(
  'ProviderLogoutInput',
  exactly({ logout_token: { type: 'string', description: 'The token, signed by the provider.' } }),
);

@WithoutDryRun(true)
@ApiTags('Auth')
@AcceptsForms('/api/v1/auth/oidc/:provider_id/logout')
@Controller('auth')
export class OidcController {
  constructor(
    private readonly logouts: ProviderLogouts,
    private readonly methods: SignInMethods,
    private readonly signIns: ProviderSignIns,
  ) {}

  @Get('methods')
  @Operation('auth_methods_get', {
    summary: 'Get the ways to sign in',
    description:
      'Returns the ways that people with an address in this domain can try. The domain alone decides, so the response ' +
      'tells nothing about accounts.',
    query: { email: { description: 'The e-mail address.', schema: { type: 'string' }, required: true } },
    response: signInMethods,
  })
  async getMethods(@QueryParameters() query: RawQuery): Promise<Methods> {
    const email = readQuery(query, methodsQuery).get('email') as string | undefined;
    if (email === undefined) throw invalidField('email', 'required', 'email is required.');
    return this.methods.forEmail(email);
  }

  @TransactionalPost('oidc/finish')
  @OwnTransactions(true)
  @SecretProperties(['token', 'pending_token'])
  @Operation('auth_oidc_finish', {
    summary: 'Finish to sign in with a provider',
    description:
      'Signs in with what the provider sent back with the person. An account with a second factor gets `2fa_required`, ' +
      'unless the provider asks for one. 403 `identity_unknown` or `link_required` if no account is linked with the ' +
      'identity. Every answer that is not right gets the same error.',
    body: FinishSignInDto,
    response: loginResult,
    refuses: ['invalid_credentials', 'account_suspended', 'forbidden', 'conflict'],
  })
  finish(@Body(bodies.CreateBody(FinishSignInDto)) dto: FinishSignInDto): Promise<LoggedIn | SecondFactorRequired> {
    return this.signIns.finish(dto);
  }

  @TransactionalPost('oidc/:provider_id/start')
  @OwnTransactions(true)
  @SecretProperties(['flow_token'])
  @Operation('auth_oidc_start', {
    summary: 'Begin to sign in with a provider',
    description:
      'Open `authorization_url` in a browser, and send what the provider sends back, with `flow_token`, to ' +
      '`POST /auth/oidc/finish`, or, signed in, to `POST /auth/identities`. It works once, for ten minutes.',
    path: { provider_id: 'identity_provider' },
    body: StartSignInDto,
    response: startedSignIn,
    refuses: ['not_found', 'conflict'],
  })
  start(
    @Param('provider_id', bodies.PathId('identity_provider')) providerId: string,
    @Body(bodies.CreateBody(StartSignInDto)) { redirect_uri: redirectUri }: StartSignInDto,
  ): Promise<Started> {
    return this.signIns.start(providerId, redirectUri);
  }

  @TransactionalPost('oidc/:provider_id/logout')
  @OwnTransactions(true)
  @Operation('auth_oidc_logout', {
    summary: 'Sign people out for a provider',
    description:
      'For providers (OpenID Connect Back-Channel Logout 1.0): ends the sessions that began in the session, or by the person, ' +
      'that the token names. A token is accepted once, within two minutes.',
    path: { provider_id: 'identity_provider' },
    bodies: { [FORM]: LOGOUT_FORM },
    response: status('logged_out'),
    refuses: ['verification_failed', 'payload_too_large', 'unsupported_media_type'],
  })
  logout(
    @Param('provider_id', bodies.PathId('identity_provider')) providerId: string,
    @Body() form: unknown,
  ): Promise<{ status: 'logged_out' }> {
    return this.logouts.end(providerId, form);
  }
}
