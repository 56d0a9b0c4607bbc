import { Injectable } from '@nestjs/common';
import { Access, type AuthorizedResource, type LockedResource } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { Memberships } from '../../access/memberships.js';
import { ExternalRefs } from '../../access/external-refs.js';
import { Tiers } from '../../access/tiers.js';
import { fromWire } from '../../common/case.js';
import {
  conflict,
  forbidden,
  outsideRestriction,
  invalidField,
  invalidInput,
  referenceNotFound,
} from '../../common/errors.js';
import { kindOf, newId } from '../../common/ids.js';
import { rankOf } from '../../common/roles.js';
import { resolveDateOrDateTime, type DayEdge } from '../../common/time.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import type { FieldNames, Representation } from '../../platform/database/view.js';
import { mergeExternalRef } from '../../platform/http/fields.js';
import { mergeMetadata } from '../../platform/http/metadata.js';
import type { Page } from '../../platform/http/page.js';
import type { RawQuery } from '../../platform/http/query-parameters.js';
import { Listing } from '../../platform/listing/listing.js';
import { OrganizationEndeavoursService } from '../organizations/organization-endeavours.service.js';
import { UsersService } from '../users/users.service.js';
import { CompletionService } from './completion.service.js';
import type { CreateEndeavourDto, GoalDto, UpdateEndeavourDto } from './endeavour.dto.js';
import { Endeavour } from './endeavour.entity.js';
import { endeavourLifecycle } from './endeavour.lifecycle.js';
import { endeavourList } from './endeavour.list.js';
import { endeavourView } from './endeavour.view.js';
import { EndeavoursRepository } from './endeavours.repository.js';
import { assertKept, completeGoal } from './goals.js';

/** Manages endeavours, the containers of work. */
@Injectable()
export class EndeavoursService {
  constructor(
    private readonly access: Access,
    private readonly completion: CompletionService,
    private readonly endeavours: EndeavoursRepository,
    private readonly externalRefs: ExternalRefs,
    private readonly links: OrganizationEndeavoursService,
    private readonly listing: Listing,
    private readonly memberships: Memberships,
    private readonly tiers: Tiers,
    private readonly users: UsersService,
    private readonly writer: ResourceWriter,
  ) {}

  list(me: Caller, query: RawQuery): Promise<Page> {
    return this.listing.page(me, endeavourList, query);
  }

  get(me: Caller, id: string, fields?: FieldNames): Promise<Representation> {
    return this.access.getOr404(me, endeavourView, id, { fields });
  }

  async create(me: Caller, dto: CreateEndeavourDto): Promise<Representation> {
    const { organization_id, goals, start_date, end_date, external_ref, ...sent } = dto;
    const organization = organization_id === undefined ? undefined : await this.organizationFor(me, organization_id);
    if (me.containerId !== undefined && me.containerId !== organization_id) throw outsideRestriction();
    // An agent's manager could not see it, so the agent could not either.
    if (me.managerId !== undefined && organization === undefined) throw forbidden('a home organization for it');
    assertKept(goals ?? [], []);
    await this.assertLinks(me, goals);
    if (organization !== undefined) this.access.assertWritable(organization);
    await this.assertTier(me, dto);
    const id = newId('endeavour');
    const locale = await this.users.localeOf(me.userId);
    const { timezone = locale.timezone, lang = locale.lang } = dto;
    const row = {
      id,
      ...fromWire(sent),
      timezone,
      lang,
      goals: (goals ?? []).map(completeGoal),
      ...datesOf({ start_date, end_date }, timezone),
      organizationId: organization_id,
      externalRef: mergeExternalRef(null, external_ref),
      createdBy: me.resourceId,
    };
    assertOrder(row);
    await this.externalRefs.hold(endeavourView, organization_id ?? me.resourceId, row.externalRef);
    return this.writer.create(me, endeavourView, Endeavour, {
      row,
      place: { endeavourId: id },
      title: dto.name,
      childRows: () => this.settle(me, id, organization_id),
    });
  }

  async update(me: Caller, id: string, dto: UpdateEndeavourDto): Promise<Representation> {
    const opened = await this.opened(me, id, dto);
    assertKept(dto.goals ?? [], opened.row.goals);
    await this.assertLinks(me, dto.goals ?? undefined);
    this.access.assertWritable(opened);
    const changes = changesOf(opened.row, dto);
    const { organizationId, createdBy } = opened.row;
    await this.externalRefs.hold(endeavourView, organizationId ?? createdBy, changes.externalRef);
    const { startDate = opened.row.startDate, endDate = opened.row.endDate } = changes;
    assertOrder({ startDate, endDate });
    if (dto.status !== undefined) Object.assign(changes, await this.move(me, opened, dto.status));
    const patched = await this.writer.patch(me, endeavourView, Endeavour, {
      current: opened.row,
      changes,
      place: opened.place,
      entityChanges: { title: dto.name },
      type: ({ status }) => (status === undefined ? undefined : 'endeavour.status_changed'),
    });
    if (dto.goals === undefined) return patched;
    await this.completion.completeIfDone(me, id);
    return this.get(me, id);
  }

