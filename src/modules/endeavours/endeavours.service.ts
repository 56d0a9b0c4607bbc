import { Injectable } from '@nestjs/common';
import { Access, type AuthorizedResource, type LockedResource } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { MembershipRows } from '../../access/memberships/membership-rows.js';
import { Memberships } from '../../access/memberships/memberships.js';
import { ExternalRefs } from '../../access/references/external-refs.js';
import { Tiers } from '../../access/tiers/tiers.js';
import { fromWire } from '../../common/texts/case.js';
import type { DeclaredField } from '../../common/declared-field.js';
import { conflict, forbidden, outsideRestriction } from '../../common/errors.js';
import { newId } from '../../common/ids.js';
import { rankOf } from '../../common/roles.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import { mergeExternalRef } from '../../platform/http/bodies/fields.js';
import type { Page } from '../../platform/http/responses/page.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import { Listing } from '../../platform/listing/listing.js';
import { OrganizationEndeavoursService } from '../organizations/organization-endeavours.service.js';
import { UsersService } from '../users/users.service.js';
import { DatedWork } from './dates/dated-work.js';
import { CompletionService } from './dates/completion.service.js';
import { assertDateOrder, endeavourChanges, datesOf } from './dates/endeavour-changes.js';
import type { CreateEndeavourDto, UpdateEndeavourDto } from './endeavour.dto.js';
import { Endeavour } from './endeavour.entity.js';
import { endeavourLifecycle } from './endeavour.lifecycle.js';
import { endeavourList } from './endeavour.list.js';
import { endeavourView } from './endeavour.view.js';
import { EndeavoursRepository } from './endeavours.repository.js';
import { changedKeys, declaredFields } from './fields/declared-fields.js';
import { FieldRenewals } from './fields/field-renewals.service.js';
import { FieldValuesRepository } from './fields/field-values.repository.js';
import { GoalMembership } from './goals/goal-membership.service.js';
import { GoalLinks } from './goals/goal-links.service.js';
import { assertGoalIds, completeGoal, removedGoalIds } from './goals/goals.js';
import { removedStages, stagesAfter, type Stage } from './stages/stages.js';

/** Manages endeavours, the containers of work. */
@Injectable()
export class EndeavoursService {
  constructor(
    private readonly access: Access,
    private readonly completion: CompletionService,
    private readonly datedWork: DatedWork,
    private readonly endeavours: EndeavoursRepository,
    private readonly externalRefs: ExternalRefs,
    private readonly fieldRenewals: FieldRenewals,
    private readonly fieldValues: FieldValuesRepository,
    private readonly goalLinks: GoalLinks,
    private readonly goalMembership: GoalMembership,
    private readonly links: OrganizationEndeavoursService,
    private readonly listing: Listing,
    private readonly memberships: Memberships,
    private readonly membershipRows: MembershipRows,
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
    return withKey(await this.createWithFreeKey(me, dto), dto.key);
  }

  /** Like {@link create}, but the endeavour gets a similar key if another one has or had the requested one. */
  async createWithFreeKey(me: Caller, dto: CreateEndeavourDto): Promise<Representation> {
    const { organization_id, goals, stages, fields: sent, start_date, start_day, ...rest } = dto;
    const { end_date, end_day, external_ref, ...fields } = rest;
    const organization = organization_id === undefined ? undefined : await this.organizationFor(me, organization_id);
    if (me.containerId !== undefined && me.containerId !== organization_id) throw outsideRestriction();
    // The manager of an agent could not see such an endeavour, and an agent sees no more than its manager.
    if (me.managerId !== undefined && organization === undefined) throw forbidden('a home organization for it');
    assertGoalIds(goals ?? [], []);
    const newStages = stagesAfter(stages ?? [], null);
    const declared = declaredFields(sent);
    await this.goalLinks.assertVisible(me, goals);
    if (organization !== undefined) this.access.assertWritable(organization);
    await this.assertTier(me, dto);
    if (organization !== undefined) await this.holdMembership(me, organization.id);
    const id = newId('endeavour');
    const locale = await this.users.localeOf(me.userId);
    const { timezone = locale.timezone, lang = locale.lang } = dto;
    const row = {
      id,
      ...fromWire(fields),
      timezone,
      lang,
      goals: (goals ?? []).map((goal) => completeGoal(goal)),
      stages: newStages,
      fields: declared,
      ...(await datesOf({ start_date, start_day, end_date, end_day }, timezone)),
      organizationId: organization_id,
      externalRef: mergeExternalRef(null, external_ref),
      createdBy: me.resourceId,
    };
    assertDateOrder(row);
    await this.externalRefs.lock(endeavourView, organization_id ?? me.resourceId, row.externalRef);
    return this.writer.create(me, endeavourView, Endeavour, {
      row,
      place: { endeavourId: id },
      title: dto.name,
      childRows: () => this.addOwnerAndLink(me, id, organization_id),
    });
  }

