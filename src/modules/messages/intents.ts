/** What a message is meant to bring about. */
export const INTENTS = ['info', 'question', 'action', 'alert'] as const;
export type Intent = (typeof INTENTS)[number];

/** Where a message can be sent to as a whole. */
export const SCOPES = ['endeavour', 'organization'] as const;
export type Scope = (typeof SCOPES)[number];
