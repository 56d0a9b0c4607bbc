import { extendedSchema } from '../../platform/http/schemas.js';
import { webhookView } from './webhook.view.js';

/** A webhook right after its secret was made. */
export const freshWebhook = extendedSchema('FreshWebhook', webhookView, {
  secret: {
    type: ['string', 'null'],
    description:
      'By which the receiver verifies signatures, shown this once: `whsec_` and 44 characters of base64; null where an ' +
      'Idempotency-Key repeats the answer.',
  },
});
