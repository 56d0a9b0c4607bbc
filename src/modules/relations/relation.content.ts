import type { Content } from '../../platform/contents/content.js';
import { isAlive } from './relation.list.js';
import { relationView } from './relation.view.js';
import type { Relation } from './relation.entity.js';

/** A relation lies inside where both of its ends do. */
export const relationContent: Content<Relation> = {
  section: 'relations',
  view: relationView,
  within: (inside) => `${isAlive} AND ${inside.holds('l.source_entity_id')} AND ${inside.holds('l.target_entity_id')}`,
};
