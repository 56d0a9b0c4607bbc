import type { JsonSchema } from '../../../platform/database/views/view.js';
import { idOf } from '../../../platform/http/bodies/fields/links.js';
import { component, exactly } from '../../../platform/http/openapi/schemas.js';
import { FORECAST_TEXT } from './forecast.rules.js';
import { STAGE_STATUSES } from '../../endeavours/stages/stages.js';
import { MEASURES, PROGRESS_INTERVALS } from './progress.rules.js';
import { MOST_PEOPLE } from './progress.repository.js';
import { DATE_PATTERN } from './period.js';

const tasks = (description: string): JsonSchema => ({ type: 'integer', description });
const size = (which: string): JsonSchema => ({
  type: 'number',
  description: `The number of tasks that ${which}, or the sum of their estimates or points by measure.`,
});
const hours = (description: string): JsonSchema => ({ type: ['number', 'null'], description });
const date = (description: string): JsonSchema => ({
  type: ['string', 'null'],
  pattern: DATE_PATTERN,
  description,
});

const interval = component(
  'ProgressInterval',
  exactly({
    date: { type: 'string', pattern: DATE_PATTERN, description: 'The first day of the interval.' },
    starts_at: { type: 'string', format: 'date-time', description: 'The first moment of the interval.' },
    ends_at: { type: 'string', format: 'date-time', description: 'The first moment after the interval.' },
    planned: size('were planned at the end of the interval, or are now'),
    active: size('were active at the end of the interval, or are now'),
    done: size('were done at the end of the interval, or are now'),
    canceled: size('were canceled at the end of the interval, or are now'),
    created: size('were created in the interval'),
    completed: size('became done in the interval, and were not closed again in the period'),
    closed: size('became done or canceled, and were not closed again in the period'),
    reopened: size('were closed, reopened, and closed again later in the period, once for each such closing'),
    hours: {
      type: 'number',
      description:
        'The hours spent (actual) on the tasks that were closed in the interval. A task that is closed again adds ' +
        'only the hours since it was last closed.',
    },
  }),
);

const durations = component(
  'ProgressDurations',
  exactly({
    tasks: tasks('The number of durations.'),
    median_hours: hours('The median in hours; null if there are none.'),
    p85_hours: hours('The 85th percentile in hours; null if there are none.'),
  }),
);

const stage = component(
  'ProgressStage',
  exactly({
    id: { type: 'string', description: 'The id of the stage.' },
    name: { type: 'string', description: 'The name of the stage.' },
    status: { type: 'string', enum: [...STAGE_STATUSES], description: 'The status of the tasks in the stage.' },
    sizes: {
      type: 'array',
      items: { type: 'number' },
      description: 'The size of the tasks that were in the stage at the end of each interval, or are now.',
    },
    time: { ...durations, description: 'How long tasks that left the stage in the period had been in it.' },
    age: { ...durations, description: 'How long the tasks in the stage have been in it until now.' },
  }),
);

/** The OpenAPI schema of the progress of an endeavour. */
export const progressSchema = component(
  'EndeavourProgress',
  exactly({
    endeavour_id: { type: 'string', pattern: '^edv_[0-9a-f]{32}$', description: 'The id of the endeavour.' },
    timezone: { type: 'string', description: 'The time zone in which days begin.' },
    interval: { type: 'string', enum: [...PROGRESS_INTERVALS], description: 'The length of the intervals.' },
    measure: { type: 'string', enum: [...MEASURES], description: 'What the sizes of tasks are made of.' },
    intervals: { type: 'array', items: interval, description: 'The intervals of the period, oldest first.' },
    throughput: {
      ...component(
        'ProgressThroughput',
        exactly({
          completed: size('became done in the period, each counted once'),
          per_interval: { type: 'number', description: 'The average for each interval.' },
        }),
      ),
      description: 'How many tasks were completed.',
    },
    cycle_time: {
      ...durations,
      description: 'From the start of the work on a task to its last completion in the period.',
    },
    age: {
      ...component('ProgressAge', exactly({ planned: durations, active: durations })),
      description: 'How old the open tasks are now: planned ones since their creation, active ones since their start.',
    },
    time_spent: {
      ...component(
        'ProgressTimeSpent',
        exactly({
          hours: { type: 'number', description: 'The sum of the time entries with days of the period, in hours.' },
          resources: {
            type: 'array',
            items: component(
              'ProgressTimeOfResource',
              exactly({
                resource_id: { ...idOf('resource'), description: 'The id of the resource.' },
                resource_name: { type: 'string', description: 'The name of the resource.' },
                hours: { type: 'number', description: 'The hours that the resource spent.' },
              }),
            ),
            description: `The ${MOST_PEOPLE} resources with the most hours, in that order.`,
          },
          omitted: tasks('The number of further resources, which have fewer hours.'),
        }),
      ),
      description: 'The time that was spent on the tasks, by who did the work.',
    },
    forecast: {
      ...component(
        'ProgressForecast',
        exactly({
          open: size('are planned or active now'),
          sampled_days: tasks(
            'The number of sampled days: the days of the period that are over, starting with the first day with tasks.',
          ),
          p50_date: date(
            'The day by which everything is done in half of the simulations; null if nothing is open, if nothing was ' +
              'completed on the sampled days, or if it is more than 1,000 days away.',
          ),
          p85_date: date('The day by which everything is done in 85 % of the simulations; null as for p50_date.'),
        }),
      ),
      description: FORECAST_TEXT,
    },
    stages: {
      type: ['array', 'null'],
      items: stage,
      description: 'With `by=stage`: the flow through each stage, in the order of the endeavour; null otherwise.',
    },
  }),
);
