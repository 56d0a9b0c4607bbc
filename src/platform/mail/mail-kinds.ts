/** The purpose of a mail; each kind has its texts, and a feature that provides their values. */
export const MAIL_KINDS = [
  'verification',
  'password_reset',
  'password_changed',
  'invitation',
  'email_change',
  'email_changed',
  'message_copy',
  'notifications',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** What becomes of a mail: `lapsed` is one whose cause was gone before it left, `failed` one that was given up. */
export const MAIL_STATUSES = ['pending', 'sent', 'failed', 'lapsed'] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];
