import { TIER_LIMITS } from '../../../common/tiers.js';
import type { JsonSchema } from '../../../platform/database/views/view.js';
import { component, exactly } from '../../../platform/http/openapi/schemas.js';

const TIME: JsonSchema = { type: 'string', format: 'date-time' };
const LIMIT: JsonSchema = { type: 'integer', minimum: -1, description: 'The maximum number; -1 means unlimited.' };

const properties: Record<string, JsonSchema> = {
  id: { type: 'integer', description: 'The number of the tier, 1 to 3.' },
  name: { type: 'string' },
  ...Object.fromEntries(TIER_LIMITS.map((name) => [name, LIMIT])),
  created_at: TIME,
  updated_at: TIME,
  revision: { type: 'integer' },
};

/** The properties of the representation; those that cannot be set are rejected as `read_only`. */
export const TIER_PROPERTIES = Object.keys(properties);

export const tierSchema = component('Tier', exactly(properties));
