import type { Erasing } from '../../platform/containment/erasing.js';

/** A token must not outlive its container, because it would lose its restriction. */
export const tokenErasing: Erasing = {
  kind: 'access_token',
  table: 'access_tokens',
  within: `SELECT a.id FROM access_tokens a WHERE a.endeavour_id = ANY($1::text[]) OR a.organization_id = $2::text`,
  // Waits for transactions that record a use of the tokens, and blocks new ones.
  before: ['SELECT 1 FROM access_tokens WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE'],
  parts: [
    ...['access_token_secrets', 'access_token_uses'].map((table) => ({ table, column: 'token_id' })),
    { table: 'oauth_items', column: 'grant_id' },
  ],
};
