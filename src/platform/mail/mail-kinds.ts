/** The purpose of a mail; each kind has texts, and a feature that provides their values. */
export const MAIL_KINDS = [
  'verification',
  'password_reset',
  'password_changed',
  'invitation',
  'email_change',
  'email_changed',
  'step_up',
  'second_factor_enabled',
  'second_factor_disabled',
  'recovery_codes_replaced',
  'recovery_code_used',
  'passkey_added',
  'passkey_removed',
  'passkey_copied',
  'message_copy',
  'message_copies',
  'notifications',
  'container_archived',
  'container_erasure',
  'container_erasure_stopped',
  'endeavour_transfer_requested',
  'endeavour_transferred',
  'endeavour_unlinked',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** The states of a mail: `lapsed` if it was no longer needed before sending, `failed` if it was given up. */
export const MAIL_STATUSES = ['pending', 'sent', 'failed', 'lapsed'] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];
