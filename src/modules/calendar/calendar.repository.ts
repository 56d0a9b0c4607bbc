import { Injectable } from '@nestjs/common';
import { demandDeadlines } from '../demands/demand-references.view.js';
import { taskDeadlines } from '../tasks/task-deadlines.view.js';
import { joinEndeavour } from '../../access/visibility/containers.view.js';
import { joinUser, leftJoinResource } from '../../access/visibility/people.view.js';
import { endeavoursOf } from '../../access/visibility/visibility.js';
import { Database } from '../../platform/database/database.js';

/** A task or demand with a due date. */
export interface Deadline {
  id: string;
  kind: 'task' | 'demand';
  /** Null before it is numbered. */
  key: string | null;
  title: string;
  status: string;
  assignee: string | null;
  /** The name of the endeavour, where a calendar has several. */
  endeavour?: string;
  dueDate: Date;
  /** The day that it is due on; null for an instant. */
  dueDay: string | null;
  updatedAt: Date;
  revision: number;
}

const KEY = `e.key || '-' || due.number AS key`;

const IN_TIME = `endeavour_id = $1 AND due_date >= $2 AND due_date < $3 ORDER BY due_date, id LIMIT $4`;

/** SQL: the condition for the work of the resources `$1` in the endeavours of the user `$5`. */
const ownInTime = (people: string): string => `(${people}) AND endeavour_id = ANY(ARRAY(${endeavoursOf('$5')}))
  AND due_date >= $2 AND due_date < $3 ORDER BY due_date, id LIMIT $4`;

/** Reads due dates. */
@Injectable()
export class CalendarRepository {
  constructor(private readonly database: Database) {}

  /** Returns open tasks and demands that are due in the period, earliest first. */
  deadlines(endeavourId: string, { from, to }: { from: Date; to: Date }, limit: number): Promise<Deadline[]> {
    return this.database.query<Deadline>(
      `SELECT due.*, ${KEY}, r.name AS assignee FROM (
         (${taskDeadlines(IN_TIME)})
         UNION ALL
         (${demandDeadlines(IN_TIME)})
       ) due ${joinEndeavour('e', 'due.endeavour_id')} ${leftJoinResource('r', 'due.assignee_id')}
       ORDER BY due."dueDate", due.id LIMIT $4`,
      [endeavourId, from, to, limit],
    );
  }

  /** Returns the open tasks and demands that the resources are assigned to or own, where the user can see them. */
  ownDeadlines(
    userId: string,
    resourceIds: readonly string[],
    { from, to }: { from: Date; to: Date },
    limit: number,
  ): Promise<Deadline[]> {
    return this.database.query<Deadline>(
      `SELECT due.*, ${KEY}, r.name AS assignee, e.name AS endeavour FROM (
         (${taskDeadlines(ownInTime('assignee_id = ANY($1) OR owner_id = ANY($1)'))})
         UNION ALL
         (${demandDeadlines(ownInTime('owner_id = ANY($1)'))})
       ) due ${joinEndeavour('e', 'due.endeavour_id')} ${leftJoinResource('r', 'due.assignee_id')}
       ORDER BY due."dueDate", due.id LIMIT $4`,
      [resourceIds, from, to, limit, userId],
    );
  }

  async timezoneOf(userId: string): Promise<string> {
    const row = await this.database.one<{ timezone: string }>(
      `SELECT u.timezone FROM (SELECT $1::text AS id) me ${joinUser('u', 'me.id')}`,
      [userId],
    );
    return row?.timezone ?? 'UTC';
  }
}
