import type { JsonSchema } from '../../platform/database/view.js';
import { exactly } from '../../platform/http/schemas.js';

const EMAIL: JsonSchema = { type: 'string', description: 'In its normal form: lower case, domain in ASCII.' };
const SIGNED_IN: Record<string, JsonSchema> = {
  token: { type: 'string', description: 'To be sent as `Authorization: Bearer <token>`.' },
  expires_at: { type: 'string', format: 'date-time' },
  user_id: { type: 'string' },
  name: { type: 'string' },
  email: EMAIL,
};

/** An answer that only says what has happened. */
export const status = (word: string): JsonSchema => exactly({ status: { type: 'string', const: word } });

export const pendingVerification = exactly({
  status: { type: 'string', const: 'pending_verification' },
  email: EMAIL,
  expires_in: { type: 'integer', description: 'Seconds that the code will be valid.' },
});

export const verified = exactly({ status: { type: 'string', const: 'verified' }, ...SIGNED_IN });

export const loggedIn = exactly({ token_type: { type: 'string', const: 'Bearer' }, ...SIGNED_IN });
