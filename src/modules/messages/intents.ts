/** The purposes of messages. */
export const INTENTS = ['info', 'question', 'action', 'alert'] as const;
export type Intent = (typeof INTENTS)[number];

/** The containers to whose members a message can be sent. */
export const MESSAGE_SCOPES = ['endeavour', 'organization'] as const;
export type MessageScope = (typeof MESSAGE_SCOPES)[number];

/** How a message was delivered: only to the inbox, or also by e-mail. */
export const CHANNELS = ['inbox', 'email'] as const;

/** The statuses of a message in an inbox. */
export const INBOX_STATUSES = ['delivered', 'read'] as const;
