import { extendedSchema } from '../../platform/http/openapi/schemas.js';
import { webhookView } from './webhook.view.js';

/** A webhook with its new secret. */
export const freshWebhook = extendedSchema('FreshWebhook', webhookView, {
  secret: {
    type: ['string', 'null'],
    description:
      'The secret for verifying signatures, returned only once: `whsec_` followed by 44 characters of base64; null if the ' +
      'response is repeated for an Idempotency-Key.',
  },
});
