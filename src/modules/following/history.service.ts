import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { InnerLists } from '../../access/inner-lists.js';
import type { Page } from '../../platform/http/page.js';
import type { RawQuery } from '../../platform/http/query-parameters.js';
import { historyList } from './history.list.js';

/** Reads the change history of one entity. */
@Injectable()
export class HistoryService {
  constructor(private readonly innerLists: InnerLists) {}

  page(me: Caller, id: string, query: RawQuery): Promise<Page> {
    const list = historyList({ isConfined: me.containerId !== undefined });
    return this.innerLists.page(me, id, query, { list, belongs: (thing) => `v.entity_id = ${thing}` });
  }
}
