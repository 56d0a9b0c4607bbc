import { NOTIFICATION_KINDS, NOTIFICATION_WAYS } from '../../common/notifications.js';
import { ENDEAVOUR_ROLES, ORGANIZATION_ROLES } from '../../common/roles.js';
import { TIER_LIMITS } from '../../common/tiers.js';
import type { JsonSchema } from '../../platform/database/views/view.js';
import { component, exactly } from '../../platform/http/openapi/schemas.js';
import { userView } from './user.view.js';

const integers = (names: readonly string[], description: string): JsonSchema =>
  exactly(Object.fromEntries(names.map((name) => [name, { type: 'integer', description }])));
const rolesById = (roles: readonly string[]): JsonSchema => ({
  type: 'object',
  additionalProperties: { type: 'string', enum: [...roles] },
});

const USER_PROPERTIES = [
  'name',
  'email',
  'status',
  'user_type',
  'lang',
  'timezone',
  'email_copy',
  'is_admin',
  'resource_id',
  'login_count',
  'last_active_at',
  'created_at',
  'tier',
  'tier_name',
] as const;

/** The properties that `whoami` and a change of the profile return. */
const properties: Record<string, JsonSchema> = {
  user_id: userView.fields.id.schema,
  ...Object.fromEntries(USER_PROPERTIES.map((name) => [name, userView.fields[name].schema])),
  notify: exactly(
    Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, { type: 'string', enum: [...NOTIFICATION_WAYS] }])),
  ),
  profile_complete: {
    type: 'boolean',
    const: true,
    description: 'Always true: an account has all properties that it needs from the start.',
  },
  tier_limits: integers(TIER_LIMITS, 'The maximum number; -1 means unlimited.'),
  tier_usage: integers(
    TIER_LIMITS.map((name) => name.replace(/^max_/, '')),
    'The current number. For limits per organization, the highest number in one organization.',
  ),
  organizations: rolesById(ORGANIZATION_ROLES),
  endeavours: rolesById(ENDEAVOUR_ROLES),
};

/** The properties of the representation; those that cannot be set are rejected as `read_only`. */
export const PROFILE_PROPERTIES = Object.keys(properties);

export const profileSchema = component('Profile', exactly(properties));
