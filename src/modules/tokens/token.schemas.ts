import { extendedSchema } from '../../platform/http/schemas.js';
import { tokenView } from './token.view.js';

/** A token right after its secret was made. */
export const freshToken = extendedSchema('FreshAccessToken', tokenView, {
  token: {
    type: ['string', 'null'],
    description:
      'The secret, returned only once: `wsk_` followed by 46 letters and digits; null if the answer is repeated ' +
      'for an Idempotency-Key.',
  },
});