  /** The zone in which days begin and end in that endeavour. */
  async timezoneOf(id: string): Promise<string> {
    return (await this.endeavours.timezoneOf(id)) ?? 'UTC';
  }

  /** Refuses to take work out of a home organization to all but its admins. */
  async assertMayLeaveHome(me: Caller, from: string, to: string): Promise<void> {
    const passage = await this.endeavours.passage(me, from, to);
    if (passage === undefined || passage.stays || me.isAdmin || passage.rank >= rankOf('admin')) return;
    throw forbidden('the admin role in the home organization that the task leaves');
  }

  /** Refuses new or reopened work in an endeavour that is completed (spec 04). */
  assertTakesWork(found: Pick<AuthorizedResource, 'containerStatus'>): void {
    if (found.containerStatus === 'completed') {
      throw conflict('completed', 'The endeavour is completed; reopen it first.');
    }
  }

  private async assertTier(me: Caller, { status, organization_id }: CreateEndeavourDto): Promise<void> {
    if (status !== 'pending') await this.tiers.assertMayActivateEndeavour(me, organization_id);
    else if (organization_id !== undefined) await this.tiers.assertMayLinkEndeavour(me, organization_id);
  }

  /** A patch that may complete the endeavour needs an exclusive lock. */
  private opened(me: Caller, id: string, { status, goals }: UpdateEndeavourDto): Promise<LockedResource<Endeavour>> {
    const mayComplete = status === 'completed' || goals !== undefined;
    return mayComplete
      ? this.access.lockExclusively(me, 'endeavours_update', Endeavour, id)
      : this.access.lockForUpdate(me, 'endeavours_update', Endeavour, id);
  }

  private organizationFor(me: Caller, organizationId: string): Promise<AuthorizedResource> {
    return this.access.resolveReference(me, 'organizations_take_in', 'organization_id', organizationId, 'organization');
  }

  private async settle(me: Caller, id: string, organizationId: string | undefined): Promise<void> {
    await this.memberships.addFirstOwner('endeavour', id, me);
    if (organizationId === undefined) return;
    await this.links.insert(me, { organization_id: organizationId, endeavour_id: id });
  }

  /** The entity that a goal is linked to must be of the given type and visible to the caller. */
  private async assertLinks(me: Caller, goals: GoalDto[] = []): Promise<void> {
    const wanted = goals.map(({ linked_entity_id }) => linked_entity_id).filter((link) => link !== undefined);
    if (wanted.length === 0) return;
    const seen = await this.endeavours.visibleOf(me, wanted);
    const faults = goals.flatMap(({ linked_entity_id: link, linked_entity_type: type }, index) => {
      const isRight = link === undefined || (seen.has(link) && (type ?? kindOf(link)) === kindOf(link));
      return isRight ? [] : [referenceNotFound(`goals.${index}.linked_entity_id`)];
    });
    if (faults.length > 0) throw invalidInput(faults);
  }

  private async move(
    me: Caller,
    { row }: LockedResource<Endeavour>,
    to: UpdateEndeavourDto['status'] & string,
  ): Promise<Partial<Endeavour>> {
    if (to === row.status) return {};
    endeavourLifecycle.assertMove(row.status, to);
    if (to === 'completed') await this.completion.assertNothingOpen(row.id);
    if (to === 'active') await this.tiers.assertMayActivateEndeavour(me);
    return { status: to, completedAt: to === 'completed' ? new Date() : null };
  }
}

function changesOf(row: Endeavour, dto: UpdateEndeavourDto): Partial<Endeavour> {
  const { goals, start_date, end_date, external_ref, metadata, status: _status, ...sent } = dto;
  return {
    ...fromWire(sent),
    externalRef: mergeExternalRef(row.externalRef ?? null, external_ref),
    ...(goals !== undefined && { goals: (goals ?? []).map(completeGoal) }),
    ...datesOf({ start_date, end_date }, dto.timezone ?? row.timezone),
    metadata: mergeMetadata(row.metadata, metadata),
  };
}

type SentDates = { start_date?: string | null; end_date?: string | null };

function datesOf({ start_date, end_date }: SentDates, zone: string): Pick<Partial<Endeavour>, 'startDate' | 'endDate'> {
  const at = (value: string | null | undefined, edge: DayEdge) =>
    typeof value === 'string' ? resolveDateOrDateTime(value, edge, zone) : value;
  return { startDate: at(start_date, 'start'), endDate: at(end_date, 'end') };
}

function assertOrder({ startDate, endDate }: Partial<Endeavour>): void {
  if (startDate && endDate && endDate < startDate) {
    throw invalidField('end_date', 'out_of_range', 'end_date must not be before start_date.');
  }
}
