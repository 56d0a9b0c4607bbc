import { resourceOfUser } from '../../access/visibility/people.view.js';

/** SQL: the resources behind the users and resources that `by` names in the conditions, as JSON by the named id. */
export const namedResources = (conditions: string): string => `SELECT json_object_agg(named.by,
    coalesce(${resourceOfUser('named.by')}, named.by))
  FROM (SELECT DISTINCT c->'params'->>'by' AS by FROM jsonb_array_elements(${conditions}) c
    WHERE c->'params'->>'by' ~ '^(usr|res)_') named`;
