import { Injectable } from '@nestjs/common';
import { Access, type LockedResource } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { MemberReferences } from '../../access/memberships/member-references.js';
import { Memberships } from '../../access/memberships/memberships.js';
import { Tiers } from '../../access/tiers/tiers.js';
import { fromWire } from '../../common/texts/case.js';
import { forbidden, invalidField } from '../../common/errors.js';
import { newId } from '../../common/ids.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import { mergedChanges } from '../../platform/http/bodies/metadata.js';
import type { Page } from '../../platform/http/responses/page.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import { Listing } from '../../platform/listing/listing.js';
import type { CreateOrganizationDto, UpdateOrganizationDto } from './organization.dto.js';
import { Organization } from './organization.entity.js';
import { organizationList } from './organization.list.js';
import { organizationView } from './organization.view.js';
import { OrganizationMembersRepository } from './members/organization-members.repository.js';
import { OrganizationsRepository } from './organizations.repository.js';
import { SecondFactorRules } from './members/second-factor-rules.service.js';

/** Manages organizations, the tenants of the service. */
@Injectable()
export class OrganizationsService {
  constructor(
    private readonly access: Access,
    private readonly listing: Listing,
    private readonly memberReferences: MemberReferences,
    private readonly members: OrganizationMembersRepository,
    private readonly memberships: Memberships,
    private readonly organizations: OrganizationsRepository,
    private readonly secondFactors: SecondFactorRules,
    private readonly tiers: Tiers,
    private readonly writer: ResourceWriter,
  ) {}

  list(me: Caller, query: RawQuery): Promise<Page> {
    return this.listing.page(me, organizationList, query);
  }

  get(me: Caller, id: string, fields?: FieldNames): Promise<Representation> {
    return this.access.getOr404(me, organizationView, id, { fields });
  }

  /** Locks an organization for another feature; 404 if it is not visible, 403 if the role is too low. */
  lockForUpdate(
    me: Caller,
    operation: 'organizations_endeavours_add' | 'organizations_scim_tokens_create' | 'organizations_unshare',
    id: string,
  ): Promise<LockedResource<Organization>> {
    return this.access.lockForUpdate(me, operation, Organization, id);
  }

  /** The same for an organization in a field of the body: 400 if it is not visible. */
  lockReference(
    me: Caller,
    operation: 'organizations_endeavours_add',
    field: string,
    id: string,
  ): Promise<LockedResource<Organization>> {
    return this.access.lockReferenceForUpdate(me, operation, Organization, field, id);
  }

  /** Locks an organization regardless of its visibility; undefined if it does not exist. */
  lock(id: string): Promise<Organization | undefined> {
    return this.organizations.lock(id);
  }

  async create(me: Caller, dto: CreateOrganizationDto): Promise<Representation> {
    // An agent sees only what its manager sees, and the manager would not be a member of the organization.
    if (me.managerId !== undefined) throw forbidden('a person');
    await this.tiers.assertMayCreateOrganization(me);
    const id = newId('organization');
    return this.writer.create(me, organizationView, Organization, {
      row: { id, ...fromWire(dto), createdBy: me.resourceId },
      place: { organizationId: id },
      title: dto.name,
      childRows: () => this.memberships.addFirstOwner('organization', id, me),
    });
  }

  async update(me: Caller, id: string, dto: UpdateOrganizationDto): Promise<Representation> {
    const opened = await this.access.lockForUpdate(me, 'organizations_update', Organization, id);
    await this.secondFactors.assertMayChange(me, opened, dto);
    const scimReassignTo = await this.heirOf(me, id, dto.scim_reassign_to);
    this.access.assertWritable(opened);
    const { revoke_tokens: _revokes, ...sent } = dto;
    const changed = await this.writer.patch(me, organizationView, Organization, {
      current: opened.row,
      changes: { ...mergedChanges(opened.row, sent), scimReassignTo },
      place: opened.place,
      entityChanges: { title: dto.name },
      type: ({ status }) => (status === undefined ? undefined : 'organization.status_changed'),
    });
    const { second_factor: rule = opened.row.secondFactor } = dto;
    return this.secondFactors.apply(me, id, dto, changed, rule === 'required');
  }

  /** The resource that a body names as `scim_reassign_to`; 400 for one that does not belong to the organization. */
  private async heirOf(me: Caller, id: string, sent: string | null | undefined): Promise<string | null | undefined> {
    if (typeof sent !== 'string') return sent;
    const { resourceId } = await this.memberReferences.member(me, 'scim_reassign_to', sent);
    if ((await this.members.memberOfResource(id, resourceId)) !== undefined) return resourceId;
    throw invalidField(
      'scim_reassign_to',
      'invalid_value',
      'scim_reassign_to must be a member of the organization, or a resource that belongs to it.',
    );
  }
}
