import {
  anyId,
  defineView,
  id,
  json,
  metadata,
  nullable,
  number,
  oneOf,
  text,
  time,
  whole,
} from '../../platform/database/view.js';
import { organizationsOf } from '../../access/visibility.js';
import type { OrganizationRole } from '../../common/roles.js';
import { ORGANIZATION_ROLES } from '../../common/roles.js';
import type { Quorum } from './quorum.rules.js';
import { RESOURCE_STATUSES, RESOURCE_TYPES } from './resource.entity.js';

/** Those that the reader sees too: where else somebody belongs is not the business of whoever shares one place with them. */
const organizations = `coalesce((
  SELECT json_agg(json_build_object('id', m.organization_id, 'role', m.role) ORDER BY m.organization_id)
  FROM organization_resources m WHERE m.resource_id = r.id
    AND (r.user_id = :me OR m.organization_id IN (${organizationsOf(':me')})
         OR EXISTS (SELECT 1 FROM users admin WHERE admin.id = :me AND admin.is_admin))), '[]'::json)`;

/** A resource as clients see it. */
export const resourceView = defineView({
  name: 'Resource',
  kind: 'resource',
  table: 'resources',
  alias: 'r',
  joins: '',
  fields: {
    id: id('r.id', 'resource'),
    name: text('r.name'),
    type: oneOf('r.type', RESOURCE_TYPES),
    capacity_model: nullable(text('r.capacity_model')),
    capacity_value: nullable(number('r.capacity_value', 'In the unit of capacity_model.')),
    skills: json<string[]>('r.skills', { type: 'array', items: { type: 'string' } }),
    status: oneOf('r.status', RESOURCE_STATUSES),
    user_id: nullable(id('r.user_id', 'user')),
    organizations: json<{ id: string; role: OrganizationRole }[]>(organizations, {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['id', 'role'],
        properties: { id: { type: 'string' }, role: { type: 'string', enum: [...ORGANIZATION_ROLES] } },
      },
    }),
    quorum: nullable(json<Quorum>('r.quorum', { type: 'object', additionalProperties: { type: 'integer' } })),
    metadata: metadata('r.metadata'),
    created_by: nullable(anyId('r.created_by')),
    created_at: time('r.created_at'),
    updated_at: time('r.updated_at'),
    revision: whole('r.revision'),
  },
});
