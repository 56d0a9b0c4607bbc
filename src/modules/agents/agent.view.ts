import { leftJoinUser } from '../../access/visibility/people.view.js';
import {
  defineView,
  id,
  withoutEventValue,
  metadata,
  nullable,
  oneOf,
  text,
  time,
  integer,
} from '../../platform/database/views/view.js';

export const AGENT_STATUSES = ['active', 'paused'] as const;
export type AgentStatus = (typeof AGENT_STATUSES)[number];

/** The representation of an agent for its manager and the admins of its organization. */
export const agentView = defineView({
  name: 'Agent',
  kind: 'user',
  table: 'users',
  alias: 'u',
  joins: leftJoinUser('boss', 'u.manager_id'),
  // GET represents an agent as a user.
  whenRead: () => null,
  fields: {
    id: id('u.id', 'user'),
    name: text('u.name'),
    status: oneOf("CASE WHEN u.status = 'active' THEN 'active' ELSE 'paused' END", AGENT_STATUSES),
    organization_id: id('u.agent_of', 'organization'),
    manager_id: nullable(id('u.manager_id', 'user')),
    manager_name: withoutEventValue(nullable(text('boss.name'))),
    resource_id: id('u.resource_id', 'resource'),
    lang: text('u.lang', 'A language as a BCP 47 tag.'),
    metadata: metadata('u.metadata'),
    created_at: time('u.created_at'),
    updated_at: time('u.updated_at'),
    revision: integer('u.revision'),
  },
});
