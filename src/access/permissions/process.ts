import { roleInContainer, signedIn, type Permission } from './permission.js';

/** Who can call the operations on templates, reports and rituals. */
export const PROCESS_PERMISSIONS = {
  templates_list: signedIn('templates:read'),
  templates_create: roleInContainer(
    'admin',
    'templates:write',
    'Only administrators can create global templates. Any signed-in user can create personal ones.',
  ),
  templates_get: signedIn(
    'templates:read',
    'Global templates are visible to every signed-in user, templates of an organization to its members, and ' +
      'personal templates to their creator.',
  ),
  templates_update: roleInContainer(
    'admin',
    'templates:write',
    'Only administrators can change global templates. Only the creator can change a personal template.',
  ),
  templates_fork: signedIn(
    'templates:write',
    'The template must be visible to you. To fork it into an organization, you need the `admin` role there.',
  ),
  templates_lineage_list: signedIn('templates:read', 'The template must be visible to you.'),
  templates_diff_get: signedIn('templates:read', 'Both templates must be visible to you.'),
  templates_preview: signedIn('*:read', 'The template and the entity must be visible to you.'),

  reports_get: signedIn('*:read', 'The entity must be visible to you.'),

  rituals_list: signedIn('rituals:read'),
  rituals_create: roleInContainer(
    'admin',
    'rituals:write',
    'Any signed-in user can create rituals without an endeavour.',
  ),
  rituals_get: signedIn(
    'rituals:read',
    'Built-in rituals are visible to every signed-in user, rituals of an endeavour to its viewers, and ' +
      'personal rituals to their creator.',
  ),
  rituals_update: roleInContainer('admin', 'rituals:write', 'Only the creator can change a personal ritual.'),
  rituals_fork: signedIn(
    'rituals:write',
    'The ritual must be visible to you. To fork it into an endeavour or organization, you need the `admin` ' +
      'role there.',
  ),
  rituals_lineage_list: signedIn('rituals:read', 'The ritual must be visible to you.'),
  rituals_diff_get: signedIn('rituals:read', 'Both rituals must be visible to you.'),
  rituals_occurrences_list: signedIn('rituals:read', 'The ritual must be visible to you.'),

  ritual_runs_list: signedIn('rituals:read'),
  ritual_runs_create: roleInContainer('member', 'rituals:write', 'Only the creator can run a personal ritual.'),
  ritual_runs_get: signedIn('rituals:read', 'The ritual must be visible to you.'),
  ritual_runs_update: roleInContainer(
    'member',
    'rituals:write',
    'Only the creator can change runs of a personal ritual.',
  ),
} satisfies Record<string, Permission>;
