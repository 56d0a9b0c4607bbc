/**
 * SQL: the home organization of an endeavour, which owns it, unlike organizations that it is only shared with; null if it
 * has none. `endeavour` is an expression for the id of the endeavour.
 */
export const homeOrganizationOf = (endeavour: string): string =>
  `(SELECT home.organization_id FROM endeavours home WHERE home.id = ${endeavour})`;
