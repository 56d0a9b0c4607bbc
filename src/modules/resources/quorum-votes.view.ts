/** SQL: whether there is a vote on the entity that has not lapsed. */
export const isVotedOn = (entity: string): string =>
  `EXISTS (SELECT 1 FROM quorum_votes v WHERE v.entity_id = ${entity} AND v.lapsed_at IS NULL)`;

/** SQL: whether the person behind the resource has a vote on the entity that has not lapsed. */
export const hasVotedOn = (entity: string, resource: string): string =>
  `EXISTS (SELECT 1 FROM quorum_votes v WHERE v.entity_id = ${entity} AND v.lapsed_at IS NULL
    AND person_behind(v.resource_id) = person_behind(${resource}))`;
