import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/authentication/caller.js';
import { ChildLists } from '../../../access/visibility/child-lists.js';
import type { Kind } from '../../../common/kinds.js';
import type { Page } from '../../../platform/http/responses/page.js';
import type { RawQuery } from '../../../platform/http/requests/query-parameters.js';
import type { Statement } from '../../../platform/listing/definition.js';
import { Listing } from '../../../platform/listing/listing.js';
import { InvitationsService } from '../../invitations/invitations.service.js';
import { MessagesService } from '../../messages/messages.service.js';
import { RelationsService } from '../../relations/relations.service.js';
import { historyList } from './history.list.js';

/** Lists the change history of an entity. */
@Injectable()
export class HistoryService {
  /** Visibility checks of kinds for which the container does not decide alone; 404 if the entity is not visible. */
  private readonly visibilityChecks: Partial<Record<Kind, (me: Caller, id: string) => Promise<unknown>>> = {
    invitation: (me, id) => this.invitations.get(me, id, ['id']),
    message: (me, id) => this.messages.get(me, id, ['id']),
    relation: (me, id) => this.relations.get(me, id, ['id']),
  };

  constructor(
    private readonly innerLists: ChildLists,
    private readonly invitations: InvitationsService,
    private readonly listing: Listing,
    private readonly messages: MessagesService,
    private readonly relations: RelationsService,
  ) {}

  async page(me: Caller, kind: Kind, id: string, query: RawQuery): Promise<Page> {
    const list = historyList({ isConfined: me.containerId !== undefined });
    const belongs = (entityId: string): string => `v.entity_id = ${entityId}`;
    const assertVisible = this.visibilityChecks[kind];
    if (assertVisible === undefined) return this.innerLists.page(me, id, query, { list, belongs });
    const request = this.listing.read(list, query);
    await assertVisible(me, id);
    return this.listing.pageOf(me, { ...list, baseCondition: ({ bind }: Statement) => belongs(bind(id)) }, request);
  }
}
