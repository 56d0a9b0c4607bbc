/** SQL for whether a vote on the entity is under way. */
export const isVotedOn = (entity: string): string =>
  `EXISTS (SELECT 1 FROM quorum_votes v WHERE v.entity_id = ${entity} AND v.lapsed_at IS NULL)`;

/** SQL for whether the person behind the resource has voted in it. */
export const hasVotedOn = (entity: string, resource: string): string =>
  `EXISTS (SELECT 1 FROM quorum_votes v WHERE v.entity_id = ${entity} AND v.lapsed_at IS NULL
    AND person_behind(v.resource_id) = person_behind(${resource}))`;
