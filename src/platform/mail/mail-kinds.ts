/** Each kind of mails, and whether people wait for them, so that they are sent first. */
const IS_URGENT = {
  verification: true,
  password_reset: true,
  password_changed: true,
  invitation: false,
  link_invitation: false,
  email_change: true,
  email_changed: true,
  step_up: true,
  second_factor_enabled: true,
  second_factor_disabled: true,
  recovery_codes_replaced: true,
  recovery_code_used: true,
  passkey_added: true,
  passkey_removed: true,
  passkey_copied: true,
  identity_linked: true,
  identity_removed: true,
  provider_sign_in: true,
  domain_record_absent: false,
  domain_proof_ended: false,
  message_copy: false,
  message_copies: false,
  notifications: false,
  container_archived: false,
  container_erasure: false,
  container_erasure_stopped: false,
  endeavour_transfer_requested: false,
  endeavour_transferred: false,
  endeavour_unlinked: false,
  email_assigned: true,
  scim_token_expiring: false,
  last_owner_dismissed: false,
} as const;

/** The purpose of a mail; each kind has texts, and a feature that provides their values. */
export type MailKind = keyof typeof IS_URGENT;
export const MAIL_KINDS = Object.keys(IS_URGENT) as MailKind[];
export const URGENT_KINDS = MAIL_KINDS.filter((kind) => IS_URGENT[kind]);

/** The states of a mail: `lapsed` if it was no longer needed before sending, `failed` if it was given up. */
export const MAIL_STATUSES = ['pending', 'sent', 'failed', 'lapsed'] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];
