import { usersOfResources } from '../../access/visibility/people.view.js';
import { placedOf, resourcesOf, visible } from '../../access/visibility/visibility.js';
import type { Filter, ListDefinition, ListRequest, Statement } from '../../platform/listing/definition.js';
import { includingOnly } from '../../platform/listing/chosen-set.js';
import { ANY_KIND, flagFilter, idFilter, oneOfFilter, wordFilter } from '../../platform/listing/filters.js';
import { rangeFilters } from '../../platform/listing/time-filters.js';
import { RELATED_KINDS } from './relation.rules.js';
import { ENDS, relationView } from './relation.view.js';

/** SQL: whether neither the relation nor one of its ends is deleted. */
export const isRelationAlive = 'l.deleted_at IS NULL AND source.deleted_at IS NULL AND target.deleted_at IS NULL';

/** SQL: whether the relation is visible, which requires that both of its ends are. */
export const isRelationVisible = (me?: string): string => `${visible('source', me)} AND ${visible('target', me)}`;

const SEEN = 'SELECT seen.id FROM seen';

/** SQL: the relations whose source is in a container of the user or is a visible resource or user. */
const relationsOf = (me: string): string => `WITH seen (id) AS MATERIALIZED (${resourcesOf(me)})
  ${placedOf('relation', me)}
  UNION ALL SELECT n.id FROM relations n WHERE n.deleted_at IS NULL AND n.source_entity_id = ANY(ARRAY(${SEEN}))
  UNION ALL SELECT n.id FROM relations n WHERE n.deleted_at IS NULL AND n.source_entity_id = ANY(ARRAY(${usersOfResources(SEEN)}))`;

/** A filter without its own condition, because its meaning depends on other filters; see {@link aboutEnd}. */
const withoutCondition = (filter: Filter): Filter => ({ ...filter, where: undefined });

/** The relation list, without the condition on a requested end. */
export const relationList: ListDefinition = {
  view: relationView,
  joins: ENDS,
  scope: ({ me }) => isRelationVisible(me),
  candidateIds: { ids: relationsOf, unless: ['entity_id', 'source_entity_id', 'target_entity_id'] },
  filters: {
    entity_type: withoutCondition(oneOfFilter('', RELATED_KINDS)),
    entity_id: withoutCondition(includingOnly(idFilter('', ANY_KIND, 'Relations with this entity at either end.'))),
    direction: withoutCondition({
      ...oneOfFilter('', ['out', 'in']),
      description: 'With entity_type or entity_id: out if that entity is the source, in if it is the target.',
    }),
    relationship_type: wordFilter('l.relationship_type', 'Relations of this type.'),
    source_entity_type: oneOfFilter('l.source_entity_type', RELATED_KINDS),
    source_entity_id: idFilter('l.source_entity_id', ANY_KIND, 'Relations with this source.'),
    target_entity_type: oneOfFilter('l.target_entity_type', RELATED_KINDS),
    target_entity_id: idFilter('l.target_entity_id', ANY_KIND, 'Relations with this target.'),
    structural: withoutCondition(
      flagFilter(
        '',
        '',
        'Set to true to list memberships and links instead of other relations, each once. Filtering by one of ' +
          'their types (has_member, member_of, belongs_to, participates_in) has the same effect. Requires the id of ' +
          'one end.',
      ),
    ),
    ...rangeFilters({ created: 'l.created_at' }),
  },
  sorts: { created_at: { sql: 'l.created_at', type: 'timestamptz' } },
};

/** The relation list with the condition on the requested end. */
export function relationsFor(request: ListRequest): ListDefinition {
  return { ...relationList, baseCondition: (statement) => `${isRelationAlive} AND ${aboutEnd(request, statement)}` };
}

/** SQL: whether an end matches `entity_id`, `entity_type` and `direction`. */
export function aboutEnd({ filters }: ListRequest, { bind }: Statement): string {
  const [ids, types] = [filters.get('entity_id'), filters.get('entity_type')];
  const directions = (filters.get('direction') ?? ['out', 'in']) as string[];
  if (directions.length === 0) return 'false';
  if (ids === undefined && types === undefined) return 'true';
  const ofId = ids === undefined ? undefined : `ANY(${bind(ids)}::text[])`;
  const ofType = types === undefined ? undefined : `ANY(${bind(types)}::text[])`;
  const matches = (end: 'source' | 'target'): string =>
    [ofId && `l.${end}_entity_id = ${ofId}`, ofType && `l.${end}_entity_type = ${ofType}`]
      .filter(Boolean)
      .join(' AND ');
  const ends = directions.map((direction) => `(${matches(direction === 'out' ? 'source' : 'target')})`);
  return `(${ends.join(' OR ')})`;
}