  async update(me: Caller, id: string, dto: UpdateEndeavourDto): Promise<Representation> {
    const locked = await this.lock(me, id, dto);
    assertGoalIds(dto.goals ?? [], locked.row.goals);
    const stages = dto.stages === undefined ? undefined : stagesAfter(dto.stages ?? [], locked.row.stages);
    const declared = dto.fields === undefined ? undefined : declaredFields(dto.fields);
    await this.goalLinks.assertVisible(me, dto.goals ?? undefined);
    this.access.assertWritable(locked);
    const hidden = dto.goals ? await this.goalLinks.hiddenFrom(me, locked.row) : [];
    if (dto.goals !== undefined)
      await this.goalMembership.assertUnserved(removedGoalIds(locked.row.goals, dto.goals ?? []));
    if (stages !== undefined) await this.assertUnused(id, removedStages(locked.row.stages, stages));
    const changes = await endeavourChanges(locked.row, dto, { hidden, stages, declared });
    const { organizationId, createdBy } = locked.row;
    await this.externalRefs.lock(endeavourView, organizationId ?? createdBy, changes.externalRef);
    const { startDate = locked.row.startDate, endDate = locked.row.endDate } = changes;
    assertDateOrder({ startDate, endDate });
    if (dto.status !== undefined) Object.assign(changes, await this.move(me, locked, dto.status));
    const written = await this.writer.patch(me, endeavourView, Endeavour, {
      current: locked.row,
      changes,
      place: locked.place,
      entityChanges: { title: dto.name },
      type: ({ status }) => (status === undefined ? undefined : 'endeavour.status_changed'),
    });
    const patched = withKey(written, dto.key);
    if (changes.timezone !== undefined) await this.datedWork.followTimezone(id);
    if (dto.goals !== undefined) await this.completion.completeIfDone(me, id);
    const updated = dto.goals === undefined ? patched : await this.get(me, id);
    return declared === undefined ? updated : this.withUnfitting(updated, locked.row, declared);
  }

  /** Locks the endeavour for a change of its labels. */
  lockForLabels(me: Caller, id: string): Promise<LockedResource<Endeavour>> {
    return this.access.lockForUpdate(me, 'endeavours_labels_update', Endeavour, id);
  }

  /** Returns the time zone in which the days of the endeavour begin and end. */
  async timezoneOf(id: string): Promise<string> {
    return (await this.endeavours.timezoneOf(id)) ?? 'UTC';
  }

  /** 403 unless the caller is admin of the home organization that work leaves with the move, if it leaves one. */
  async assertMayLeaveHome(me: Caller, from: string, to: string): Promise<void> {
    const move = await this.endeavours.moveBetween(me, from, to);
    if (move === undefined || move.stays || me.isAdmin || move.rank >= rankOf('admin')) return;
    throw forbidden('the admin role in the home organization that the task leaves');
  }

  /** Rejects new or reopened work in a completed endeavour (spec 04). */
  assertTakesWork({ containerStatus }: Pick<AuthorizedResource, 'containerStatus'>): void {
    if (containerStatus === 'completed') {
      throw conflict('completed', 'The endeavour is completed; reopen it first.');
    }
  }

  /** The stages that tasks of the endeavour go through; null if it has none. */
  stagesOf(id: string): Promise<Stage[] | null> {
    return this.endeavours.stagesOf(id);
  }

