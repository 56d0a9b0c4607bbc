import { joinTeamMembers, resourceOfUser } from '../../access/visibility/people.view.js';
import { isWatching } from '../watches/watch.view.js';
import { joinTask } from '../tasks/task-references.view.js';

/** SQL: whether the person of the notification `n` is the resource, or a member of this team. */
const isTheirs = (resource: string): string => `(${resource} = ${resourceOfUser('n.user_id')}
  OR EXISTS (SELECT 1 FROM entities team ${joinTeamMembers('m', 'team.id')}
    WHERE team.id = ${resource} AND m.resource_id = ${resourceOfUser('n.user_id')}))`;

/** SQL: whether an open task of the notification `n` meets the condition on `t`. */
const isOpenTask = (condition: string): string => `EXISTS (SELECT 1 FROM entities held ${joinTask('t', 'held.id')}
  WHERE held.id = n.entity_id AND t.status IN ('planned', 'active') AND ${condition})`;

/**
 * SQL: the reasons of the notification `n` that still hold: not those about a task that was closed, assigned to another person or
 * postponed since, or about what the person no longer watches.
 */
export const STANDING_KINDS = `ARRAY(SELECT k.kind FROM unnest(n.kinds) WITH ORDINALITY AS k (kind, place)
  WHERE CASE WHEN k.kind = 'watching' THEN ${isWatching(resourceOfUser('n.user_id'), 'n.entity_id')}
    WHEN n.entity_type <> 'task' THEN true
    WHEN k.kind = 'assigned' THEN ${isOpenTask(isTheirs('t.assignee_id'))}
    WHEN k.kind = 'due' THEN ${isOpenTask(`t.due_date <= n.occurred_at + interval '1 day' AND ${isTheirs('coalesce(t.assignee_id, t.owner_id)')}`)}
    ELSE true END
  ORDER BY k.place)`;

/** SQL: whether any reason of the notification `n` still holds. */
export const IS_STANDING = `cardinality(${STANDING_KINDS}) > 0`;
