import type { Containment } from '../../platform/containment/containment.js';
import { isRelationAlive } from './relation.list.js';
import { relationView } from './relation.view.js';
import type { Relation } from './relation.entity.js';

/** SQL: the relations that are erased with the containers, because one of their ends is. */
const relationsOfEnds = ['source_entity_id', 'target_entity_id'].flatMap((end) =>
  [`x.endeavour_id = ANY($1::text[])`, `x.endeavour_id IS NULL AND x.organization_id = $2::text`].map(
    (condition) => `SELECT l.id FROM entities x JOIN relations l ON l.${end} = x.id WHERE ${condition}`,
  ),
);

/** A relation and its history belong to a container if both of its ends do. */
export const relationContainment: Containment<Relation> = {
  exportKey: 'relations',
  view: relationView,
  erasing: { namesAny: true, within: relationsOfEnds.join(' UNION ALL ') },
  changes: (inside) => `EXISTS (SELECT 1 FROM relations l WHERE l.id = v.entity_id
    AND ${inside.containsEvenIfDeleted('l.source_entity_id')}
    AND ${inside.containsEvenIfDeleted('l.target_entity_id')})`,
  within: (inside) =>
    `${isRelationAlive} AND ${inside.contains('l.source_entity_id')} AND ${inside.contains('l.target_entity_id')}`,
};
