import type { JsonSchema } from '../../platform/database/views/view.js';
import { exactly } from '../../platform/http/openapi/schemas.js';

/** A secret that is returned once. */
const once = (type: string, description: string): JsonSchema => ({
  type: [type, 'null'],
  description: `${description}; null if the response is repeated for an Idempotency-Key.`,
});

const TIME = { type: 'string', format: 'date-time' } as const;

export const totpStatus = exactly({
  enabled: { type: 'boolean', description: 'Whether signing in takes a second factor.' },
  enabled_at: { type: ['string', 'null'], format: 'date-time', description: 'Since when; null if it is off.' },
  recovery_codes_remaining: { type: 'integer', minimum: 0, description: 'The number of unused recovery codes.' },
});

export const totpSetup = exactly({
  secret: once('string', 'The secret in base 32, to be typed into an app'),
  url: once('string', 'The secret as an `otpauth://` address'),
  qr_code: once('string', 'The address as a QR code: a PNG in base 64'),
  expires_at: { ...TIME, description: 'Until when it can be enabled.' },
});

export const recoveryCodes = exactly({
  status: { type: 'string', const: 'enabled' },
  recovery_codes: {
    ...once('array', 'Ten codes, each of which is accepted once in place of a code of the app'),
    items: { type: 'string' },
  },
});
