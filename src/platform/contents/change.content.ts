import { KINDS } from '../../common/kinds.js';
import { anyId, defineView, id, json, nullable, oneOf, text, time, whole } from '../database/view.js';
import type { Content } from './content.js';

/** One entry of the change log as clients see it. */
export const changeView = defineView({
  name: 'Change',
  kind: 'event',
  table: 'events',
  alias: 'v',
  joins: '',
  fields: {
    id: id('v.id', 'event'),
    sequence: whole('v.sequence'),
    type: text('v.type'),
    entity_type: oneOf('v.entity_type', Object.keys(KINDS)),
    entity_id: anyId('v.entity_id'),
    endeavour_id: nullable(id('v.endeavour_id', 'endeavour')),
    organization_id: nullable(id('v.organization_id', 'organization')),
    actor_id: nullable(id('v.actor_id', 'resource')),
    actor_name: nullable(text('v.actor_name')),
    request_id: nullable(text('v.request_id')),
    occurred_at: time('v.occurred_at'),
    changed: json<string[]>('v.changed', { type: 'array', items: { type: 'string' } }),
    previous: json<Record<string, unknown>>('v.previous', { type: 'object' }),
    data: json<Record<string, unknown>>('v.data', { type: 'object' }),
  },
});

/** What happened inside, to what is or was there; not what another organization had to do with it. */
export const changeContent: Content = {
  section: 'changes',
  view: changeView,
  within: ({ endeavours, organization }) =>
    `(v.endeavour_id = ANY(${endeavours}) OR (v.endeavour_id IS NULL AND v.organization_id = ${organization}))
     AND coalesce(v.organization_id = ${organization}, true)`,
};
