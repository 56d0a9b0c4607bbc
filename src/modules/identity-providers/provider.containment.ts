import type { Erasing } from '../../platform/containment/erasing.js';

/** What the providers of an organization call people is erased with them. */
export const identityErasing: Erasing = {
  kind: 'identity',
  table: 'identities',
  within: `SELECT i.id FROM identities i JOIN identity_providers p ON p.id = i.provider_id
    WHERE p.organization_id = $2::text AND ($1::text[] IS NULL OR true)`,
};

export const providerErasing: Erasing = {
  kind: 'identity_provider',
  table: 'identity_providers',
  after: ['identity'],
  parts: ['oidc_flows', 'logout_tokens'].map((table) => ({ table, column: 'provider_id' })),
  references: [
    { table: 'sessions', column: 'provider_id', with: ['provider_subject', 'provider_sid', 'end_session_url'] },
  ],
};
