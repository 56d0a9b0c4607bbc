import { extendedSchema } from '../../platform/http/openapi/schemas.js';
import { tokenView } from './token.view.js';

/** A token with its secret. */
export const freshToken = extendedSchema('FreshAccessToken', tokenView, {
  token: {
    type: ['string', 'null'],
    description:
      'The secret, returned only once: `wsk_` followed by 46 letters and digits; null if the response is repeated ' +
      'for an Idempotency-Key.',
  },
});
