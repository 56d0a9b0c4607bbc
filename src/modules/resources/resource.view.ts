import { actsAsAdministrator, leftJoinUser, resourceOfUser } from '../../access/visibility/people.view.js';
import { externalRef } from '../../platform/database/columns/external-ref-field.js';
import { written } from '../../platform/database/views/text-traits.js';
import {
  anyId,
  defineView,
  erased,
  id,
  json,
  withoutEventValue,
  metadata,
  nullable,
  number,
  oneOf,
  text,
  time,
  integer,
  type ViewField,
} from '../../platform/database/views/view.js';
import { organizationsOf } from '../../access/visibility/visibility.js';
import type { OrganizationRole } from '../../common/roles.js';
import { ORGANIZATION_ROLES } from '../../common/roles.js';
import type { Quorum } from './quorums/quorum.rules.js';
import { RESOURCE_STATUSES, RESOURCE_TYPES } from './resource.entity.js';

/**
 * SQL: the organizations that the reader can see, and for admins of its home all with which it is shared, because they can end
 * that; other memberships of a person are private.
 */
const organizations = `coalesce((
  SELECT json_agg(json_build_object('id', m.organization_id, 'role', m.role) ORDER BY m.organization_id)
  FROM organization_resources m WHERE m.resource_id = r.id
    AND (r.user_id = :me OR m.organization_id IN (${organizationsOf(':me')})
         OR (r.user_id IS NULL AND EXISTS (SELECT 1 FROM organization_resources home
             WHERE home.organization_id = r.organization_id AND home.user_id = :me AND role_rank(home.role) >= 3))
         OR ${actsAsAdministrator(':me')})), '[]'::json)`;

/** SQL: whether the reader is the creator of a resource that has neither a user nor a home. */
const isHomelessOf = (reader: string): string =>
  `(r.user_id IS NULL AND r.organization_id IS NULL AND r.created_by = ${reader})`;

/** SQL for `FROM`: the memberships `there` of the resource and `mine` of the reader in the same organizations. */
const sharedMemberships = (me: string): string => `organization_resources there
  JOIN organization_resources mine USING (organization_id) WHERE there.resource_id = r.id AND mine.user_id = ${me}`;

/**
 * SQL: the level of detail that the reader sees (spec 02): 3 all properties, 2 those for organizations with which the
 * resource is shared, 1 those for guests and for people who only share an endeavour with it.
 */
const sightLevel = `CROSS JOIN LATERAL (SELECT CASE
    WHEN :me IS NULL OR r.user_id = :me OR ${actsAsAdministrator(':me')} OR ${isHomelessOf('reader.resource_id')} THEN 3
    ELSE coalesce((SELECT max(CASE WHEN mine.role = 'guest' THEN 1 WHEN mine.organization_id = r.organization_id THEN 3
                          ELSE 2 END)
      FROM ${sharedMemberships(':me')}), 1) END AS level
  FROM (VALUES (1)) always (one) ${leftJoinUser('reader', ':me')}) sight`;

/** SQL: whether the reader sees the resource at level 2 or higher, for conditions on properties of these levels. */
export const isSeenInDetail = (me: string): string => `(r.user_id = ${me} OR ${actsAsAdministrator(me)}
  OR ${isHomelessOf(resourceOfUser(me))} OR EXISTS (SELECT 1 FROM ${sharedMemberships(me)} AND mine.role <> 'guest'))`;

/** The property, null for readers below the level of detail; events store the value itself. */
const fromLevel = <T>(level: number, field: ViewField<T>): ViewField<T | null> => ({
  ...nullable({ ...field, sql: `CASE WHEN sight.level >= ${level} THEN ${field.sql} END` }),
  kept: { sql: field.sql },
});

/** A resource as clients see it. */
export const resourceView = defineView({
  name: 'Resource',
  kind: 'resource',
  table: 'resources',
  alias: 'r',
  joins: sightLevel,
  people: { properties: [], others: `ARRAY[r.id]` },
  fields: {
    id: id('r.id', 'resource'),
    name: written(text('r.name'), 'personal', 'redactable', 'searchedName'),
    type: oneOf('r.type', RESOURCE_TYPES),
    status: oneOf('r.status', RESOURCE_STATUSES),
    capacity_model: fromLevel(2, text('r.capacity_model')),
    capacity_value: erased(fromLevel(3, number('r.capacity_value', 'The capacity in the unit of capacity_model.'))),
    skills: written(
      fromLevel(2, json<string[]>('r.skills', { type: 'array', items: { type: 'string' } })),
      'personal',
      'redactable',
    ),
    user_id: fromLevel(2, id('r.user_id', 'user')),
    organization_id: fromLevel(2, id('r.organization_id', 'organization')),
    organizations: withoutEventValue(
      fromLevel(
        2,
        json<{ id: string; role: OrganizationRole }[]>(organizations, {
          type: 'array',
          items: {
            type: 'object',
            additionalProperties: false,
            required: ['id', 'role'],
            properties: { id: { type: 'string' }, role: { type: 'string', enum: [...ORGANIZATION_ROLES] } },
          },
        }),
      ),
    ),
    quorum: fromLevel(2, json<Quorum>('r.quorum', { type: 'object', additionalProperties: { type: 'integer' } })),
    external_ref: written(fromLevel(2, externalRef('r.external_ref')), 'redactable'),
    metadata: written(fromLevel(3, metadata('r.metadata')), 'personal', 'redactable'),
    created_by: fromLevel(2, anyId('r.created_by')),
    created_at: fromLevel(2, time('r.created_at')),
    updated_at: fromLevel(2, time('r.updated_at')),
    revision: fromLevel(2, integer('r.revision')),
  },
});
