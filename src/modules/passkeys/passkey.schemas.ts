import type { JsonSchema } from '../../platform/database/views/view.js';
import { component, exactly } from '../../platform/http/openapi/schemas.js';

const text = (description: string): JsonSchema => ({ type: 'string', description });
const only = (word: string): JsonSchema => ({ type: 'string', const: word });

const challenge = text('A random number in base 64, which the authenticator signs; it can be used once.');
const timeout: JsonSchema = { type: 'integer', description: 'The milliseconds that the browser waits for the person.' };
const knownPasskey = component(
  'KnownPasskey',
  exactly({ type: only('public-key'), id: text('The id that the authenticator has given the passkey.') }),
);
const passkeys: JsonSchema = { type: 'array', items: knownPasskey };

/** For `PublicKeyCredential.parseCreationOptionsFromJSON`. */
export const creationOptions = component(
  'PasskeyCreationOptions',
  exactly({
    challenge,
    rp: exactly({ id: text('The domain of the passkey.'), name: text('The name of the service.') }),
    user: exactly({
      id: text('A random name for the user, in base 64.'),
      name: text('The name that the authenticator shows.'),
      displayName: text('The name that the authenticator shows.'),
    }),
    pubKeyCredParams: {
      type: 'array',
      items: exactly({
        type: only('public-key'),
        alg: { type: 'integer', description: 'A COSE algorithm that the service accepts.' },
      }),
    },
    excludeCredentials: { ...passkeys, description: 'The passkeys that the user has already.' },
    authenticatorSelection: exactly({
      residentKey: only('required'),
      requireResidentKey: { type: 'boolean', const: true },
      userVerification: only('required'),
    }),
    attestation: only('none'),
    timeout,
  }),
);

/** For `PublicKeyCredential.parseRequestOptionsFromJSON`. */
export const requestOptionsSchema = component(
  'PasskeyRequestOptions',
  exactly({
    challenge,
    rpId: text('The domain of the passkey.'),
    allowCredentials: {
      ...passkeys,
      description: 'The passkeys that are accepted; empty for all of the authenticator.',
    },
    userVerification: only('required'),
    timeout,
  }),
);
