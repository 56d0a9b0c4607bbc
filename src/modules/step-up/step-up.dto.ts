import type { JsonRecord } from '../../common/texts/json.js';
import { CredentialField } from '../passkeys/credential.field.js';
import { ProviderAnswerField, type SentAnswer } from '../identity-providers/sign-in/provider-answer.field.js';
import { RedirectUri } from '../identity-providers/sign-in/redirect-uri.field.js';
import { Id, Keyword, Secret } from '../../platform/http/bodies/fields.js';

/** One proof: a password, a code, the signature of a passkey, or a sign-in at a provider. */
export class StepUpDto {
  @Secret({
    anyLength: true,
    example: 'two wooden ladders',
    description: 'Your password. With a second factor, it proves nothing alone: send a code.',
  })
  password?: string;

  @Keyword({
    description:
      'A code of your authenticator app or a recovery code; without a password and a second factor, the code that was ' +
      'mailed to you.',
  })
  code?: string;

  @CredentialField(false)
  credential?: JsonRecord;

  @ProviderAnswerField()
  oidc?: SentAnswer;
}

export class StartProofDto {
  @RedirectUri()
  redirect_uri: string;

  @Id('identity_provider', { required: true, description: 'A provider at which you have an identity.' })
  provider_id: string;
}
