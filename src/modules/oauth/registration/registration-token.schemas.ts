import { extendedSchema } from '../../../platform/http/openapi/schemas.js';
import { registrationTokenView } from './registration-token.view.js';

/** A registration token with its secret. */
export const freshRegistrationToken = extendedSchema('FreshRegistrationToken', registrationTokenView, {
  token: {
    type: ['string', 'null'],
    description:
      'The secret, returned only once: `wsi_` followed by 46 letters and digits; null if the response is repeated ' +
      'for an Idempotency-Key.',
  },
});
