import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/changes/actor.js';
import { TASK_STATUSES, type TaskStatus } from '../../common/statuses.js';
import { Contents } from '../../platform/contents/contents.js';
import { Database } from '../../platform/database/database.js';

/** What archiving endeavours means for what is in them. */
export interface Impact {
  endeavours: number;
  /** All tasks, by status. */
  tasks: Record<TaskStatus, number>;
  tasksToCancel: number;
  demandsToCancel: number;
  ritualsToDisable: number;
}

/** How long a preview may look, at one moment, so that its numbers agree among themselves. */
export const PREVIEW_SECONDS = 5;

const countOf = (status: TaskStatus): string => `count(*) FILTER (WHERE status = '${status}')::integer AS ${status}`;

/** Archives endeavours, one or all of an organization; what the preview counts is what is then ended. */
@Injectable()
export class Archives {
  constructor(
    private readonly contents: Contents,
    private readonly database: Database,
  ) {}

  async impactOn(endeavourIds: readonly string[]): Promise<Impact> {
    const tasks = await this.tasksOf(endeavourIds);
    return impact(tasks, await this.contents.countAlive(endeavourIds));
  }

  /** The endeavours must be locked against writers. Answers with what was ended. */
  async archive(actor: Actor, endeavourIds: readonly string[], reason: string): Promise<Impact> {
    const tasks = await this.tasksOf(endeavourIds);
    return impact(tasks, await this.contents.end(actor, endeavourIds, reason));
  }

  private async tasksOf(endeavourIds: readonly string[]): Promise<Impact['tasks']> {
    const row = await this.database.one<Impact['tasks']>(
      `SELECT ${TASK_STATUSES.map(countOf).join(', ')} FROM tasks WHERE endeavour_id = ANY($1::text[])`,
      [endeavourIds],
    );
    if (row === undefined) throw new Error('a count yields a row');
    return row;
  }
}

const impact = (
  tasks: Impact['tasks'],
  ended: { endeavours?: number; tasks?: number; demands?: number; rituals?: number },
): Impact => ({
  endeavours: ended.endeavours ?? 0,
  tasks,
  tasksToCancel: ended.tasks ?? 0,
  demandsToCancel: ended.demands ?? 0,
  ritualsToDisable: ended.rituals ?? 0,
});
