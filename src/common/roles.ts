/** Roles in an organization, lowest first; the position is the rank that SQL compares (1 to 4). */
export const ORGANIZATION_ROLES = ['guest', 'member', 'admin', 'owner'] as const;
/** Roles in an endeavour, lowest first; each has the same rank as the organization role that grants it. */
export const ENDEAVOUR_ROLES = ['viewer', 'member', 'admin', 'owner'] as const;

export type OrganizationRole = (typeof ORGANIZATION_ROLES)[number];
export type EndeavourRole = (typeof ENDEAVOUR_ROLES)[number];
export type Role = OrganizationRole | EndeavourRole;

/** 1 (guest, viewer) to 4 (owner). */
export function rankOf(role: Role): number {
  const rank = Math.max(
    ORGANIZATION_ROLES.indexOf(role as OrganizationRole),
    ENDEAVOUR_ROLES.indexOf(role as EndeavourRole),
  );
  return rank + 1;
}
