import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/authentication/caller.js';
import { Database } from '../../../platform/database/database.js';
import type { ListDefinition, ListRequest } from '../../../platform/listing/definition.js';
import { conditionOf, ListStatement } from '../../../platform/listing/list-condition.js';
import { PRIORITIES } from '../../demands/demand.lifecycle.js';
import { effectiveRank } from '../../demands/ranks/ranks.view.js';

/** Finds and locks the task that a claim assigns. */
@Injectable()
export class ClaimRepository {
  constructor(private readonly database: Database) {}

  /**
   * Locks the best task that can be started and that no other request has locked. If all are locked, waits for the best
   * one and returns it if it can still be started.
   */
  async lockBest(
    me: Caller,
    endeavourId: string,
    list: ListDefinition,
    request: ListRequest,
  ): Promise<string | undefined> {
    const condition = (p: ListStatement): string => conditionOf(list, request, me, p);
    return (
      (await this.lock(me, endeavourId, condition, 'SKIP LOCKED')) ?? (await this.lock(me, endeavourId, condition, ''))
    );
  }

  private async lock(
    me: Caller,
    endeavourId: string,
    condition: (p: ListStatement) => string,
    wait: 'SKIP LOCKED' | '',
  ): Promise<string | undefined> {
    const p = new ListStatement(me);
    const row = await this.database.one<{ id: string }>(
      `SELECT t.id FROM tasks t
       WHERE t.endeavour_id = ${p.bind(endeavourId)} AND t.status = 'planned' AND t.blocked_by_count = 0
         AND t.assignee_id IS NULL AND ${condition(p)}
       ORDER BY ${BEST_FIRST} LIMIT 1 FOR NO KEY UPDATE OF t ${wait}`,
      p.values,
    );
    return row?.id;
  }
}

/** Overdue tasks come first, then those with a higher priority, then as they were ranked. */
const BEST_FIRST = `(t.due_date < now()) IS TRUE DESC,
  array_position(ARRAY['${PRIORITIES.toReversed().join("', '")}'], t.effective_priority), ${effectiveRank('t')}, t.id`;
