import { Injectable } from '@nestjs/common';
import { forbidden } from '../common/errors.js';
import type { EndeavourRole } from '../common/roles.js';
import type { EventRecord } from '../platform/events/event-payload.js';
import { EventRecorder } from '../platform/events/event-recorder.js';
import { HomeDeparturesRepository, type EndedLink } from './home-departures.repository.js';
import type { Caller } from './caller.js';
import type { Member } from './membership-rows.js';

const ADMIN = 3;
const OWNER = 4;

/** What a departing member keeps. */
export interface KeptRoles {
  /** Direct roles in endeavours of the organization, as member at most. */
  endeavours: boolean;
  /** Links of its endeavours and resources into organizations of that person. */
  links: boolean;
}

export interface EndedRole {
  endeavour_id: string;
  role: EndeavourRole;
}

/** An entity of the organization that is, or was until now, shared with another organization. */
export interface BroughtLink {
  organization_id: string;
  endeavour_id: string | null;
  resource_id: string | null;
  ended: boolean;
}

/** The effects of a member leaving the home organization, and the outsiders and links that the member had added. */
export interface DepartureReport {
  ended: EndedRole[];
  outsiders: (EndedRole & { user_id: string })[];
  links: BroughtLink[];
}

/**
 * Ends the roles and links that a person had through an organization in the endeavours and resources whose home it is
 * (spec 02). Called after the membership has ended, in the same transaction: concurrent transactions that relied on it
 * have been waited for by then.
 */
@Injectable()
export class HomeDepartures {
  constructor(
    private readonly repository: HomeDeparturesRepository,
    private readonly events: EventRecorder,
  ) {}

  /** `rank` is the caller's rank in the organization. */
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

  async settle(me: Caller, organizationId: string, userId: string, kept: KeptRoles): Promise<DepartureReport> {
    const { repository } = this;
    const outsiders = await repository.outsidersBy(organizationId, userId);
    const brought = await repository.linksBy(organizationId, userId);
    const ended = kept.endeavours ? [] : await repository.endRoles(organizationId, userId);
    const lowered = kept.endeavours ? await repository.lowerRoles(organizationId, userId) : [];
    const cut = kept.links ? [] : await repository.cutLinks(organizationId, userId);
    await this.events.recordAll(me, [
      ...ended.map((role) => roleNote('member.removed', userId, role, null)),
      ...lowered.map((role) => roleNote('member.changed', userId, role, 'member')),
      ...cut.map(linkNote),
    ]);
    return { ended, outsiders, links: reported(brought, cut) };
  }
}

function roleNote(type: string, userId: string, { endeavour_id, role }: EndedRole, next: string | null): EventRecord {
  return {
    kind: 'endeavour',
    id: endeavour_id,
    place: { endeavourId: endeavour_id },
    type,
    previous: { role },
    data: { user_id: userId, role: next ?? role },
  };
}

function linkNote({ organization_id, endeavour_id, resource_id }: EndedLink): EventRecord {
  if (endeavour_id === null) {
    const place = { organizationId: organization_id };
    return { kind: 'organization', id: organization_id, place, type: 'member.removed', data: { resource_id } };
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

const keyOf = ({ organization_id, endeavour_id, resource_id }: EndedLink): string =>
  `${organization_id} ${endeavour_id ?? resource_id}`;

/** The links that were cut, and those that the person created to other organizations, without duplicates. */
function reported(brought: readonly EndedLink[], cut: readonly EndedLink[]): BroughtLink[] {
  const gone = new Set(cut.map(keyOf));
  const kept = brought.filter((link) => !gone.has(keyOf(link)));
  return [...cut.map((link) => ({ ...link, ended: true })), ...kept.map((link) => ({ ...link, ended: false }))];
}
