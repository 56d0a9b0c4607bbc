import { membersOfTeam } from '../../access/visibility/people.view.js';
import { APPROVED_TASK, CHANGE_SINCE, IS_IN_ROUND } from './approved-content.view.js';

/** SQL: whether the resource, or a member of it if it is a team, has given a verdict on the entity after that time. */
export const hasGivenVerdict = (entity: string, resource: string, since: string): string =>
  `EXISTS (SELECT 1 FROM approvals a WHERE a.entity_id = ${entity} AND a.created_at > ${since} AND (
    a.approver_id = ${resource} OR a.approver_id IN (${membersOfTeam(resource)})))`;

/** SQL: whether a current verdict of the resource in one of these roles, an array, applies to the current content and round. */
export const hasApproved = (entity: string, resource: string, roles: string): string =>
  `EXISTS (SELECT 1 FROM approvals a ${CHANGE_SINCE} ${APPROVED_TASK}
    WHERE a.entity_id = ${entity} AND a.approver_id = ${resource} AND a.is_current AND a.role = ANY(${roles})
      AND change.at IS NULL AND ${IS_IN_ROUND})`;

/** SQL: the resources that gave the approvals among these ids, an array. */
export const approversAmong = (ids: string): string =>
  `ARRAY(SELECT DISTINCT a.approver_id FROM approvals a WHERE a.id = ANY(${ids}) ORDER BY 1)`;
