import { PROTECTED_RESOURCES } from '../../../common/programs.js';
import { exactly } from '../../../platform/http/openapi/schemas.js';
import { GRANTABLE_SCOPES } from '../oauth-addresses.js';
import { REGISTRARS } from '../clients/oauth-client.entity.js';

export const consentRequest = exactly({
  client_id: { type: 'string', description: 'The id of the program.' },
  client_name: { type: 'string', description: 'The name that the program gives itself.' },
  client_source: {
    type: 'string',
    enum: ['built_in', 'metadata', ...REGISTRARS],
    description:
      'Where the service knows the program from: built in, a document at its own address, or registered by an administrator, ' +
      'with a registration token, or by anybody.',
  },
  client_host: {
    type: ['string', 'null'],
    description:
      'The host of the document of the program, which names it better than what it calls itself; null without one.',
  },
  resource: {
    type: 'string',
    enum: PROTECTED_RESOURCES,
    description: 'What the program asks to be let into: the interface, or its tools for AI.',
  },
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
