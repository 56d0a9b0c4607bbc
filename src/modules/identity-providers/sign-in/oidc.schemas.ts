import type { JsonSchema } from '../../../platform/database/views/view.js';
import { component, exactly } from '../../../platform/http/openapi/schemas.js';
import { PROVIDER_CHECKS } from '../provider-tests.js';

const text = (description: string): JsonSchema => ({ type: 'string', description });
const flag = (description: string): JsonSchema => ({ type: 'boolean', description });

export const startedSignIn = exactly({
  authorization_url: { ...text('Where the person signs in.'), format: 'uri' },
  flow_token: {
    type: ['string', 'null'],
    description: 'What the sign-in is finished with, in this client only; null if the response is repeated.',
  },
  expires_at: { type: 'string', format: 'date-time', description: 'When the sign-in expires.' },
});

export const signInMethods = exactly({
  password: flag('Whether a password can be tried.'),
  passkey: flag('Whether this service has passkeys.'),
  providers: {
    type: 'array',
    description: 'The providers for people of this domain.',
    items: component(
      'OfferedProvider',
      exactly({
        id: text('For `POST /auth/oidc/{provider_id}/start`.'),
        name: text('The name of the provider.'),
      }),
    ),
  },
});

export const providerTest = exactly({
  ok: flag('Whether all checks succeeded.'),
  checks: {
    type: 'array',
    description: 'The checks, in order; later ones are missing if an earlier one failed.',
    items: component(
      'ProviderCheck',
      exactly({
        check: { type: 'string', enum: [...PROVIDER_CHECKS], description: 'What was checked.' },
        ok: flag('Whether it succeeded.'),
        message: text('The finding in words.'),
      }),
    ),
  },
});
