import { ORGANIZATION_ROLES } from '../../common/roles.js';
import { written } from '../../platform/database/views/text-traits.js';
import {
  defineView,
  id,
  withoutEventValue,
  metadata,
  nullable,
  oneOf,
  text,
  time,
  integer,
} from '../../platform/database/views/view.js';
import { SECOND_FACTOR_RULES } from './organization.entity.js';
import { organizationLifecycle } from './organization.lifecycle.js';

const members = `(SELECT count(*) FROM organization_resources m WHERE m.organization_id = o.id AND m.user_id IS NOT NULL)`;
const endeavours = `(SELECT count(*) FROM organization_endeavours l WHERE l.organization_id = o.id)`;
const myRole = `(SELECT m.role FROM organization_resources m WHERE m.organization_id = o.id AND m.user_id = :me)`;

/** The resource that takes over work; null if it is deleted or is no longer in the organization. */
const heir = `(SELECT m.resource_id FROM organization_resources m
  WHERE m.organization_id = o.id AND m.resource_id = o.scim_reassign_to)`;

/** An organization as clients see it. */
export const organizationView = defineView({
  name: 'Organization',
  kind: 'organization',
  table: 'organizations',
  alias: 'o',
  joins: '',
  people: { properties: ['created_by'] },
  fields: {
    id: id('o.id', 'organization'),
    name: written(text('o.name'), 'personal', 'redactable', 'searchedName'),
    description: written(nullable(text('o.description')), 'personal', 'redactable', 'searchedText'),
    status: oneOf('o.status', organizationLifecycle.statuses),
    second_factor: oneOf(
      'o.second_factor',
      SECOND_FACTOR_RULES,
      'Whether a sign-in with a second factor is required to see what the organization is the home of.',
    ),
    scim_reassign_to: nullable(id(heir, 'resource')),
    metadata: written(metadata('o.metadata'), 'personal', 'redactable'),
    member_count: withoutEventValue(integer(members)),
    endeavour_count: withoutEventValue(integer(endeavours)),
    my_role: withoutEventValue(nullable(oneOf(myRole, ORGANIZATION_ROLES))),
    archived_at: nullable(time('o.archived_at')),
    archived_reason: written(nullable(text('o.archived_reason')), 'redactable'),
    erasure_at: nullable(time('o.erasure_at')),
    created_by: nullable(id('o.created_by', 'resource')),
    created_at: time('o.created_at'),
    updated_at: time('o.updated_at'),
    revision: integer('o.revision'),
  },
});
