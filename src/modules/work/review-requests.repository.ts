import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/context/actor.js';
import { Database } from '../../platform/database/database.js';
import { hasGivenVerdict } from '../approvals/given-approvals.view.js';

/** Reads and writes review requests. */
@Injectable()
export class ReviewRequestsRepository {
  constructor(private readonly database: Database) {}

  /** Adds a request for each resource without an unanswered one; returns the ids of these resources. */
  async ask(me: Actor, taskId: string, resourceIds: readonly string[]): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `INSERT INTO review_requests AS r (task_id, resource_id, requested_by)
       SELECT $1, asked.id, $3 FROM unnest($2::text[]) asked (id) ORDER BY asked.id
       ON CONFLICT (task_id, resource_id) DO UPDATE SET requested_by = excluded.requested_by, requested_at = excluded.requested_at
       WHERE ${hasGivenVerdict('r.task_id', 'r.resource_id', 'r.requested_at')}
       RETURNING r.resource_id AS id`,
      [taskId, resourceIds, me.resourceId],
    );
    return rows.map(({ id }) => id);
  }
}
