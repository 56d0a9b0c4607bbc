/** As what somebody has work. */
export const HOLDINGS = ['assigned', 'owned'] as const;
export type Holding = (typeof HOLDINGS)[number];
