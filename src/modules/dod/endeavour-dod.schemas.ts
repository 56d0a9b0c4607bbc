import { exactly, viewSchema } from '../../platform/http/schemas.js';
import { conditionResultSchema } from './check.view.js';
import { endorsementView } from './endorsement.view.js';
import { policyView } from './policy.view.js';

const text = { type: 'string' };
const count = { type: 'integer' };
const listOf = (items: object) => ({ type: 'array', items });

export const dodStatusSchema = exactly({
  endeavour_id: text,
  policy: { anyOf: [viewSchema(policyView), { type: 'null' }] },
  endorsements: listOf(viewSchema(endorsementView)),
  members_without_endorsement: listOf(exactly({ user_id: text, resource_id: text, name: text })),
  tasks: exactly({ met: count, not_met: count, overridden: count }),
});

const assigned = exactly({ endeavour_id: text, policy_id: text, status: { type: 'string', enum: ['assigned'] } });
const impact = exactly({
  endeavour_id: text,
  policy_id: text,
  status: { type: 'string', enum: ['dry_run'] },
  failing_tasks: listOf(exactly({ id: text, title: text, conditions: listOf(conditionResultSchema) })),
  lapsing_endorsements: listOf(text),
});

/** What assigning a policy answers, or, with dry_run, what it would do. */
export const assignmentSchema = { anyOf: [assigned, impact] };

export const unassignedSchema = exactly({ endeavour_id: text, status: { type: 'string', enum: ['unassigned'] } });
