import { extendedSchema } from '../../../platform/http/openapi/schemas.js';
import { oauthClientView } from './oauth-client.view.js';

/** A program with its secret, if it has one. */
export const freshOauthClient = extendedSchema('FreshOauthClient', oauthClientView, {
  client_secret: {
    type: ['string', 'null'],
    description:
      'The secret, returned only once: `wsc_` followed by 46 letters and digits; null for a program without one, and if the ' +
      'response is repeated for an Idempotency-Key.',
  },
});
