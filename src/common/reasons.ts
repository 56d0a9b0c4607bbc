/** The stable values of `details.reason` of a `forbidden` error that no higher role would prevent. */
export const FORBIDDEN_REASONS = [
  'identity_unknown',
  'invitation_required',
  'link_required',
  'network_not_allowed',
  'managers_token_required',
  'proof_required',
  'scope_required',
  'second_factor_required',
  'session_required',
  'sso_required',
  'token_restricted',
] as const;

/** The stable values of `details.reason` of a conflict; clients switch on them. */
export const CONFLICT_REASONS = [
  'already_dismissed',
  'already_enabled',
  'already_endorsed',
  'already_given',
  'already_invited',
  'ambiguous_key',
  'built_in',
  'claimed',
  'completed',
  'cycle',
  'demand_fulfilled',
  'derived',
  'domain_claimed',
  'domain_taken',
  'duplicate',
  'duplicate_relation',
  'email_taken',
  'erasure_requested',
  'evidence',
  'external_ref_taken',
  'finished',
  'has_parent',
  'identity_taken',
  'in_use',
  'key_taken',
  'last_admin',
  'last_credential',
  'last_owner',
  'managed',
  'managed_agent',
  'name_servers_silent',
  'no_erasure',
  'no_home',
  'no_policy',
  'no_recipient',
  'no_sender',
  'no_template',
  'no_way_in',
  'not_a_rejection',
  'not_a_team',
  'not_active',
  'not_archived',
  'not_assigned',
  'not_cancelable',
  'not_current',
  'not_in_force',
  'open_tasks',
  'passkeys_off',
  'provider_unreachable',
  'record_absent',
  'replaced',
  'ritual_archived',
  'run_ended',
  'second_owner_required',
  'suspended',
  'token_expired',
  'too_deep',
  'too_large',
  'too_many_dependencies',
  'too_many_domains',
  'too_many_passkeys',
  'too_many_providers',
  'too_many_tokens',
  'too_many_webhooks',
  'user_resource',
] as const;

export type ConflictReason = (typeof CONFLICT_REASONS)[number];

/**
 * The conflict reason of a unique constraint: its name without the table if that is a documented reason, otherwise
 * `duplicate`.
 */
export function reasonOfConstraint(constraint: string): ConflictReason {
  const name = constraint.replace(/_(key|idx|pkey)$/, '');
  return CONFLICT_REASONS.find((reason) => name === reason || name.endsWith(`_${reason}`)) ?? 'duplicate';
}
