import { extendedSchema } from '../../platform/http/schemas.js';
import { tokenView } from './token.view.js';

/** A token right after its secret was made. */
export const freshToken = extendedSchema('FreshAccessToken', tokenView, {
  token: {
    type: ['string', 'null'],
    description: 'Shown this once: `wsk_` and 46 letters and digits; null where an Idempotency-Key repeats the answer.',
  },
});
