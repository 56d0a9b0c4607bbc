import type { JsonSchema } from '../../../platform/database/views/view.js';
import { idOf } from '../../../platform/http/bodies/fields/links.js';
import { component, exactly } from '../../../platform/http/openapi/schemas.js';
import { MAX_ASSIGNEES } from './load.repository.js';
import { DATE_PATTERN } from '../progress/period.js';

const count = (description: string): JsonSchema => ({ type: 'integer', description });
const hours = (description: string): JsonSchema => ({ type: 'number', description });

const WORK = {
  tasks: count('The number of planned and active tasks.'),
  hours: hours('The sum of their estimates.'),
  unestimated: count('The number of these tasks that have no estimate.'),
  points: hours('The sum of their points.'),
};
const WEEK = {
  date: {
    type: 'string',
    pattern: DATE_PATTERN,
    description: 'The Monday with which the week begins.',
  },
  starts_at: { type: 'string', format: 'date-time', description: 'The first moment of the week.' },
  ends_at: { type: 'string', format: 'date-time', description: 'The first moment after the week.' },
};

const undated = {
  ...component('LoadWork', exactly(WORK)),
  description: 'The tasks without a due date, which are in no week.',
};
const CAPACITY =
  'The capacity in hours per week; null if it is counted in another way (capacity_model), or if you cannot see it.';
const capacity = (more = ''): JsonSchema => ({ type: ['number', 'null'], description: CAPACITY + more });
const timezone = (whose: string): JsonSchema => ({
  type: 'string',
  description: `The time zone of the weeks: ${whose}.`,
});

const elsewhere = (which: string): JsonSchema => ({
  type: ['number', 'null'],
  description:
    `The sum of the estimates of further tasks of the resource that are due in the period: ${which}. Only shown ` +
    'to the user of the resource, to admins of its home organization, and to administrators; null otherwise, and ' +
    'for access tokens that are restricted.',
});

/** The OpenAPI schema of the load of a resource. */
export const resourceLoadSchema = component(
  'ResourceLoad',
  exactly({
    resource_id: { ...idOf('resource'), description: 'The id of the resource.' },
    timezone: timezone('your own'),
    weekly_capacity: capacity(' It is the own one of the resource.'),
    weeks: {
      type: 'array',
      items: component(
        'LoadOfWeek',
        exactly({
          ...WEEK,
          ...WORK,
          spent_hours: hours('The hours of the time entries of the resource with days of the week.'),
        }),
      ),
      description: 'The weeks of the period, each with the tasks that are due in it.',
    },
    undated,
    elsewhere: elsewhere('tasks that you cannot see'),
  }),
);

const ASSIGNEE_WORK = {
  hours: {
    type: 'array',
    items: { type: 'number' },
    description: 'The sums of the estimates of the tasks that are due in each week, in the order of weeks.',
  },
  points: {
    type: 'array',
    items: { type: 'number' },
    description: 'The sums of their points in each week, in the order of weeks.',
  },
  tasks: count('The number of planned and active tasks that are due in the period.'),
  unestimated: WORK.unestimated,
  undated,
};

const assignee = component(
  'LoadOfAssignee',
  exactly({
    resource_id: { ...idOf('resource'), description: 'The id of the assignee.' },
    resource_name: { type: 'string', description: 'The name of the assignee.' },
    weekly_capacity: capacity(
      ' A capacity that admins of the home organization have set for the membership precedes the own one of the person.',
    ),
    ...ASSIGNEE_WORK,
    spent_hours: {
      type: 'array',
      items: { type: 'number' },
      description: 'The hours of the time entries with days of each week, in the order of weeks.',
    },
    elsewhere: elsewhere('tasks in other endeavours'),
  }),
);

/** The OpenAPI schema of the load in an endeavour. */
export const endeavourLoadSchema = component(
  'EndeavourLoad',
  exactly({
    endeavour_id: { ...idOf('endeavour'), description: 'The id of the endeavour.' },
    timezone: timezone('that of the endeavour'),
    weeks: { type: 'array', items: component('LoadWeek', exactly(WEEK)), description: 'The weeks of the period.' },
    resources: {
      type: 'array',
      items: assignee,
      description: `The ${MAX_ASSIGNEES} assignees with the most estimated hours, in that order, and those who spent time in the period.`,
    },
    omitted: count('The number of further assignees, who have fewer hours.'),
    unassigned: {
      ...component('LoadUnassigned', exactly(ASSIGNEE_WORK)),
      description: 'The tasks without an assignee.',
    },
  }),
);
