/** The kinds that can be approved. */
export const APPROVED_KINDS = ['task', 'demand', 'endeavour', 'artifact', 'ritual', 'dod_policy'] as const;
export type ApprovedKind = (typeof APPROVED_KINDS)[number];
