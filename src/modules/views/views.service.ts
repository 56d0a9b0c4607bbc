import { Injectable } from '@nestjs/common';
import { Access, type AuthorizedResource } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { SavedQueries } from '../../access/operations/saved-queries.js';
import { fromWire } from '../../common/texts/case.js';
import { invalidField } from '../../common/errors.js';
import { newId } from '../../common/ids.js';
import type { Kind } from '../../common/kinds.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import type { ResourceScope } from '../../platform/context/actor.js';
import { EventEraser } from '../../platform/events/event-eraser.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import type { Page, PageMeta } from '../../platform/http/responses/page.js';
import type { RawQuery, SavedQuery } from '../../platform/http/requests/query-parameters.js';
import type { ListDefinition } from '../../platform/listing/definition.js';
import { Listing } from '../../platform/listing/listing.js';
import { SavedLists } from '../../platform/listing/saved-lists.js';
import { FieldLists } from '../endeavours/fields/field-lists.service.js';
import { mergedQuery } from './list-query.field.js';
import type { ListedKind } from './listed-kinds.js';
import { SavedView } from './saved-view.entity.js';
import type { CreateViewDto, UpdateViewDto } from './view.dto.js';
import { viewList } from './view.list.js';
import { assertFits, assertRoomFor } from './view.rules.js';
import { viewView } from './view.view.js';
import { ViewsRepository } from './views.repository.js';

/** How many rows a view lists. */
export type ViewCount = Pick<PageMeta, 'total' | 'total_is'>;

/** Manages views, which are saved queries of lists. */
@Injectable()
export class ViewsService {
  constructor(
    private readonly access: Access,
    private readonly eventEraser: EventEraser,
    private readonly fieldLists: FieldLists,
    private readonly listing: Listing,
    private readonly lists: SavedLists,
    private readonly repository: ViewsRepository,
    private readonly writer: ResourceWriter,
    savedQueries: SavedQueries,
  ) {
    savedQueries.register((me, id, kind) => this.queryOf(me, id, kind));
  }

  list(me: Caller, query: RawQuery): Promise<Page> {
    return this.listing.page(me, viewList, query);
  }

  get(me: Caller, id: string, fields?: FieldNames): Promise<Representation> {
    return this.access.getOr404(me, viewView, id, { fields });
  }

  /** Counts what the caller sees of the rows that the view lists. */
  async count(me: Caller, id: string): Promise<ViewCount> {
    const { kind, query } = await this.savedOf(me, id);
    const request = { query: { limit: '200', fields: 'id' }, lenient: false, saved: query };
    const list = await this.fieldLists.listFor(me, this.lists.of(kind), request);
    const { meta } = await this.listing.page(me, list, request);
    return { total: meta.total, ...(meta.total_is && { total_is: meta.total_is }) };
  }

  async create(me: Caller, dto: CreateViewDto): Promise<Representation> {
    const { query: sent, columns = [], group_by: groupBy = null, is_default: isDefault = false, ...rest } = dto;
    const query = mergedQuery({}, sent);
    assertFits(await this.listOf(me, dto.kind, query), { query, columns, groupBy });
    const place = await this.placeFor(me, dto);
    const containerId = containerIn(place) ?? me.resourceId;
    assertRoomFor(1, await this.repository.countIn(containerId));
    if (isDefault) await this.endDefault(me, containerId, dto.kind);
    const row = { ...fromWire(rest), id: newId('view'), query, columns, groupBy, isDefault, containerId };
    return this.writer.create(me, viewView, SavedView, {
      row: { ...row, createdBy: me.resourceId },
      place,
      title: dto.name,
    });
  }

