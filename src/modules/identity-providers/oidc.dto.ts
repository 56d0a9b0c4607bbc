import { Id, Keyword, Secret } from '../../platform/http/fields.js';

export class StartSignInDto {
  @Keyword({
    required: true,
    max: 2048,
    example: 'https://app.example.org/callback',
    description:
      'Where the provider sends the person back: one of OIDC_REDIRECT_URIS, or /auth/callback/{provider_id} of the service.',
  })
  redirect_uri: string;
}

export class StartProofDto extends StartSignInDto {
  @Id('identity_provider', { required: true, description: 'A provider at which you have an identity.' })
  provider_id: string;
}

/** What the provider sent back with the person, and the token of the start. */
export class FinishSignInDto {
  @Secret({ required: true, example: 'tQ8y3kq', description: 'The token that the start returned.' })
  flow_token: string;

  @Secret({ required: true, example: 'c1b7', description: '`state` as the provider sent it back.' })
  state: string;

  @Secret({ required: true, example: 'Spl0xlO', description: '`code` as the provider sent it back.' })
  code: string;

  @Secret({ description: '`iss` as the provider sent it back, if it did.' })
  iss?: string;
}
