import {
  administratorsOnly,
  roleInEndeavour,
  roleInOrganization,
  forOthers,
  onSecondEntity,
  signedIn,
  withProof,
  type Permission,
} from './permission.js';

const ROLE_LIMITS = 'You cannot grant a role above your own, and only owners can change owner roles.';
const SELF_REMOVAL = 'You can remove yourself; removing another member needs the `admin` role.';
const HOME_OWNERS = 'If the endeavour has a home organization, you need the `owner` role there.';

/** Who can call the operations on organizations and endeavours. */
export const CONTAINER_PERMISSIONS = {
  organizations_list: signedIn('organizations:read'),
  organizations_create: signedIn(
    'organizations:write',
    'Any signed-in user can call this operation and becomes the owner.',
  ),
  organizations_get: roleInOrganization('guest', 'organizations:read'),
  organizations_update: roleInOrganization(
    'admin',
    'organizations:write',
    'Changing `second_factor` and ending tokens needs the `owner` role, a session, and a recent proof that it is you.',
  ),
  /** What changing the second factor that the organization requires takes. */
  organizations_second_factor_set: withProof(onSecondEntity('session', 'owner')),
  /** The role that creating an endeavour in an organization requires there. */
  organizations_take_in: onSecondEntity('organizations:write', 'member'),
  organizations_members_list: roleInOrganization('guest', 'organizations:read'),
  organizations_members_add: roleInOrganization('admin', 'session', ROLE_LIMITS),
  organizations_members_update: roleInOrganization('admin', 'session', ROLE_LIMITS),
  organizations_members_remove: forOthers('admin', roleInOrganization('guest', 'organizations:write', SELF_REMOVAL)),
  organizations_resources_add: roleInOrganization(
    'admin',
    'session',
    'You must also be the creator of a resource without a home organization, or an owner of its home ' +
      'organization.',
  ),
  organizations_resources_remove: forOthers(
    'admin',
    signedIn(
      'session',
      'Members can remove themselves; admins can remove any member. A resource can also be removed by owners of ' +
        'its home organization, and by admins of either organization.',
    ),
  ),
  organizations_endeavours_add: roleInOrganization(
    'admin',
    'session',
    'You must also be an owner of the home organization of the endeavour, or of the endeavour if it has no ' +
      'home organization.',
  ),
  organizations_endeavours_remove: signedIn(
    'session',
    'In the home organization you need the `owner` role. In any other linked organization you need the ' +
      '`admin` role, or the `owner` role in the endeavour.',
  ),
  /** The role that ending the sharing of an endeavour requires in the organization that it is shared with. */
  organizations_unshare: onSecondEntity('organizations:write', 'admin'),
  organizations_domains_list: roleInOrganization('guest', 'organizations:read'),
  organizations_domains_get: roleInOrganization('guest', 'organizations:read'),
  organizations_domains_create: withProof(roleInOrganization('owner', 'session')),
  organizations_domains_verify: withProof(roleInOrganization('owner', 'session')),
  organizations_domains_confirm: withProof(administratorsOnly('session')),
  organizations_domains_delete: withProof(roleInOrganization('owner', 'session')),
  organizations_scim_tokens_list: roleInOrganization('owner', 'session'),
  organizations_scim_tokens_create: withProof(roleInOrganization('owner', 'session')),
  organizations_scim_tokens_delete: withProof(roleInOrganization('owner', 'session')),
  organizations_alert_terms_list: roleInOrganization('guest', 'organizations:read'),
  organizations_alert_terms_replace: roleInOrganization('admin', 'organizations:write'),
  organizations_alerts_list: roleInOrganization('admin', '*:read'),

  alerts_get: roleInOrganization('admin', '*:read'),

  organizations_archive_get: roleInOrganization('owner', 'organizations:read'),
  organizations_archive: roleInOrganization('owner', '*'),
  organizations_unarchive: roleInOrganization('owner', '*'),
  organizations_export_get: roleInOrganization('owner', '*:read'),
  organizations_delete: roleInOrganization('owner', 'session'),
  organizations_erasure_delete: roleInOrganization('owner', 'session'),

  endeavours_list: signedIn('endeavours:read'),
  endeavours_create: signedIn(
    'endeavours:write',
    'Any signed-in user can call this operation and becomes the owner. With organization_id, you need the ' +
      '`member` role in that organization.',
  ),
  endeavours_get: roleInEndeavour('viewer', 'endeavours:read'),
  endeavours_update: roleInEndeavour('admin', 'endeavours:write'),
  endeavours_by_external_put: roleInEndeavour(
    'member',
    'endeavours:write',
    'Creating needs the `member` role in the organization, changing the `admin` role in the endeavour.',
  ),
  endeavours_members_list: roleInEndeavour('viewer', 'endeavours:read'),
  endeavours_members_add: roleInEndeavour('admin', 'session', ROLE_LIMITS),
  endeavours_members_update: roleInEndeavour('admin', 'session', ROLE_LIMITS),
  endeavours_members_remove: forOthers('admin', roleInEndeavour('viewer', 'endeavours:write', SELF_REMOVAL)),
  endeavours_labels_list: roleInEndeavour('viewer', 'endeavours:read'),
  endeavours_labels_update: roleInEndeavour('admin', 'endeavours:write'),
  endeavours_archive_get: roleInEndeavour('owner', 'endeavours:read'),
  endeavours_archive: roleInEndeavour('owner', '*'),
  endeavours_unarchive: roleInEndeavour('owner', '*', HOME_OWNERS),
  endeavours_export_get: roleInEndeavour('owner', '*:read'),
  endeavours_dependencies_get: roleInEndeavour('viewer', ['endeavours:read', 'tasks:read']),
  endeavours_progress_get: roleInEndeavour('viewer', ['endeavours:read', 'tasks:read']),
  endeavours_roadmap_get: roleInEndeavour('viewer', ['endeavours:read', 'tasks:read', 'demands:read']),
  endeavours_load_get: roleInEndeavour('viewer', ['endeavours:read', 'tasks:read']),
  endeavours_calendar_get: roleInEndeavour('viewer', ['endeavours:read', 'tasks:read', 'demands:read', 'rituals:read']),
  endeavours_transfer: withProof(
    roleInEndeavour(
      'owner',
      'session',
      'You need the `owner` role in the home organization and the `admin` role in the target organization.',
    ),
  ),
  endeavours_delete: roleInEndeavour('owner', 'session', HOME_OWNERS),
  endeavours_erasure_delete: roleInEndeavour('owner', 'session', HOME_OWNERS),
  /** The role that transferring an endeavour to an organization requires there. */
  endeavours_take_home: onSecondEntity('endeavours:write', 'admin'),
  /** The role that linking and unlinking an endeavour requires in it. */
  endeavours_share: onSecondEntity('endeavours:write', 'owner'),
} satisfies Record<string, Permission>;