  async update(me: Caller, id: string, dto: UpdateViewDto): Promise<Representation> {
    if (dto.is_default === true) await this.lockContainerOf(me, id);
    const locked = await this.access.lockForUpdate(me, 'views_update', SavedView, id);
    this.access.assertWritable(locked);
    const { row, place } = locked;
    const { query: sent, ...rest } = dto;
    const changes = { ...(fromWire(rest) as Partial<SavedView>), ...(sent && { query: mergedQuery(row.query, sent) }) };
    const { query = row.query, columns = row.columns, groupBy = row.groupBy } = changes;
    assertFits(await this.listOf(me, row.kind, query), { query, columns, groupBy });
    if (changes.isDefault === true && !row.isDefault) await this.endDefault(me, row.containerId, row.kind);
    return this.writer.patch(me, viewView, SavedView, {
      current: row,
      changes,
      place,
      entityChanges: { title: dto.name },
    });
  }

  async remove(me: Caller, id: string): Promise<void> {
    const locked = await this.access.lockForUpdate(me, 'views_delete', SavedView, id);
    this.access.assertWritable(locked);
    const name = 'Deleted view';
    const changes = { name, query: {}, deletedAt: new Date() };
    await this.writer.remove(me, viewView, SavedView, locked.row, locked.place, changes, name);
    await this.eventEraser.blankTexts(viewView, id);
  }

  /** The list of that kind, with the declared fields that the query names. */
  private listOf(me: Caller, kind: ListedKind, query: SavedQuery): Promise<ListDefinition> {
    return this.fieldLists.listFor(me, this.lists.of(kind), { query });
  }

  /** The parameters that a list of that kind takes from the view. */
  private async queryOf(me: Caller, id: string, kind: Kind): Promise<SavedQuery> {
    const saved = await this.savedOf(me, id);
    if (saved.kind === kind) return saved.query;
    throw invalidField('view', 'invalid_value', `The view is one of ${saved.kind}s.`);
  }

  private async savedOf(me: Caller, id: string): Promise<{ kind: ListedKind; query: SavedQuery }> {
    return (await this.access.getOr404(me, viewView, id, { fields: ['kind', 'query'] })).read(viewView);
  }

  /** The container is locked, so that its views are counted and its default changes one by one. */
  private async placeFor(me: Caller, { endeavour_id, organization_id }: CreateViewDto): Promise<ResourceScope> {
    if (endeavour_id !== undefined && organization_id !== undefined) {
      const message = 'Set either organization_id or endeavour_id, not both.';
      throw invalidField('organization_id', 'invalid_value', message);
    }
    if (endeavour_id === undefined && organization_id === undefined) {
      await this.access.lock(me, me.resourceId, { exclusive: true });
      return { ownerUserId: me.userId };
    }
    const container = await this.lockShared(me, endeavour_id, organization_id);
    this.access.assertWritable(container);
    return container.place;
  }

  private lockShared(me: Caller, endeavourId?: string, organizationId?: string): Promise<AuthorizedResource> {
    const [field, id, kind] =
      endeavourId === undefined
        ? (['organization_id', organizationId ?? '', 'organization'] as const)
        : (['endeavour_id', endeavourId, 'endeavour'] as const);
    return this.access.lockReference(me, 'views_create', field, id, { kind, exclusive: true });
  }

  /** Locks the container of a view, which never changes, before the view. */
  private async lockContainerOf(me: Caller, id: string): Promise<void> {
    await this.access.authorizeWithoutLock(me, 'views_update', id);
    const containerId = await this.repository.containerOf(id);
    if (containerId !== undefined) await this.access.lock(me, containerId, { exclusive: true });
  }

  private async endDefault(me: Caller, containerId: string, kind: ListedKind): Promise<void> {
    const id = await this.repository.defaultIn(containerId, kind);
    if (id === undefined) return;
    const { row, place } = await this.access.lockForUpdate(me, 'views_update', SavedView, id);
    await this.writer.patch(me, viewView, SavedView, { current: row, changes: { isDefault: false }, place });
  }
}

const containerIn = ({ endeavourId, organizationId }: ResourceScope): string | null | undefined =>
  endeavourId ?? organizationId;
