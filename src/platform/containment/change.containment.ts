import { KINDS } from '../../common/kinds.js';
import { anyId, defineView, id, json, nullable, oneOf, text, time, integer } from '../database/views/view.js';
import type { Containment } from './containment.js';
import { CONTAINED_IDS, EXPORT_SCOPE } from './export-part.js';

const actorName = '(SELECT actor.title FROM entities actor WHERE actor.id = v.actor_id)';

/**
 * One entry of the change log in an export. History moves with its entity, but without the ids of its earlier
 * containers.
 */
const changeView = defineView({
  name: 'Change',
  kind: 'event',
  table: 'events',
  alias: 'v',
  joins: '',
  fields: {
    id: id('v.id', 'event'),
    sequence: integer('v.sequence'),
    type: text('v.type'),
    entity_type: oneOf('v.entity_type', Object.keys(KINDS)),
    entity_id: anyId('v.entity_id'),
    endeavour_id: nullable(id(EXPORT_SCOPE.exportableId('v.endeavour_id'), 'endeavour')),
    organization_id: nullable(id(EXPORT_SCOPE.exportableId('v.organization_id'), 'organization')),
    actor_id: nullable(id('v.actor_id', 'resource')),
    actor_name: nullable(text(actorName)),
    request_id: nullable(text('v.request_id')),
    occurred_at: time('v.occurred_at'),
    changed: json<string[]>('v.changed', { type: 'array', items: { type: 'string' } }),
    previous: json<Record<string, unknown>>(EXPORT_SCOPE.withoutOutside('v.previous'), { type: 'object' }),
    data: json<Record<string, unknown>>(EXPORT_SCOPE.withoutOutside('v.data'), { type: 'object' }),
  },
});

/** The history of everything that is now in the container; `others` can exclude events of their kinds. */
export const changeContainment = (others: () => Iterable<Containment>): Containment => ({
  exportKey: 'changes',
  // Events are erased together with their entities.
  erasing: null,
  view: changeView,
  within: (inside) =>
    [...others()].reduce(
      (condition, containment) =>
        containment.changes === undefined
          ? condition
          : `${condition} AND (v.entity_type <> '${containment.view.kind}' OR ${containment.changes(inside)})`,
      `v.entity_id IN (${CONTAINED_IDS})`,
    ),
});
