import type { JsonSchema } from '../../../platform/database/views/view.js';
import { extendedSchema } from '../../../platform/http/openapi/schemas.js';
import { endeavourView } from '../endeavour.view.js';

const unfitting: JsonSchema = {
  type: 'array',
  description:
    'Only after a request with `fields`: for each changed or removed field, how many tasks and demands keep a value that ' +
    'does not fit, if any.',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['key', 'count', 'count_is'],
    properties: {
      key: { type: 'string' },
      count: { type: 'integer' },
      count_is: {
        type: 'string',
        enum: ['exact', 'at_least'],
        description: 'at_least, if there are more than 10,000 tasks or demands to read.',
      },
    },
  },
};

/** What a change of an endeavour returns. */
export const updatedEndeavour = extendedSchema('UpdatedEndeavour', endeavourView, {}, { unfitting_values: unfitting });
