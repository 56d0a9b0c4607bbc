/** How much a tier allows; -1 is unlimited (spec 03). */
export interface TierLimits {
  max_orgs: number;
  max_active_endeavours: number;
  max_endeavours_per_org: number;
  max_agents_per_org: number;
  max_teams_per_org: number;
  max_creations_per_hour: number;
}

const limits = (
  max_orgs: number,
  max_active_endeavours: number,
  max_endeavours_per_org: number,
  max_agents_per_org: number,
  max_teams_per_org: number,
  max_creations_per_hour: number,
): TierLimits => ({
  max_orgs,
  max_active_endeavours,
  max_endeavours_per_org,
  max_agents_per_org,
  max_teams_per_org,
  max_creations_per_hour,
});

/** The tiers by number. */
export const TIERS: Readonly<Record<number, { name: string; limits: TierLimits }>> = {
  1: { name: 'explorer', limits: limits(1, 1, 3, 5, 5, 60) },
  2: { name: 'professional', limits: limits(5, 10, -1, 25, 25, 300) },
  3: { name: 'enterprise', limits: limits(-1, -1, -1, -1, -1, -1) },
};
