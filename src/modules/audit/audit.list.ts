import { AUDIT_ACTIONS } from '../../common/audit.js';
import type { Filter, ListDefinition } from '../../platform/listing/definition.js';
import { ANY_KIND, idFilter, oneOfFilter, resourceFilter } from '../../platform/listing/filters.js';
import { timeFilter } from '../../platform/listing/time-filters.js';
import { auditView } from './audit.view.js';

const OWNED = (me: string): string => `ARRAY(SELECT m.organization_id FROM organization_resources m
  WHERE m.user_id = ${me} AND m.role = 'owner')`;

/** SQL: whether the entry is in the container that the access token is restricted to, if any. */
const WITHIN = `coalesce(current_setting('worksmith.container', true), '') IN ('', a.organization_id, a.endeavour_id)`;

/** Names of actions that clients of other servers use. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  login_success: 'session.created',
  login_failure: 'sign_in.failed',
};
const action = oneOfFilter('a.action', AUDIT_ACTIONS);
const named: Filter = {
  ...action,
  parse: (raw) => action.parse(raw.replaceAll(/[a-z_]+$|[a-z_]+(?=,)/g, (name) => OTHER_NAMES[name] ?? name)),
};
const from = timeFilter({ instant: 'a.occurred_at' }, 'after');
const to = timeFilter({ instant: 'a.occurred_at' }, 'before');

/** Lists audit entries: all entries for administrators, and the entries of their organizations for owners. */
export const auditList: ListDefinition = {
  view: auditView,
  scope: ({ me }) => `(a.organization_id = ANY(${OWNED(me)}) OR a.former_organization_id = ANY(${OWNED(me)}))
    AND ${WITHIN}`,
  filters: {
    actor_id: resourceFilter('a.actor_id', 'Acts of this resource.'),
    action: named,
    entity_id: idFilter('a.entity_id', ANY_KIND, 'Acts on this entity.'),
    organization_id: idFilter(
      (organizationIds, { bind }) => {
        const ids = `ANY(${bind(organizationIds)}::text[])`;
        return `(a.organization_id = ${ids} OR a.former_organization_id = ${ids})`;
      },
      'organization',
      'Acts in this organization, or in an endeavour whose home it was at the time.',
    ),
    from,
    to,
    start_time: from,
    end_time: to,
  },
  sorts: { occurred_at: { sql: 'a.occurred_at', type: 'timestamptz' } },
  defaultSort: '-occurred_at',
};

/** Lists the caller's own acts and the acts that concern the caller's account, also for administrators. */
export const ownAuditList: ListDefinition = {
  ...auditList,
  scope: (statement) => `(a.actor_id = ${statement.myResource()} OR a.user_id = ${statement.me}) AND ${WITHIN}`,
};
