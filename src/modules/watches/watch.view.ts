import { wireTime } from '../../platform/database/views/view.js';
import type { Filter } from '../../platform/listing/definition.js';
import { parseFlag } from '../../platform/http/requests/parsed.js';

/** SQL: the endeavours that the resource watches; what happens in them concerns it as what happens to its teams does. */
export const watchedContainersOf = (resource: string): string =>
  `SELECT w.entity_id FROM current_watches w WHERE w.resource_id = ${resource} AND starts_with(w.entity_id, 'edv_')`;

/** A filter for the entities that the caller watches; `id` is their column. */
export const watchingFilter = (id: string): Filter => ({
  schema: { type: 'boolean' },
  description: 'Those that you watch.',
  parse: parseFlag,
  isFlag: true,
  where(wanted: boolean, statement) {
    const watched = `${id} = ANY(ARRAY(
      SELECT w.entity_id FROM current_watches w WHERE w.resource_id = ${statement.myResource()}))`;
    return wanted ? watched : `NOT ${watched}`;
  },
});

/** Joins those who watch one of these entities, given as SQL for an array of ids. */
export const joinWatchers = (alias: string, ids: string): string =>
  `JOIN current_watches ${alias} ON ${alias}.entity_id = ANY(${ids})`;

/**
 * SQL: whether the resource watches the entity, the endeavour that it is in or, of an endeavour, something in it: a change of
 * several things of an endeavour is notified as one of the endeavour.
 */
export const isWatching = (resource: string, entity: string): string =>
  `EXISTS (SELECT 1 FROM entities watched
    ${joinWatchers('w', 'ARRAY[watched.id, watched.endeavour_id]')}
    WHERE watched.id = ${entity} AND w.resource_id = ${resource}
    UNION ALL SELECT 1 FROM current_watches w JOIN entities within ON within.id = w.entity_id
    WHERE starts_with(${entity}, 'edv_') AND w.resource_id = ${resource} AND within.endeavour_id = ${entity})`;

/** A query for what the resource watches or has switched off, as JSON: for the export of personal data. */
export const ownWatches = (resource: string): string =>
  `SELECT json_build_object('entity_id', w.entity_id, 'watching', w.is_on, 'created_at', ${wireTime('w.created_at')}) AS body
    FROM watches w WHERE w.resource_id = ${resource} ORDER BY w.entity_id`;

/** A statement that deletes what the resource watches. */
export const eraseWatches = (resource: string): string => `DELETE FROM watches WHERE resource_id = ${resource}`;
