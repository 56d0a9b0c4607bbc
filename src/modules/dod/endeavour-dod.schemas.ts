import { component, enveloped, exactly, listed, viewSchema } from '../../platform/http/openapi/schemas.js';
import { conditionResultSchema } from './results/check.view.js';
import { endorsementView } from './endorsements/endorsement.view.js';
import { policyView } from './policies/policy.view.js';

const text = { type: 'string' };
const count = { type: 'integer' };
const listOf = (items: object) => ({ type: 'array', items });
const truncated = {
  type: 'boolean',
  description: 'Whether the endeavour has more than 1,000 tasks, of which only the first 1,000 were checked.',
};

const unmetTask = component('UnmetTask', exactly({ id: text, title: text, conditions: listOf(conditionResultSchema) }));

const status = component(
  'DodStatus',
  exactly({
    endeavour_id: text,
    policy: { anyOf: [viewSchema(policyView), { type: 'null' }] },
    endorsements: {
      ...listOf(viewSchema(endorsementView)),
      maxItems: 200,
      description: 'The endorsements in the endeavour, active ones first; GET /dod-endorsements lists all.',
    },
    endorsement_counts: exactly({ active: count, superseded: count }),
    members_without_endorsement: listOf(exactly({ user_id: text, resource_id: text, name: text })),
    more_without_endorsement: { ...count, description: 'The number of members beyond the 50 that are listed.' },
    tasks: exactly({ met: count, not_met: count, overridden: count }),
    truncated,
  }),
);

/** The DoD status of an endeavour; with `tasks=not_met`, the tasks that do not meet its policy. */
export const dodStatusDocument = { oneOf: [enveloped(status), listed(unmetTask)] };

/** The result of assigning a policy; with `dry_run`, the preview. */
export const assignmentSchema = component(
  'DodPolicyAssignment',
  exactly(
    { endeavour_id: text, policy_id: text, status: { type: 'string', enum: ['assigned', 'dry_run'] } },
    {
      failing_tasks: {
        ...listOf(unmetTask),
        description: 'With dry_run: the open tasks that would not meet the policy.',
      },
      lapsing_endorsements: { ...listOf(text), description: 'With dry_run: the endorsements that would end.' },
      truncated: {
        type: 'boolean',
        description:
          'With dry_run: whether failing_tasks may be incomplete, because the endeavour has more than 1,000 open tasks, ' +
          'of which only the first 1,000 were checked, or because the texts of the tasks that are listed are very long.',
      },
    },
  ),
);

export const unassignedSchema = exactly({ endeavour_id: text, status: { type: 'string', enum: ['unassigned'] } });
