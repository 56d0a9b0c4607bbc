import { exactly } from '../../platform/http/schemas.js';
import { GRANTABLE_SCOPES } from './oauth-addresses.js';

export const consentRequest = exactly({
  client_id: { type: 'string', description: 'The id of the program.' },
  client_name: { type: 'string', description: 'The name that the program gives itself.' },
  redirect_host: {
    type: ['string', 'null'],
    description: 'Where the answer goes: a host, or this machine for a program on it; null for a device.',
  },
  scopes: {
    type: 'array',
    description: 'The scopes that the program asks for.',
    items: { type: 'string', enum: [...GRANTABLE_SCOPES] },
  },
  consent_token: {
    type: ['string', 'null'],
    description: 'For `POST /auth/consents`, in this session only; null if the response is repeated.',
  },
  expires_at: { type: 'string', format: 'date-time', description: 'When the request expires.' },
});

export const consentAnswer = exactly({
  status: { type: 'string', enum: ['granted', 'refused'] },
  redirect_to: {
    type: ['string', 'null'],
    description: 'The address that the browser opens now, which takes the answer to the program; null for a device.',
  },
});
