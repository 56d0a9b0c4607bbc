import { defineView, id, nullable, oneOf, text, time } from '../../../platform/database/views/view.js';
import { RESOURCE_STATUSES, RESOURCE_TYPES } from '../resource.entity.js';

/** Team members as rows with an id, which is that of the member, because it is unique within a team. */
const table = '(SELECT resource_id AS id, team_id, role, joined_at FROM team_members)';

/** A member of a team. */
export const teamMemberView = defineView({
  name: 'TeamMember',
  kind: 'resource',
  table,
  alias: 'm',
  joins: 'JOIN resources r ON r.id = m.id',
  fields: {
    team_id: id('m.team_id', 'resource'),
    resource_id: id('m.id', 'resource'),
    name: text('r.name'),
    type: oneOf('r.type', RESOURCE_TYPES),
    status: oneOf('r.status', RESOURCE_STATUSES),
    role: nullable(text('m.role', 'The function of the member in the team, in your own words.')),
    joined_at: time('m.joined_at'),
  },
});
