import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { InnerLists } from '../../access/inner-lists.js';
import type { Kind } from '../../common/kinds.js';
import type { Page } from '../../platform/http/page.js';
import type { RawQuery } from '../../platform/http/query-parameters.js';
import type { Statement } from '../../platform/listing/definition.js';
import { Listing } from '../../platform/listing/listing.js';
import { InvitationsService } from '../invitations/invitations.service.js';
import { RelationsService } from '../relations/relations.service.js';
import { historyList } from './history.list.js';

/** Reads the change history of one entity. */
@Injectable()
export class HistoryService {
  /** The kinds whose container does not decide alone who can see an entity; these reads refuse with 404. */
  private readonly reads: Partial<Record<Kind, (me: Caller, id: string) => Promise<unknown>>> = {
    invitation: (me, id) => this.invitations.get(me, id, ['id']),
    relation: (me, id) => this.relations.get(me, id, ['id']),
  };

  constructor(
    private readonly innerLists: InnerLists,
    private readonly invitations: InvitationsService,
    private readonly listing: Listing,
    private readonly relations: RelationsService,
  ) {}

  async page(me: Caller, kind: Kind, id: string, query: RawQuery): Promise<Page> {
    const list = historyList({ isConfined: me.containerId !== undefined });
    const belongs = (thing: string): string => `v.entity_id = ${thing}`;
    const read = this.reads[kind];
    if (read === undefined) return this.innerLists.page(me, id, query, { list, belongs });
    const request = this.listing.read(list, query);
    await read(me, id);
    return this.listing.pageOf(me, { ...list, baseCondition: ({ bind }: Statement) => belongs(bind(id)) }, request);
  }
}