  /** The fields that the endeavour declares; null if it declares none. */
  fieldsOf(id: string): Promise<DeclaredField[] | null> {
    return this.endeavours.fieldsOf(id);
  }

  /** Waits for everybody who writes in the endeavour, and blocks others until the commit. */
  lockAgainstWrites(id: string): Promise<void> {
    return this.endeavours.lockAgainstWrites(id);
  }

  private async assertTier(me: Caller, { status, organization_id }: CreateEndeavourDto): Promise<void> {
    if (status !== 'pending') await this.tiers.assertMayActivateEndeavour(me, organization_id);
    else if (organization_id !== undefined) await this.tiers.assertMayLinkEndeavour(me, organization_id);
  }

  /** Rejects the removal of stages in which tasks are shown. */
  private async assertUnused(id: string, removed: readonly Stage[]): Promise<void> {
    if (removed.length === 0) return;
    const count = await this.endeavours.countInStages(id, removed);
    if (count === 0) return;
    const names = removed.map(({ name }) => name).join(', ');
    throw conflict('in_use', `${count} tasks are in stages that would go (${names}); move them first.`, { count });
  }

  /** Reads the values of changed fields, and adds how many of them no longer fit. */
  private async withUnfitting(
    updated: Representation,
    { id, fields: former }: Endeavour,
    declared: Endeavour['fields'],
  ): Promise<Representation> {
    await this.fieldRenewals.begin(id);
    const keys = changedKeys(former, declared);
    return updated.with({ unfitting_values: keys.length === 0 ? [] : await this.fieldValues.unfitting(id, keys) });
  }

  /**
   * Locks the endeavour; exclusively for a patch that may complete it, take a stage away from tasks, or change the fields
   * by which values are checked and read.
   */
  private lock(
    me: Caller,
    id: string,
    { status, goals, stages, fields }: UpdateEndeavourDto,
  ): Promise<LockedResource<Endeavour>> {
    const isExclusive = status === 'completed' || [goals, stages, fields].some((sent) => sent !== undefined);
    return isExclusive
      ? this.access.lockExclusively(me, 'endeavours_update', Endeavour, id)
      : this.access.lockForUpdate(me, 'endeavours_update', Endeavour, id);
  }

  private organizationFor(me: Caller, organizationId: string): Promise<AuthorizedResource> {
    return this.access.resolveReference(me, 'organizations_take_in', 'organization_id', organizationId, 'organization');
  }

  /**
   * Checks the caller's role in the organization again and locks it until the transaction ends: a removal from the
   * organization either comes first, or waits and then also ends the direct role in the new endeavour. Called after
   * the limits of the tier, because they lock the organization, which comes before its memberships.
   */
  private async holdMembership(me: Caller, organizationId: string): Promise<void> {
    if ((await this.membershipRows.rankIn(me, organizationId)) >= rankOf('member')) return;
    throw forbidden('the member role in this organization');
  }

  private async addOwnerAndLink(me: Caller, id: string, organizationId: string | undefined): Promise<void> {
    await this.memberships.addFirstOwner('endeavour', id, me);
    if (organizationId === undefined) return;
    await this.links.insert(me, { organization_id: organizationId, endeavour_id: id });
  }

  private async move(
    me: Caller,
    { row }: LockedResource<Endeavour>,
    to: UpdateEndeavourDto['status'] & string,
  ): Promise<Partial<Endeavour>> {
    if (to === row.status) return {};
    endeavourLifecycle.assertMove(row.status, to);
    if (to === 'completed') await this.completion.assertNoOpenTasks(row.id);
    // The limit counts the endeavours that the caller has created.
    if (to === 'active' && row.createdBy === me.resourceId) await this.tiers.assertMayActivateEndeavour(me);
    return { status: to, completedAt: to === 'completed' ? new Date() : null };
  }
}

/** 409 if the database has given the endeavour another key than the requested one, which is taken. */
function withKey(written: Representation, key: string | undefined): Representation {
  if (key === undefined || written.read(endeavourView).key === key) return written;
  throw conflict('key_taken', `Another endeavour has or had the key ${key}. Choose another one.`);
}
