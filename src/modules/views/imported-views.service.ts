import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { BulkCreator } from '../../platform/events/bulk-creator.js';
import { bodyReaderFor } from '../../platform/http/bodies/fields/body-reader.js';
import { SavedLists } from '../../platform/listing/saved-lists.js';
import type { ListedKind } from './listed-kinds.js';
import { FieldLists, namesFields } from '../endeavours/fields/field-lists.service.js';
import { mergedQuery } from './list-query.field.js';
import { SavedView } from './saved-view.entity.js';
import { CreateViewDto, UpdateViewDto } from './view.dto.js';
import { viewView } from './view.view.js';
import { assertFits, assertRoomFor } from './view.rules.js';
import { ViewsRepository } from './views.repository.js';

/** A view that comes from another system: the body that POST accepts, and its author. */
export interface ImportedView {
  id: string;
  dto: CreateViewDto;
  createdAt: Date;
  createdBy: string;
}

/** Creates views of endeavours and organizations from an import. */
@Injectable()
export class ImportedViews {
  /** Validates the body as POST does, without what depends on the list. */
  readonly read = bodyReaderFor(CreateViewDto, 'create');
  /** Validates the body as PATCH does. */
  readonly readChanges = bodyReaderFor(UpdateViewDto, 'patch');

  constructor(
    private readonly bulkCreator: BulkCreator,
    private readonly fieldLists: FieldLists,
    private readonly lists: SavedLists,
    private readonly repository: ViewsRepository,
  ) {}

  /** Rejects what POST rejects because of the list. In a dry run, the declared fields that a query names are not here yet. */
  async assertFits(
    me: Caller,
    { kind, query: sent, columns = [], group_by: groupBy }: CreateViewDto,
    { isDryRun = false } = {},
  ): Promise<void> {
    const query = mergedQuery({}, sent);
    if (isDryRun && namesFields(query)) return;
    const list = await this.fieldLists.listFor(me, this.lists.of(kind), { query });
    assertFits(list, { query, columns, groupBy: groupBy ?? null });
  }

  /** Creates valid views. They are defaults where there is none of their kind. */
  async createAll(me: Caller, containerId: string, views: readonly ImportedView[]): Promise<void> {
    assertRoomFor(views.length, await this.repository.countIn(containerId));
    const place = containerId.startsWith('edv_') ? { endeavourId: containerId } : { organizationId: containerId };
    const rows: (Partial<SavedView> & { id: string; name: string; kind: ListedKind })[] = [];
    for (const { dto, ...view } of views) {
      const hasDefault = rows.some(({ kind, isDefault }) => isDefault === true && kind === dto.kind);
      const mayBeDefault = dto.is_default === true && !hasDefault;
      rows.push({
        ...view,
        ...place,
        name: dto.name,
        kind: dto.kind,
        query: mergedQuery({}, dto.query),
        columns: dto.columns ?? [],
        groupBy: dto.group_by ?? null,
        containerId,
        isDefault: mayBeDefault && (await this.repository.defaultIn(containerId, dto.kind)) === undefined,
        updatedAt: new Date(),
        revision: 1,
      });
    }
    await this.bulkCreator.createAll(
      me,
      viewView,
      SavedView,
      rows.map((row) => ({ row, place, title: row.name })),
    );
  }
}
