import type { Erasing } from '../../platform/containment/erasing.js';

/** The provisioning tokens of an organization are erased with it. */
export const scimTokenErasing: Erasing = { kind: 'scim_token', table: 'scim_tokens' };
