import type { ExternalRef } from '../../../common/external-ref.js';
import type { ViewField } from '../views/view.js';

/** The view field for the reference to the same entity in another system. */
export const externalRef = (sql: string): ViewField<ExternalRef | null> => ({
  sql,
  schema: {
    title: 'ExternalRef',
    type: ['object', 'null'],
    additionalProperties: false,
    required: ['source', 'id', 'url'],
    properties: {
      source: { type: 'string', description: 'The other system.' },
      id: { type: 'string', description: 'The id in the other system.' },
      url: { type: ['string', 'null'], format: 'uri', description: 'The address in the other system.' },
    },
    description: 'The same thing in another system.',
  },
});
