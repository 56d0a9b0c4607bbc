import { Injectable } from '@nestjs/common';
import { forbidden } from '../../common/errors.js';
import type { EndeavourRole } from '../../common/roles.js';
import type { EventRecord } from '../../platform/events/event-payload.js';
import { EventRecorder } from '../../platform/events/event-recorder.js';
import { HomeDeparturesRepository, type FormerRole, type SharingLink } from './home-departures.repository.js';
import type { Caller } from '../authentication/caller.js';
import { RoleLosses } from '../permissions/role-losses.js';
import type { Granter, Member } from './membership-rows.js';

const ADMIN = 3;
const OWNER = 4;

/** The rights that a departing member keeps. */
export interface KeptRoles {
  /** Direct roles in endeavours of the organization, lowered to `member`. */
  endeavours: boolean;
  /** Links of its endeavours and resources to organizations in which the member is admin or owner. */
  links: boolean;
}

interface EndedRole {
  endeavour_id: string;
  role: EndeavourRole;
}

/** The link of an entity of the organization to another organization, and whether the departure has ended it. */
interface ReportedLink extends SharingLink {
  ended: boolean;
}

/** The roles that ended with the departure, and the outsiders and links that the departed member had added. */
export interface DepartureReport {
  ended: EndedRole[];
  outsiders: (EndedRole & { user_id: string })[];
  links: ReportedLink[];
}

/**
 * Ends the roles and links that a person keeps in the endeavours and resources of an organization after leaving it
 * (spec 02). Called in the transaction that has ended the membership: by then, it has waited for concurrent transactions
 * that relied on the membership.
 */
@Injectable()
export class HomeDepartures {
  constructor(
    private readonly repository: HomeDeparturesRepository,
    private readonly events: EventRecorder,
    private readonly losses: RoleLosses,
  ) {}

  /** Rejects `kept` unless the caller's `rank` in the organization allows it. */
  assertMayKeep(me: Caller, { resourceId }: Member, rank: number, kept: KeptRoles): void {
    const isMyself = resourceId === me.resourceId;
    if (kept.endeavours && (isMyself || rank < ADMIN)) {
      throw forbidden(
        'the admin role in this organization',
        'keep_endeavours requires the admin role in this organization, and does not apply when you leave it yourself.',
      );
    }
    if (kept.links && (isMyself || rank < OWNER)) {
      throw forbidden(
        'the owner role in this organization',
        'keep_links requires the owner role in this organization, and does not apply when you leave it yourself.',
      );
    }
  }

  /** The direct roles that {@link endRolesAndLinks} would end. */
  rolesOf(organizationId: string, userId: string): Promise<FormerRole[]> {
    return this.repository.rolesOf(organizationId, userId);
  }

  /** Those of the roles that can be given back: in endeavours that are still at home there, and open. */
  async returnable(organizationId: string, roles: readonly FormerRole[]): Promise<FormerRole[]> {
    const open = await this.repository.openAtHome(
      organizationId,
      roles.map(({ endeavour_id }) => endeavour_id),
    );
    return roles.filter(({ endeavour_id }) => open.includes(endeavour_id));
  }

  async endRolesAndLinks(
    me: Granter,
    organizationId: string,
    member: Member & { userId: string },
    kept: KeptRoles,
  ): Promise<DepartureReport> {
    const { repository } = this;
    const { userId } = member;
    const outsiders = await repository.outsidersBy(organizationId, userId);
    const added = await repository.linksBy(organizationId, userId);
    const ended = kept.endeavours ? [] : await repository.endRoles(organizationId, userId);
    const lowered = kept.endeavours ? await repository.lowerRoles(organizationId, userId) : [];
    const deleted = kept.links ? [] : await repository.deleteLinks(organizationId, userId);
    await this.events.recordAll(me, [
      ...ended.map((role) => roleEvent('member.removed', member, role, null)),
      ...lowered.map((role) => roleEvent('member.changed', member, role, 'member')),
      ...deleted.map(linkEvent),
    ]);
    await this.losses.announce(me, userId);
    return { ended, outsiders, links: reportedLinks(added, deleted) };
  }
}

function roleEvent(
  type: string,
  { resourceId, userId }: Member,
  { endeavour_id, role }: EndedRole,
  next: string | null,
): EventRecord {
  return {
    kind: 'endeavour',
    id: endeavour_id,
    place: { endeavourId: endeavour_id },
    type,
    previous: { role },
    data: { resource_id: resourceId, user_id: userId, role: next ?? role },
    audience: [resourceId],
  };
}

function linkEvent({ organization_id, endeavour_id, resource_id }: SharingLink): EventRecord {
  if (endeavour_id === null) {
    const place = { organizationId: organization_id };
    return {
      kind: 'organization',
      id: organization_id,
      place,
      type: 'member.removed',
      data: { resource_id },
      audience: [String(resource_id)],
    };
  }
  const place = { organizationId: organization_id, endeavourId: endeavour_id };
  return {
    kind: 'endeavour',
    id: endeavour_id,
    place,
    type: 'endeavour.unlinked',
    data: { organization_id, endeavour_id },
  };
}

const keyOf = ({ organization_id, endeavour_id, resource_id }: SharingLink): string =>
  `${organization_id} ${endeavour_id ?? resource_id}`;

/** Returns the deleted links, and the links that the member added and that remain. */
function reportedLinks(added: readonly SharingLink[], deleted: readonly SharingLink[]): ReportedLink[] {
  const deletedKeys = new Set(deleted.map(keyOf));
  const remaining = added.filter((link) => !deletedKeys.has(keyOf(link)));
  return [
    ...deleted.map((link) => ({ ...link, ended: true })),
    ...remaining.map((link) => ({ ...link, ended: false })),
  ];
}
