/** The names of the limits of a tier, in the order of display. */
export const TIER_LIMITS = [
  'max_orgs',
  'max_active_endeavours',
  'max_endeavours_per_org',
  'max_agents_per_org',
  'max_teams_per_org',
  'max_creations_per_hour',
] as const;

/** The limits of a tier; -1 is unlimited (spec 03). */
export type TierLimits = Record<(typeof TIER_LIMITS)[number], number>;

/** Picks the limits from the columns of a row. */
export const limitsIn = (row: TierLimits): TierLimits =>
  Object.fromEntries(TIER_LIMITS.map((name) => [name, row[name]])) as TierLimits;
