import { forManagersTokens, roleInEndeavour, roleInContainer, signedIn, type Permission } from './permission.js';

/** Who can call the operations on the Definition of Done. */
export const DOD_PERMISSIONS = {
  dod_policies_list: signedIn('dod:read'),
  dod_policies_create: roleInContainer(
    'admin',
    'dod:write',
    'Only administrators can create global policies. Any signed-in user can create personal ones.',
  ),
  dod_policies_get: signedIn(
    'dod:read',
    'Global policies are visible to every signed-in user, policies of an organization to its members, ' +
      'policies of an endeavour to its viewers, and personal policies to their creator and to viewers of the ' +
      'endeavours that they are assigned to.',
  ),
  dod_policies_update: roleInContainer(
    'admin',
    'dod:write',
    'Only administrators can change global policies. Only the creator can change a personal policy.',
  ),
  dod_policies_lineage_list: signedIn('dod:read', 'The policy must be visible to you.'),
  dod_policies_diff_get: signedIn('dod:read', 'Both policies must be visible to you.'),
  dod_policies_versions_create: signedIn(
    'dod:write',
    'You must be allowed to change the policy. To copy a built-in policy into an organization or endeavour, ' +
      'you need the `admin` role there.',
  ),
  endeavours_dod_policy_set: roleInEndeavour('admin', 'dod:write'),
  endeavours_dod_policy_remove: roleInEndeavour('admin', 'dod:write'),
  endeavours_dod_status_get: roleInEndeavour('viewer', ['dod:read', 'tasks:read']),
  tasks_dod_check_run: roleInEndeavour('viewer', 'dod:write'),
  tasks_dod_checks_list: roleInEndeavour('viewer', 'dod:read'),
  dod_checks_get: roleInEndeavour('viewer', 'dod:read'),
  tasks_dod_override_set: forManagersTokens(roleInEndeavour('admin', 'dod:write')),
  tasks_dod_override_remove: forManagersTokens(roleInEndeavour('admin', 'dod:write')),
  tasks_dod_results_list: roleInEndeavour('viewer', 'dod:read'),
  tasks_dod_results_create: forManagersTokens(
    roleInEndeavour('member', 'dod:write', 'The policy can restrict who may post results.'),
  ),
  dod_results_get: roleInEndeavour('viewer', 'dod:read'),
  dod_endorsements_list: signedIn('dod:read'),
  dod_endorsements_create: forManagersTokens(roleInEndeavour('member', 'dod:write')),
  dod_endorsements_bulk: forManagersTokens(roleInEndeavour('member', 'dod:write')),
  dod_endorsements_get: roleInEndeavour('viewer', 'dod:read'),
  dod_endorsements_delete: forManagersTokens(
    roleInEndeavour('viewer', 'dod:write', 'Only the person who gave the endorsement can withdraw it.'),
  ),
} satisfies Record<string, Permission>;
