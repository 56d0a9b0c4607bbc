/** What a message is meant to bring about. */
export const INTENTS = ['info', 'question', 'action', 'alert'] as const;
export type Intent = (typeof INTENTS)[number];

/** Where a message can be sent to as a whole. */
export const MESSAGE_SCOPES = ['endeavour', 'organization'] as const;
export type MessageScope = (typeof MESSAGE_SCOPES)[number];

/** How a message reached the inbox that it is in: there alone, or by e-mail as well. */
export const CHANNELS = ['inbox', 'email'] as const;

/** What a message is to one who got it. */
export const INBOX_STATUSES = ['delivered', 'read'] as const;
