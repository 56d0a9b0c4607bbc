import { SECOND_FACTORS } from '../../common/proofs.js';
import type { JsonSchema } from '../../platform/database/views/view.js';
import { exactly } from '../../platform/http/openapi/schemas.js';
import { MESSAGE } from './pending-code.js';

const EMAIL: JsonSchema = {
  type: 'string',
  description: 'The normalized address: lower case, with the domain in ASCII.',
};
const SIGNED_IN: Record<string, JsonSchema> = {
  token: { type: 'string', description: 'Send it as `Authorization: Bearer <token>`.' },
  expires_at: { type: 'string', format: 'date-time' },
  user_id: { type: 'string' },
  name: { type: 'string' },
  email: EMAIL,
};

/** The schema of a response that contains only a status. */
export const status = (word: string): JsonSchema => exactly({ status: { type: 'string', const: word } });

export const loggedOut = exactly(
  { status: { type: 'string', const: 'logged_out' } },
  { end_session_url: { type: 'string', description: 'Where a browser ends the session at the identity provider.' } },
);

export const pendingVerification = exactly({
  status: { type: 'string', const: 'pending_verification' },
  email: EMAIL,
  expires_at: { type: 'string', format: 'date-time', description: 'When the code expires.' },
  message: {
    type: 'string',
    description: 'A message for people.',
    example: MESSAGE,
  },
});

export const verificationStatus = exactly({
  found: { type: 'boolean', const: true },
  email: EMAIL,
  expired: { type: 'boolean', const: false },
  expires_at: { type: 'string', format: 'date-time', description: 'When a code that is sent now will expire.' },
});

export const pendingChange = exactly({
  pending: { type: 'boolean', description: 'Whether an address is waiting for verification.' },
  new_email: {
    type: ['string', 'null'],
    description: 'The address that is waiting for verification; null if there is none.',
  },
  expires_at: { type: ['string', 'null'], format: 'date-time' },
});

export const verified = exactly({ status: { type: 'string', const: 'verified' }, ...SIGNED_IN });

/** Signed in, or what the second factor is to be sent with: generated clients get one type with all properties. */
export const loginResult = exactly(
  { expires_at: { type: 'string', format: 'date-time', description: 'When the token or the pending token expires.' } },
  {
    ...SIGNED_IN,
    token_type: { type: 'string', const: 'Bearer' },
    status: {
      type: 'string',
      const: '2fa_required',
      description: 'Present if the account has a second factor: there is no token yet.',
    },
    pending_token: { type: 'string', description: 'With `2fa_required`: for `POST /auth/totp/verify`.' },
    methods: {
      type: 'array',
      items: { type: 'string', enum: [...SECOND_FACTORS] },
      description: 'With `2fa_required`: the second factors that are accepted.',
    },
  },
);

export const loggedIn = exactly({ token_type: { type: 'string', const: 'Bearer' }, ...SIGNED_IN });
