import type { JsonSchema } from '../../../platform/database/views/view.js';
import { idOf } from '../../../platform/http/bodies/fields/links.js';
import { component, exactly } from '../../../platform/http/openapi/schemas.js';
import { GOAL_STATUSES } from '../../endeavours/goals/goals.js';
import { iterationLifecycle } from '../../iterations/iteration.lifecycle.js';
import { demandLifecycle } from '../demand.lifecycle.js';

const day: JsonSchema = { type: 'string', format: 'date' };
const optionalDay = (description: string): JsonSchema => ({ type: ['string', 'null'], format: 'date', description });
const optionalId = (kind: 'goal' | 'iteration'): JsonSchema => ({ ...idOf(kind), type: ['string', 'null'] });
const text: JsonSchema = { type: 'string' };
const number = (description: string): JsonSchema => ({ type: 'integer', description });

const counts = component(
  'WorkForGoal',
  exactly({
    open: number('Those that are neither done or fulfilled, nor canceled.'),
    done: number('Those that are done or fulfilled.'),
    canceled: number('Those that are canceled.'),
  }),
);

const goal = component(
  'RoadmapGoal',
  exactly({
    id: idOf('goal'),
    title: text,
    status: { type: 'string', enum: [...GOAL_STATUSES] },
    due_day: optionalDay('The day by which it is to be achieved.'),
    tasks: counts,
    demands: counts,
  }),
);

const iteration = component(
  'RoadmapIteration',
  exactly({
    id: idOf('iteration'),
    name: text,
    status: { type: 'string', enum: [...iterationLifecycle.statuses] },
    start_day: day,
    end_day: day,
  }),
);

const demand = component(
  'RoadmapDemand',
  exactly({
    id: idOf('demand'),
    key: { type: ['string', 'null'] },
    type: text,
    title: text,
    status: { type: 'string', enum: [...demandLifecycle.statuses] },
    goal_id: optionalId('goal'),
    iteration_id: optionalId('iteration'),
    start_date: optionalDay('The day on which work on it is to begin.'),
    due_day: optionalDay('The day on which it is due, also if it is due at an instant.'),
  }),
);

const listOf = (items: JsonSchema, description: string): JsonSchema => ({ type: 'array', items, description });

/** The OpenAPI schema of a roadmap. */
export const roadmapSchema = component(
  'Roadmap',
  exactly({
    endeavour_id: idOf('endeavour'),
    timezone: { type: 'string', description: 'The IANA time zone of its days.' },
    goals: listOf(goal, 'By their days; those without one are the last.'),
    iterations: listOf(iteration, 'By their first days.'),
    demands: listOf(demand, 'Those with a start_date or due_date, by their first days.'),
    omitted: {
      ...component(
        'RoadmapOmissions',
        exactly({
          iterations: number('The number of iterations that are left out.'),
          demands: number('The number of demands that are left out.'),
        }),
      ),
      description: 'What is left out because there is more than a roadmap shows.',
    },
  }),
);
