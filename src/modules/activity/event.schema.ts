import type { JsonSchema } from '../../platform/database/views/view.js';
import { schemaOf } from '../../platform/database/views/view.js';
import { component, exactly } from '../../platform/http/openapi/schemas.js';
import { sentenceOf } from './activity.rules.js';
import { eventView } from './event.view.js';

const meta = exactly({
  next: { type: 'integer', description: 'Send it as after to continue.' },
  has_more: { type: 'boolean', description: 'Whether more events follow this page.' },
});

/** The schema of an event, whose properties are all optional because `fields` selects them. */
export const eventSchema = (): JsonSchema => {
  const { required: _all, ...schema } = schemaOf(eventView);
  return component('Event', schema);
};

/** The schema of a page of events. */
export const eventsSchema = (): JsonSchema =>
  exactly({
    data: { type: 'array', items: eventSchema() },
    meta: component('FeedMeta', meta),
  });

const nullableText: JsonSchema = { type: ['string', 'null'] };

const entry = exactly({
  id: { type: 'string' },
  sequence: { type: 'integer' },
  day: {
    type: 'string',
    pattern: '^\\d{4}-\\d\\d-\\d\\d$',
    examples: ['2026-11-20'],
    description: 'The day in UTC, for grouping entries.',
  },
  occurred_at: { type: 'string', format: 'date-time' },
  actor_id: nullableText,
  actor_name: nullableText,
  text: {
    type: 'string',
    description: 'The activity as a sentence.',
    example: sentenceOf({
      type: 'task.status_changed',
      entity_type: 'task',
      entity_title: 'Paint the garden gate',
      actor_name: 'Ann Archer',
      changed: ['status'],
      previous: { status: 'active' },
      data: { status: 'done' },
    }),
  },
  created_at: { type: 'string', format: 'date-time', description: 'The same as occurred_at.' },
  action: { type: 'string', example: 'status_changed', description: 'The type without the kind of entity.' },
  summary: { type: 'string', description: 'The same as text.' },
  type: { type: 'string', example: 'task.status_changed' },
  entity_type: { type: 'string', example: 'task' },
  entity_id: { type: 'string' },
  entity_key: { ...nullableText, description: 'The current key of a task or demand; null for others.' },
  entity_title: { type: 'string', description: 'The current title or name of the entity.' },
  endeavour_id: nullableText,
});

const activityMeta = exactly(
  {
    next: { type: ['integer', 'null'], description: 'Send it as before to continue.' },
    has_more: { type: 'boolean', description: 'Whether there are earlier entries.' },
  },
  {
    total: {
      type: ['integer', 'null'],
      description:
        'With offset: the number of entries of the period, or of the last 31 days; null with filters other than ' +
        'endeavour_id and organization_id.',
    },
    limit: { type: 'integer', description: 'With offset.' },
    offset: { type: 'integer', description: 'With offset.' },
  },
);

const count: JsonSchema = { type: 'integer' };

const hour = exactly({
  hour: { type: 'integer', minimum: 0, maximum: 23, description: 'The hour of the day, in UTC.' },
  logins: { type: 'integer', description: 'Your sign-ins.' },
  tasks: count,
  demands: count,
  endeavours: count,
});

export const activitySchema = (): JsonSchema =>
  exactly(
    {
      data: { type: 'array', items: component('Activity', entry) },
      meta: component('ActivityMeta', activityMeta),
    },
    {
      summary: component('ActivityTotal', exactly({ total: count })),
      hourly: {
        type: 'array',
        minItems: 24,
        maxItems: 24,
        items: component('ActivityHour', hour),
        description: 'With start_time: the events by the hour of the day.',
      },
    },
  );

export const activityCountsSchema = (): JsonSchema => ({
  type: 'array',
  items: component(
    'ActivityCount',
    exactly({
      at: {
        type: 'string',
        example: '2026-11-20',
        description: 'The day (YYYY-MM-DD) or the start of the hour, in UTC.',
      },
      type: { type: 'string', example: 'task.status_changed' },
      count: { type: 'integer', description: 'The number of events of the type.' },
    }),
  ),
});
