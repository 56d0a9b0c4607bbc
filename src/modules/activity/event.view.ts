import { actsAsAdministrator, resourceOfUser } from '../../access/visibility/people.view.js';
import { KINDS, type Kind } from '../../common/kinds.js';
import {
  anyId,
  defineView,
  id,
  json,
  nullable,
  oneOf,
  text,
  time,
  integer,
  withExample,
  type JsonSchema,
} from '../../platform/database/views/view.js';
import { FEED_EVENT_TYPES } from '../../common/event-types.js';

const HOME = `(SELECT home.organization_id FROM organization_endeavours home
  WHERE home.endeavour_id = x.endeavour_id AND home.is_home)`;

/** SQL: a column of an event without the ids of earlier containers of a moved entity. */
const withoutEarlierContainers = (column: string): string => `CASE
  WHEN v.endeavour_id IS DISTINCT FROM x.endeavour_id OR v.organization_id IS DISTINCT FROM x.organization_id
    OR v.changed && '{endeavour_id,organization_id}'
  THEN without_outside(${column}, ARRAY[x.endeavour_id], ARRAY[x.organization_id, ${HOME}]) ELSE ${column} END`;

/** Matches ids and times, which are no texts of people. */
const ID_OR_TIME = String.raw`^([a-z]{3}_[0-9a-f]{32}|\d{4}-\d\d-\d\d(T[0-9:.]+Z)?)$`;

/** SQL: the endeavour in which the previous values were valid; an event of a move has the new one. */
const EARLIER = `coalesce(v.previous ->> 'endeavour_id', v.endeavour_id)`;

/** SQL: the home of an endeavour, or the endeavour itself if it has none. */
const homeOrSelf = (endeavour: string): string => `coalesce(home_of(${endeavour}), ${endeavour})`;

/**
 * SQL: a column of an event of an entity that has moved to another home since: without texts, which stay with the old
 * home, unless the caller can see the endeavour that it was in (spec 09). `earlier` is the id of that endeavour.
 */
const withoutEarlierTexts = (column: string, earlier: string): string => `CASE
  WHEN ${earlier} <> x.endeavour_id AND ${homeOrSelf(earlier)} IS DISTINCT FROM ${homeOrSelf('x.endeavour_id')}
    AND NOT EXISTS (SELECT 1 FROM endeavour_grants own WHERE own.endeavour_id = ${earlier} AND own.user_id = :me)
    AND NOT ${actsAsAdministrator(':me')}
  THEN (SELECT coalesce(json_object_agg(kept.key, kept.value), '{}') FROM json_each(${column}) kept
    WHERE json_typeof(kept.value) IN ('number', 'boolean', 'null') OR kept.key IN ('kind', 'priority', 'status', 'type', 'verdict')
      OR (json_typeof(kept.value) = 'string' AND kept.value #>> '{}' ~ '${ID_OR_TIME}'))
  ELSE ${column} END`;

/** SQL: a column of an event, with fewer properties of a resource for guests of its home organization (spec 02). */
const limitedForGuests = (column: string): string => `CASE
  WHEN v.entity_type = 'resource' AND x.organization_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM organization_resources mine WHERE mine.organization_id = x.organization_id
      AND mine.user_id = :me AND mine.role <> 'guest')
    AND NOT ${actsAsAdministrator(':me')}
  THEN (SELECT coalesce(json_object_agg(known.key, known.value), '{}') FROM json_each(${column}) known
    WHERE known.key IN ('id', 'name', 'type', 'status')) ELSE ${column} END`;

/** Its component names the schema for each type of event. */
const DATA: JsonSchema = { $ref: '#/components/schemas/EventData' };

/** The representation of an event of the feed, with the current container of the entity and name of the actor. */
export const eventView = defineView({
  name: 'Event',
  kind: 'event',
  table: 'feed',
  alias: 'f',
  joins: `JOIN events v ON v.sequence = f.event_sequence JOIN entities x ON x.id = f.entity_id
    LEFT JOIN entities actor ON actor.id = v.actor_id LEFT JOIN entities rule
      ON rule.id = v.rule_id AND rule.endeavour_id = x.endeavour_id`,
  fields: {
    id: id('v.id', 'event'),
    sequence: integer('f.sequence'),
    type: withExample(
      oneOf('v.type', FEED_EVENT_TYPES, 'The event type. Later releases can add types.'),
      'task.status_changed',
    ),
    entity_type: oneOf('v.entity_type', Object.keys(KINDS) as Kind[]),
    entity_id: anyId('v.entity_id'),
    endeavour_id: nullable(id('x.endeavour_id', 'endeavour')),
    organization_id: nullable(id('x.organization_id', 'organization')),
    actor_id: nullable(id('v.actor_id', 'resource')),
    actor_name: nullable(text('actor.title')),
    token_id: nullable(
      text(
        `CASE WHEN v.actor_id = ${resourceOfUser(':me')} THEN v.token_id END`,
        'The access token that was used; shown only to the actor.',
      ),
    ),
    rule_id: nullable(id('rule.id', 'rule')),
    rule_name: nullable(text('rule.title', 'The rule that made the change, in the name of the actor.')),
    request_id: nullable(text('v.request_id')),
    occurred_at: time('v.occurred_at'),
    changed: json<string[]>('v.changed', { type: 'array', items: { type: 'string' } }),
    previous: json<Record<string, unknown>>(
      limitedForGuests(withoutEarlierTexts(withoutEarlierContainers('v.previous'), EARLIER)),
      { ...DATA, description: 'The previous values of the changed properties.' },
    ),
    data: json<Record<string, unknown>>(
      limitedForGuests(withoutEarlierTexts(withoutEarlierContainers('v.data'), 'v.endeavour_id')),
      {
        ...DATA,
        description:
          'The entity after the change, without texts that can be erased later and without names of other entities. The ' +
          'component for each type of event is in `x-event-data`.',
      },
    ),
  },
});

export type EventField = keyof typeof eventView.fields;
export const EVENT_FIELDS = Object.keys(eventView.fields) as EventField[];

/** The representation of an event in the history of an entity, which can be older than the feed. */
export const historyView = defineView({
  ...eventView,
  name: 'HistoryEvent',
  table: 'events',
  alias: 'v',
  joins: `LEFT JOIN feed f ON f.event_sequence = v.sequence JOIN entities x ON x.id = v.entity_id
    LEFT JOIN entities actor ON actor.id = v.actor_id LEFT JOIN entities rule
      ON rule.id = v.rule_id AND rule.endeavour_id = x.endeavour_id`,
  fields: { ...eventView.fields, sequence: nullable(eventView.fields.sequence) },
});
