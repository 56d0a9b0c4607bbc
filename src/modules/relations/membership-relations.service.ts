import { Injectable } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { MemberReferences } from '../../access/memberships/member-references.js';
import { conflict, invalidInput, notFound, ApiError, referenceNotFound, type FieldError } from '../../common/errors.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import { EndeavourLinksService } from '../endeavours/homes/endeavour-links.service.js';
import { EndeavourMembersService } from '../endeavours/members/endeavour-members.service.js';
import { OrganizationMembersService } from '../organizations/members/organization-members.service.js';
import { TeamsService } from '../resources/teams/teams.service.js';
import { readMembership } from './membership-relation.dto.js';
import { assertTokenMay, shapeOf, type MembershipKind, type MembershipShape } from './membership-relation.rules.js';
import { MembershipRelationsRepository } from './membership-relations.repository.js';
import type { CreateRelationDto } from './relation.dto.js';

const KEEP_NOTHING = { endeavours: false, links: false };

/** The names of the property with the member's id in the bodies of member operations. */
const MEMBER_FIELDS: readonly string[] = ['resource_id', 'user_id', 'endeavour_id'];

/**
 * Creates and ends memberships and links that are sent as relations. Delegates to the feature that manages them, so
 * that permissions, consent, locks, events and messages are the same as in its operations.
 */
@Injectable()
export class MembershipRelationsService {
  constructor(
    private readonly access: Access,
    private readonly endeavourLinks: EndeavourLinksService,
    private readonly endeavourMembers: EndeavourMembersService,
    private readonly memberReferences: MemberReferences,
    private readonly organizationMembers: OrganizationMembersService,
    private readonly repository: MembershipRelationsRepository,
    private readonly teams: TeamsService,
  ) {}

  async get(me: Caller, id: string, fields?: FieldNames): Promise<Representation | undefined> {
    const row = await this.repository.find(me, id);
    const shape = row && shapeOf(row);
    if (shape === undefined) return undefined;
    assertTokenMay(me, 'read', [shape.kind]);
    return this.repository.read(me, id, fields);
  }

  /** Creates the membership; 409 `duplicate_relation` if it exists. */
  async create(me: Caller, shape: MembershipShape, dto: CreateRelationDto): Promise<Representation> {
    assertTokenMay(me, 'add', [shape.kind]);
    const { source_entity_id: source, target_entity_id: target, relationship_type } = dto;
    const [container, member] = shape.member === 'source' ? [target, source] : [source, target];
    const add = this.adderFor(shape.kind, dto);
    const containerField = shape.member === 'source' ? 'target_entity_id' : 'source_entity_id';
    if ((await this.access.find(me, container)) === undefined) throw invalidInput([referenceNotFound(containerField)]);
    const isNew = await withRelationField(`${shape.member}_entity_id`, () => add(me, container, member));
    if (!isNew)
      throw conflict(
        'duplicate_relation',
        'This membership already exists; change its role with the operation for the membership.',
      );
    return this.repository.readCreated(me, relationship_type, source, target);
  }

  /** Ends the membership; returns false if there is no visible membership with this id. */
  async remove(me: Caller, id: string): Promise<boolean> {
    const row = await this.repository.find(me, id);
    const shape = row && shapeOf(row);
    if (row === undefined || shape === undefined) return false;
    const isPerson = shape.kind === 'organization' && row.user_id !== null;
    assertTokenMay(me, 'remove', [isPerson ? 'person' : shape.kind]);
    const { source_entity_id: source, target_entity_id: target } = row;
    const [container, member] = shape.member === 'source' ? [target, source] : [source, target];
    await this.end(me, shape.kind, { container, member, userId: row.user_id });
    return true;
  }

  private adderFor(
    kind: MembershipKind,
    { metadata }: CreateRelationDto,
  ): (me: Caller, container: string, member: string) => Promise<{ isNew: boolean }> {
    if (kind === 'organization') {
      return async (me, id, resource_id) => {
        // The role comes before what the body refers to.
        await this.access.authorizeWithoutLock(me, 'organizations_resources_add', id);
        const { userId } = await this.memberReferences.member(me, 'resource_id', resource_id);
        const { role } = readMembership.organization(userId === null ? withoutRole(metadata) : metadata);
        return this.organizationMembers.admit(me, id, { resource_id, role });
      };
    }
    if (kind === 'team') {
      const { role } = readMembership.team(metadata);
      return (me, id, resource_id) => this.teams.admit(me, id, { resource_id, role });
    }
    if (kind === 'endeavour') {
      const { role, stakeholder_roles } = readMembership.endeavour(metadata);
      return (me, id, user_id) => this.endeavourMembers.admit(me, id, { user_id, role, stakeholder_roles });
    }
    readMembership.link(withoutRole(metadata));
    return (me, id, endeavourId) => this.endeavourLinks.admit(me, id, endeavourId);
  }

  private async end(
    me: Caller,
    kind: MembershipKind,
    { container, member, userId }: { container: string; member: string; userId: string | null },
  ): Promise<void> {
    if (kind === 'organization') {
      if (userId !== null) await this.organizationMembers.remove(me, container, userId, KEEP_NOTHING);
      else await this.organizationMembers.removeResource(me, container, member, KEEP_NOTHING);
    } else if (kind === 'team') await this.teams.remove(me, container, member);
    else if (kind === 'link') await this.endeavourLinks.unlink(me, container, member);
    else if (userId === null) throw notFound();
    else await this.endeavourMembers.remove(me, container, userId);
  }
}

/** Only people have roles; clients of other servers send one for every member. */
function withoutRole(metadata: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  if (metadata === undefined) return undefined;
  const { role: _ignored, ...rest } = metadata;
  return rest;
}

/** Runs the work; reports errors about the member under the name of its field in the relation. */
async function withRelationField(field: string, work: () => Promise<{ isNew: boolean }>): Promise<boolean> {
  try {
    return (await work()).isNew;
  } catch (error) {
    const errors = error instanceof ApiError ? (error.details?.fields as FieldError[] | undefined) : undefined;
    if (errors === undefined) throw error;
    throw invalidInput(
      errors.map((cause) => (MEMBER_FIELDS.includes(cause.field) ? { ...cause, ...renamed(cause, field) } : cause)),
    );
  }
}

const renamed = ({ field, message }: FieldError, to: string): Pick<FieldError, 'field' | 'message'> => ({
  field: to,
  message: message.replace(field, to),
});
