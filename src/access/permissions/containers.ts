import { needsRole, forOthers, onSecondEntity, signedIn, type Permission } from './permission.js';

/** Who can call the operations on organizations and endeavours. */
export const CONTAINER_PERMISSIONS = {
  organizations_list: signedIn(),
  organizations_create: signedIn('Any signed-in user can call this operation and becomes the owner.'),
  organizations_get: needsRole('guest'),
  organizations_update: needsRole('admin'),
  /** The role that creating an endeavour in an organization requires there. */
  organizations_take_in: onSecondEntity('member'),
  organizations_members_list: needsRole('guest'),
  organizations_members_add: needsRole(
    'admin',
    'You cannot grant a role above your own, and only owners can change owner roles.',
  ),
  organizations_members_update: needsRole(
    'admin',
    'You cannot grant a role above your own, and only owners can change owner roles.',
  ),
  organizations_members_remove: forOthers(
    'admin',
    needsRole('guest', 'You can remove yourself; removing another member needs the `admin` role.'),
  ),
  organizations_resources_add: needsRole(
    'admin',
    'You must also be the creator of a resource without a home organization, or an owner of its home ' +
      'organization.',
  ),
  organizations_resources_remove: forOthers(
    'admin',
    signedIn(
      'Members can remove themselves; admins can remove any member. A resource can also be removed by owners of ' +
        'its home organization, and by admins of either organization.',
    ),
  ),
  organizations_endeavours_add: needsRole(
    'admin',
    'You must also be an owner of the home organization of the endeavour, or of the endeavour if it has no ' +
      'home organization.',
  ),
  organizations_endeavours_remove: signedIn(
    'In the home organization you need the `owner` role. In any other linked organization you need the ' +
      '`admin` role, or the `owner` role in the endeavour.',
  ),
  /** The role that ending the sharing of an endeavour requires in the organization that it is shared with. */
  organizations_unshare: onSecondEntity('admin'),
  organizations_alert_terms_list: needsRole('guest'),
  organizations_alert_terms_replace: needsRole('admin'),
  organizations_alerts_list: needsRole('admin'),

  alerts_get: needsRole('admin'),

  organizations_archive_get: needsRole('owner'),
  organizations_archive: needsRole('owner'),
  organizations_unarchive: needsRole('owner'),
  organizations_export_get: needsRole('owner'),
  organizations_delete: needsRole('owner'),
  organizations_erasure_delete: needsRole('owner'),

  endeavours_list: signedIn(),
  endeavours_create: signedIn(
    'Any signed-in user can call this operation and becomes the owner. With organization_id, you need the ' +
      '`member` role in that organization.',
  ),
  endeavours_get: needsRole('viewer'),
  endeavours_update: needsRole('admin'),
  endeavours_by_external_put: needsRole(
    'member',
    'Creating needs the `member` role in the organization, changing the `admin` role in the endeavour.',
  ),
  endeavours_members_list: needsRole('viewer'),
  endeavours_members_add: needsRole(
    'admin',
    'You cannot grant a role above your own, and only owners can change owner roles.',
  ),
  endeavours_members_update: needsRole(
    'admin',
    'You cannot grant a role above your own, and only owners can change owner roles.',
  ),
  endeavours_members_remove: forOthers(
    'admin',
    needsRole('viewer', 'You can remove yourself; removing another member needs the `admin` role.'),
  ),
  endeavours_archive_get: needsRole('owner'),
  endeavours_archive: needsRole('owner'),
  endeavours_unarchive: needsRole(
    'owner',
    'If the endeavour has a home organization, you need the `owner` role there.',
  ),
  endeavours_export_get: needsRole('owner'),
  endeavours_dependencies_get: needsRole('viewer'),
  endeavours_progress_get: needsRole('viewer'),
  endeavours_load_get: needsRole('viewer'),
  endeavours_calendar_get: needsRole('viewer'),
  endeavours_transfer: needsRole(
    'owner',
    'You need the `owner` role in the home organization and the `admin` role in the target organization.',
  ),
  endeavours_delete: needsRole('owner', 'If the endeavour has a home organization, you need the `owner` role there.'),
  endeavours_erasure_delete: needsRole(
    'owner',
    'If the endeavour has a home organization, you need the `owner` role there.',
  ),
  /** The role that transferring an endeavour to an organization requires there. */
  endeavours_take_home: onSecondEntity('admin'),
  /** The role that linking and unlinking an endeavour requires in it. */
  endeavours_share: onSecondEntity('owner'),
} satisfies Record<string, Permission>;
