import { isCleanText, isLongerThan, isVisibleLine } from '../../../common/texts/text.js';
import { documentIn, GROUP_SCHEMA, propertyIn, recordIn, type ScimDocument } from '../protocol/scim-documents.js';
import { Effort, matchesElement } from '../protocol/scim-elements.js';
import { invalid } from '../protocol/scim-error.js';
import type { ScimFilter } from '../protocol/scim-filter.js';
import type { ScimGroup } from './scim-group.entity.js';
import { isForeign, type Change } from '../protocol/scim-patch.js';

/** What a directory says about a group; `members` are ids of people. */
export interface GroupRecord {
  displayName: string;
  externalId: string | null;
  members: Set<string>;
}

/** A member as SCIM shows it. */
export interface GroupMember {
  value: string;
  display: string | null;
}

const MAX_TEXT = 500;

function textIn(attribute: string, value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string') throw invalid('invalidValue', `${attribute} must be a text.`);
  const text = value.trim();
  if (isLongerThan(text, MAX_TEXT) || !isCleanText(text) || !isVisibleLine(text))
    throw invalid('invalidValue', `${attribute} must be one line of at most ${MAX_TEXT} characters.`);
  return text;
}

function displayNameIn(value: unknown): string {
  const text = textIn('displayName', value);
  if (text === null) throw invalid('invalidValue', 'displayName is required.');
  return text;
}

/** The ids in a list of members, or in a single one. */
function membersIn(value: unknown): string[] {
  const list = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  return list.map((member) => {
    const record = recordIn(member);
    const id = record === undefined ? member : propertyIn(record, 'value');
    if (typeof id !== 'string' || id.length > MAX_TEXT)
      throw invalid('invalidValue', 'members must be a list of objects with the id as value.');
    return id;
  });
}

/** Reads a whole group; 400 `invalidValue`. */
export function groupRecordIn(body: unknown): GroupRecord {
  const document = documentIn(body);
  return {
    displayName: displayNameIn(propertyIn(document, 'displayName')),
    externalId: textIn('externalId', propertyIn(document, 'externalId')),
    members: new Set(membersIn(propertyIn(document, 'members'))),
  };
}

/** A group after the changes. Attributes that the service does not keep are ignored. */
export function patchedGroup(group: GroupRecord, changes: readonly Change[]): GroupRecord {
  const next = { ...group, members: new Set(group.members) };
  const effort = new Effort();
  for (const change of changes) {
    const { target, op, value } = change;
    if (isForeign(target, GROUP_SCHEMA)) continue;
    if (target.attribute === 'displayname') next.displayName = displayNameIn(op === 'remove' ? null : value);
    if (target.attribute === 'externalid') next.externalId = textIn('externalId', op === 'remove' ? null : value);
    if (target.attribute === 'members') changeMembers(next.members, change, effort);
  }
  return next;
}

function changeMembers(members: Set<string>, { op, target: { filter, sub }, value }: Change, effort: Effort): void {
  if (sub !== undefined && sub !== 'value') return;
  if (filter !== undefined) {
    if (op !== 'remove') throw invalid('invalidPath', 'members can be added and replaced only as a list.');
    for (const id of named(filter) ?? selected(members, filter, effort)) members.delete(id);
    return;
  }
  const ids = membersIn(value);
  if (op === 'replace' || (op === 'remove' && ids.length === 0)) members.clear();
  for (const id of ids) {
    if (op === 'remove') members.delete(id);
    else members.add(id);
  }
}

/** The members that the usual filters name, which need no search; undefined for other filters. */
function named(filter: ScimFilter): string[] | undefined {
  if (filter.kind === 'compare' && filter.operator === 'eq' && filter.path.attribute === 'value')
    return [String(filter.value)];
  if (filter.kind !== 'or') return undefined;
  const ids = filter.parts.map(named);
  return ids.every((one) => one !== undefined) ? ids.flat() : undefined;
}

const selected = (members: ReadonlySet<string>, filter: ScimFilter, effort: Effort): string[] =>
  [...members].filter((id) => matchesElement({ value: id, type: 'User' }, filter, effort));

/** A group as SCIM shows it, `at` the address of the groups of the organization; without members if they are not read. */
export function groupDocument(group: ScimGroup, at: string, members: readonly GroupMember[] | undefined): ScimDocument {
  const people = at.replace(/Groups$/, 'Users');
  return {
    schemas: [GROUP_SCHEMA],
    id: group.teamId,
    displayName: group.displayName,
    ...(group.externalId !== null && { externalId: group.externalId }),
    ...(members && {
      members: members.map(({ value, display }) => ({
        value,
        ...(display !== null && { display }),
        type: 'User',
        $ref: `${people}/${value}`,
      })),
    }),
    meta: {
      resourceType: 'Group',
      created: group.createdAt.toISOString(),
      lastModified: group.updatedAt.toISOString(),
      location: `${at}/${group.teamId}`,
      version: groupVersionOf(group),
    },
  };
}

export const groupVersionOf = ({ revision }: Pick<ScimGroup, 'revision'>): string => `W/"${revision}"`;
