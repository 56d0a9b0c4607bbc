/**
 * SQL for the home organization of an endeavour, null if it has none: the organization that owns it, as opposed to
 * those that it is only shared with. `endeavour` is an expression for the endeavour's id.
 */
export const homeOrganizationOf = (endeavour: string): string =>
  `(SELECT home.organization_id FROM endeavours home WHERE home.id = ${endeavour})`;
