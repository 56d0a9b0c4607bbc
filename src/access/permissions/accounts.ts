import {
  administratorsOnly,
  publicAccess,
  roleInOrganization,
  roleInContainer,
  signedIn,
  withoutSecondFactor,
  withProof,
  type Permission,
} from './permission.js';

const VISIBLE_ENTITIES_ONLY =
  'Any signed-in user can call this operation. It answers only for entities that you can see.';
const AGENT_MANAGERS = 'Only the manager of the agent or an admin of its organization can call this operation.';
const INVITATION_ADMINS = 'Only administrators and admins of the organization or endeavour can call this operation.';

const OF_THE_SERVICE = 'Providers without an organization are for administrators.';
const OWN_IDENTITIES = 'Only the user to whom the identity is linked can call this operation.';
const OWN_PASSKEYS = 'Only the user who owns the passkey can call this operation.';
const CODE_IS_PROOF = 'Any signed-in user can call this operation; the code proves that it is still you.';

/** Whom an invitation lets link an endeavour. */
const ADMINS_OF_LINKED = 'A link of an endeavour can only be accepted by admins of the organization to link.';

/** Who can call the operations on health, accounts, users, agents, tiers and invitations. */
export const ACCOUNT_PERMISSIONS = {
  health_live_get: publicAccess,
  health_ready_get: publicAccess,
  version_get: publicAccess,

  home: publicAccess,

  auth_register: publicAccess,
  auth_verify: publicAccess,
  auth_resend_verification: publicAccess,
  auth_verification_status_get: publicAccess,
  auth_login: publicAccess,
  auth_logout: withoutSecondFactor(signedIn('session')),
  auth_forgot_password: publicAccess,
  auth_reset_password: publicAccess,
  auth_change_password: signedIn('session'),
  auth_profile_update: signedIn('session'),
  auth_whoami_get: withoutSecondFactor(signedIn('any')),
  auth_can_get: signedIn('any', VISIBLE_ENTITIES_ONLY),
  auth_can_check: signedIn('any', VISIBLE_ENTITIES_ONLY),
  auth_delete_account: withoutSecondFactor(signedIn('session')),
  auth_my_data_get: withoutSecondFactor(signedIn('session')),
  auth_email_change: signedIn('session'),
  auth_email_verify: signedIn('session'),
  auth_email_pending_get: signedIn('session'),
  auth_email_cancel: signedIn('session'),
  auth_methods_get: publicAccess,
  auth_oidc_start: publicAccess,
  auth_oidc_finish: publicAccess,
  auth_oidc_logout: publicAccess,
  auth_identities_list: signedIn('session'),
  auth_identities_create: withProof(signedIn('session')),
  auth_identities_get: signedIn('session', OWN_IDENTITIES),
  auth_identities_delete: withProof(signedIn('session', OWN_IDENTITIES)),
  identity_providers_list: signedIn(
    'session',
    'Any signed-in user can call this operation. It lists the providers of organizations that you own; administrators ' +
      'see all.',
  ),
  identity_providers_create: withProof(
    roleInOrganization('owner', 'session', 'Without an organization, only administrators can call this operation.'),
  ),
  identity_providers_get: roleInOrganization('owner', 'session', OF_THE_SERVICE),
  identity_providers_update: withProof(roleInOrganization('owner', 'session', OF_THE_SERVICE)),
  identity_providers_delete: withProof(roleInOrganization('owner', 'session', OF_THE_SERVICE)),
  identity_providers_test: roleInOrganization('owner', 'session', OF_THE_SERVICE),
  oauth_clients_list: administratorsOnly('session'),
  oauth_clients_create: withProof(administratorsOnly('session')),
  oauth_clients_get: administratorsOnly('session'),
  oauth_clients_update: withProof(administratorsOnly('session')),
  oauth_clients_delete: withProof(administratorsOnly('session')),
  oauth_registration_tokens_list: administratorsOnly('session'),
  oauth_registration_tokens_create: withProof(administratorsOnly('session')),
  oauth_registration_tokens_delete: withProof(administratorsOnly('session')),
  auth_step_up: withoutSecondFactor(signedIn('session')),
  auth_step_up_code_create: withoutSecondFactor(signedIn('session')),
  auth_step_up_oidc_create: withoutSecondFactor(signedIn('session')),
  auth_step_up_options_create: withoutSecondFactor(signedIn('session')),
  auth_passkeys_list: withoutSecondFactor(signedIn('session')),
  auth_passkeys_options_create: withoutSecondFactor(withProof(signedIn('session'))),
  auth_passkeys_create: withoutSecondFactor(withProof(signedIn('session'))),
  auth_passkeys_login_options_create: publicAccess,
  auth_passkeys_login: publicAccess,
  auth_passkeys_get: signedIn('session', OWN_PASSKEYS),
  auth_passkeys_update: signedIn('session', OWN_PASSKEYS),
  auth_passkeys_delete: withProof(signedIn('session', OWN_PASSKEYS)),
  auth_totp_status_get: withoutSecondFactor(signedIn('session')),
  auth_totp_setup: withoutSecondFactor(withProof(signedIn('session'))),
  auth_totp_enable: withoutSecondFactor(withProof(signedIn('session'))),
  auth_totp_disable: signedIn('session', CODE_IS_PROOF),
  auth_totp_recovery_codes_create: withoutSecondFactor(signedIn('session', CODE_IS_PROOF)),
  auth_totp_verify: publicAccess,
  auth_sessions_list: signedIn('session'),
  auth_sessions_delete: signedIn('session', 'Only the user who owns the session can call this operation.'),
  auth_sessions_delete_others: signedIn('session'),
  auth_grants_list: signedIn('session'),
  auth_grants_delete: signedIn('session', 'Only the user whose grant it is can call this operation.'),
  auth_consents_preview: signedIn('session'),
  auth_consents_create: withProof(signedIn('session')),
  auth_consents_refuse: signedIn('session'),
  auth_tokens_list: signedIn('session'),
  auth_tokens_create: withProof(signedIn('session')),
  auth_tokens_get: signedIn('session', 'Only the user who owns the token can call this operation.'),
  auth_tokens_update: signedIn('session', 'Only the user who owns the token can call this operation.'),
  auth_tokens_rotate: withProof(signedIn('session', 'Only the user who owns the token can call this operation.')),
  auth_tokens_delete: signedIn('session', 'Only the user who owns the token can call this operation.'),

  users_list: administratorsOnly('users:read'),
  users_create: administratorsOnly('session'),
  users_delete: withProof(administratorsOnly('session')),
  users_get: signedIn(
    'users:read',
    'Visible to the user and to administrators, and with fewer fields to people who share an organization or ' +
      'endeavour with the user.',
  ),
  users_update: signedIn(
    'users:write',
    'Users can change their own name, lang, timezone and email_copy. Only administrators can change the rest.',
  ),
  users_endeavours_add: signedIn(
    'session',
    'You need the `admin` role in the endeavour. The user must share an organization or endeavour with you.',
  ),

  agents_list: signedIn(
    'session',
    'Any signed-in user can call this operation. It lists the agents that you manage, and the agents of ' +
      'organizations where you are admin.',
  ),
  agents_create: roleInOrganization('admin', 'session'),
  agents_update: signedIn('session', AGENT_MANAGERS),
  agents_delete: signedIn('session', AGENT_MANAGERS),
  agents_tokens_create: withProof(signedIn('session', AGENT_MANAGERS)),

  tiers_list: administratorsOnly('users:read'),
  tiers_update: administratorsOnly('users:write'),

  invitations_list: signedIn('organizations:read', INVITATION_ADMINS),
  invitations_create: roleInContainer(
    'admin',
    'session',
    'Without an organization and an endeavour, only administrators can call this operation. A link of an endeavour can only ' +
      'be offered by owners of its home organization.',
  ),
  invitations_bulk: roleInContainer(
    'admin',
    'session',
    'Without an organization and an endeavour, only administrators can invite. A link of an endeavour can only be offered by ' +
      'owners of its home organization.',
  ),
  invitations_delete: signedIn('organizations:write', INVITATION_ADMINS),
  invitations_get: signedIn(
    'organizations:read',
    'Only administrators, admins of the organization or endeavour, and the invited person can call this ' +
      'operation.',
  ),
  invitations_update: signedIn(
    'session',
    'Only administrators and admins of the organization and the endeavour can call this operation.',
  ),
  invitations_accept: signedIn('session', ADMINS_OF_LINKED),
  invitations_accept_own: signedIn('session', `Only the invited person can call this operation. ${ADMINS_OF_LINKED}`),
  invitations_refuse: signedIn('organizations:write', 'Only the invited person can call this operation.'),
} satisfies Record<string, Permission>;
