import type { Caller } from '../../access/authentication/caller.js';
import { assertMayCall } from '../../access/operations/may-call.js';
import type { OperationId } from '../../access/permissions/permissions.js';
import { invalidField } from '../../common/errors.js';
import type { RelatedKind } from './relation.rules.js';

/** The types of memberships, by the feature that manages them. */
export type MembershipKind = 'organization' | 'team' | 'endeavour' | 'link';

/** A relation type that represents a membership or link, and the kinds of its ends. */
export interface MembershipShape {
  type: string;
  source: RelatedKind;
  target: RelatedKind;
  kind: MembershipKind;
  /** The end that is the member; the other end is the container. */
  member: 'source' | 'target';
}

const SHAPES: readonly MembershipShape[] = [
  { type: 'has_member', source: 'organization', target: 'resource', kind: 'organization', member: 'target' },
  { type: 'has_member', source: 'resource', target: 'resource', kind: 'team', member: 'target' },
  { type: 'member_of', source: 'resource', target: 'organization', kind: 'organization', member: 'source' },
  { type: 'member_of', source: 'resource', target: 'resource', kind: 'team', member: 'source' },
  { type: 'belongs_to', source: 'resource', target: 'endeavour', kind: 'endeavour', member: 'source' },
  { type: 'participates_in', source: 'resource', target: 'endeavour', kind: 'endeavour', member: 'source' },
  { type: 'member_of', source: 'resource', target: 'endeavour', kind: 'endeavour', member: 'source' },
  { type: 'participates_in', source: 'organization', target: 'endeavour', kind: 'link', member: 'target' },
  { type: 'belongs_to', source: 'endeavour', target: 'organization', kind: 'link', member: 'source' },
];

/** The relation types with which memberships and links can be read, created and ended. */
export const MEMBERSHIP_TYPES: readonly string[] = [...new Set(SHAPES.map(({ type }) => type))];

type Action = 'read' | 'add' | 'remove';

/**
 * The operations of the features that manage memberships. For organizations, people and resources have different ones.
 */
const OPERATIONS: Readonly<Record<MembershipKind | 'person', Readonly<Record<Action, OperationId>>>> = {
  person: {
    read: 'organizations_members_list',
    add: 'organizations_members_add',
    remove: 'organizations_members_remove',
  },
  organization: {
    read: 'organizations_members_list',
    add: 'organizations_resources_add',
    remove: 'organizations_resources_remove',
  },
  team: { read: 'resources_members_list', add: 'resources_members_add', remove: 'resources_members_remove' },
  endeavour: { read: 'endeavours_members_list', add: 'endeavours_members_add', remove: 'endeavours_members_remove' },
  link: { read: 'endeavours_get', add: 'organizations_endeavours_add', remove: 'organizations_endeavours_remove' },
};

/** Rejects access tokens that may not call the corresponding operation. */
export function assertTokenMay(me: Caller, action: Action, kinds: readonly (MembershipKind | 'person')[]): void {
  for (const kind of kinds) assertMayCall(OPERATIONS[kind][action], me);
}

/** The types of membership that the relation types represent; all by default. */
export const kindsOf = (types: readonly string[] | undefined): MembershipKind[] =>
  SHAPES.filter(({ type }) => types?.includes(type) ?? true).map(({ kind }) => kind);

interface TypedEnds {
  relationship_type: string;
  source_entity_type: RelatedKind;
  target_entity_type: RelatedKind;
}

/** The membership that the relation represents; undefined for an ordinary relation. */
export const shapeOf = (relation: TypedEnds): MembershipShape | undefined =>
  SHAPES.find(
    ({ type, source, target }) =>
      type === relation.relationship_type &&
      source === relation.source_entity_type &&
      target === relation.target_entity_type,
  );

const MEMBERS = 'POST /organizations/{id}/members, /endeavours/{id}/members or /resources/{id}/members';
const POLICY = 'POST /endeavours/{id}/dod-policy';

/** Relation types that are reserved for properties and memberships, with the operation that manages these. */
const STRUCTURAL: Readonly<Record<string, string>> = {
  belongs_to: 'PATCH /tasks/{id} with demand_id or endeavour_id',
  assigned_to: 'PATCH /tasks/{id} with assignee_id',
  fulfills: 'PATCH /tasks/{id} with demand_id',
  has_member: MEMBERS,
  member_of: MEMBERS,
  participates_in: MEMBERS,
  governs: POLICY,
  governed_by: POLICY,
};

/** Rejects reserved relation types between entities other than those of the membership. */
export function assertNotStructural({
  relationship_type: type,
  source_entity_type,
  target_entity_type,
}: TypedEnds): void {
  if (!Object.hasOwn(STRUCTURAL, type)) return;
  const message = `${type} cannot be a relation from ${source_entity_type} to ${target_entity_type}; use ${STRUCTURAL[type]} instead.`;
  throw invalidField('relationship_type', 'invalid_value', message);
}
