import { forOthers, roleInContainer, onSecondEntity, signedIn, type Permission } from './permission.js';

const RELATES =
  'You need the `member` role in the endeavour of the source, the `admin` role in its organization, or the ' +
  'right to manage the source resource. Both ends must be visible to you. For relations that are memberships, ' +
  'the requirements of the membership operations apply.';
const MANAGER =
  'Only the user of the resource, admins of its home organization, or the creator of a resource without a ' +
  'home organization can call this operation.';

/** Who can call the operations on resources and on relations. */
export const RESOURCE_PERMISSIONS = {
  resources_list: signedIn('resources:read'),
  resources_create: signedIn(
    'resources:write',
    'Any signed-in user can call this operation. With organization_id, you need the `admin` role in that ' +
      'organization.',
  ),
  /** The role that creating a resource in an organization requires there. */
  resources_take_in: onSecondEntity('resources:write', 'admin'),
  resources_get: signedIn(
    'resources:read',
    'Visible to the user of the resource, to members of its home organization and, without a home ' +
      'organization, to its creator. Members of organizations that share it and of endeavours in which it works ' +
      'see it with fewer fields.',
  ),
  resources_update: signedIn('resources:write', MANAGER),
  resources_by_external_put: roleInContainer('admin', 'resources:write'),
  resources_delete: signedIn('resources:write', MANAGER),
  resources_reassign: signedIn(
    ['resources:write', 'tasks:write', 'demands:write'],
    'You can reassign your own work. Administrators can reassign all work, and admins of endeavours the work ' +
      'in these endeavours.',
  ),
  /** The role that reassigning one's own work requires in its endeavour. */
  resources_reassign_own: onSecondEntity('resources:write', 'member'),
  /** The role that reassigning the work of others requires in its endeavour. */
  resources_reassign_others: onSecondEntity('resources:write', 'admin'),
  resources_transfer: signedIn(
    'session',
    'You need the `owner` role in the home organization and the `admin` role in the target organization.',
  ),
  resources_load_get: signedIn(['resources:read', 'tasks:read'], 'The resource must be visible to you.'),
  resources_members_list: signedIn('resources:read', 'The team must be visible to you.'),
  resources_members_add: signedIn('resources:write', MANAGER),
  resources_members_remove: forOthers('admin', signedIn('resources:write', MANAGER)),

  relations_list: signedIn(
    'relations:read',
    'Any signed-in user can call this operation. It lists the relations whose ends are both visible to you.',
  ),
  relations_get: signedIn('relations:read', 'Both ends of the relation must be visible to you.'),
  relations_create: signedIn('relations:write', RELATES),
  relations_delete: signedIn('relations:write', RELATES),
  /** The role that relating an entity in an endeavour requires there. */
  relations_from_endeavour: onSecondEntity('relations:write', 'member'),
  /** The role that relating an entity in an organization requires there. */
  relations_from_organization: onSecondEntity('relations:write', 'admin'),
  /** The target of a relation only has to be visible. */
  relations_to: onSecondEntity('relations:write'),
} satisfies Record<string, Permission>;
