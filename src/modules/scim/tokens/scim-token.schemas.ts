import { extendedSchema } from '../../../platform/http/openapi/schemas.js';
import { scimTokenView } from './scim-token.view.js';

/** A provisioning token with its secret. */
export const freshScimToken = extendedSchema('FreshScimToken', scimTokenView, {
  token: {
    type: ['string', 'null'],
    description:
      'The secret, returned only once: `wsp_` followed by 46 letters and digits; null if the response is repeated ' +
      'for an Idempotency-Key.',
  },
});
