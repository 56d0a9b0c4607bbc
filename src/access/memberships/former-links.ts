/** SQL: whether a link of the endeavour to the organization ended at or after a time. All parameters are SQL expressions. */
export const linkEndedSince = (organization: string, endeavour: string, time: string): string =>
  `EXISTS (SELECT 1 FROM former_links former WHERE former.organization_id = ${organization}
    AND former.endeavour_id = ${endeavour} AND former.ended_at >= ${time})`;
