import type { Caller } from '../../access/authentication/caller.js';
import { invalidField } from '../../common/errors.js';
import type { ListDefinition, ListRequest } from '../../platform/listing/definition.js';
import { assertTokenMay, kindsOf, MEMBERSHIP_TYPES } from './membership-relation.rules.js';
import {
  isMembershipAlive,
  isMembershipVisible,
  MEMBERSHIP_ENDS,
  membershipRelationView,
} from './membership-relation.view.js';
import { aboutEnd, relationList } from './relation.list.js';

const ENDS_BY_ID = ['entity_id', 'source_entity_id', 'target_entity_id'];

/** The relation types that the request includes; undefined if it names none, or excludes some. */
function includedTypes(filters: ListRequest['filters']): string[] | undefined {
  const types = filters.get('relationship_type');
  return Array.isArray(types) ? types : undefined;
}

/** Whether the request filters by a relation type of memberships and links, or by `structural`. */
export function isForMemberships({ filters }: ListRequest): boolean {
  const structural = filters.get('structural');
  if (structural !== undefined) return structural === true;
  const types = includedTypes(filters) ?? [];
  const membershipTypes = types.filter((type) => MEMBERSHIP_TYPES.includes(type));
  if (membershipTypes.length > 0 && membershipTypes.length < types.length) {
    const message = `${membershipTypes.join(', ')} are memberships and cannot be combined with other types; request them separately.`;
    throw invalidField('relationship_type', 'invalid_value', message);
  }
  return membershipTypes.length > 0;
}

/** The list of the memberships of at least one end, with the requested relation types or the first one of each. */
export function membershipsFor(me: Caller, request: ListRequest): ListDefinition {
  const { filters } = request;
  assertTokenMay(me, 'read', kindsOf(includedTypes(filters)));
  if (!ENDS_BY_ID.some((name) => filters.has(name))) {
    throw invalidField(
      'entity_id',
      'required',
      'Memberships can be listed only for one end: set entity_id, source_entity_id or target_entity_id.',
    );
  }
  const typeCondition = filters.has('relationship_type') ? 'true' : 'l.is_first';
  return {
    view: membershipRelationView,
    isUnplaced: true,
    joins: MEMBERSHIP_ENDS,
    scope: (statement) => isMembershipVisible(statement.me),
    baseCondition: (statement) => `${isMembershipAlive} AND ${typeCondition} AND ${aboutEnd(request, statement)}`,
    filters: relationList.filters,
    sorts: relationList.sorts,
  };
}
