import { Injectable } from '@nestjs/common';
import { demandDeadlines } from '../demands/demand-references.view.js';
import { taskDeadlines } from '../tasks/task-deadlines.view.js';
import { leftJoinResource } from '../../access/people.view.js';
import { Database } from '../../platform/database/database.js';

/** A task or demand with a due date. */
export interface Deadline {
  id: string;
  kind: 'task' | 'demand';
  title: string;
  status: string;
  assignee: string | null;
  dueDate: Date;
  /** The day that it is due on; null for an instant. */
  dueDay: string | null;
  updatedAt: Date;
  revision: number;
}

const IN_TIME = `endeavour_id = $1 AND due_date >= $2 AND due_date < $3 ORDER BY due_date, id LIMIT $4`;

/** Reads the due dates of an endeavour. */
@Injectable()
export class CalendarRepository {
  constructor(private readonly database: Database) {}

  /** Returns open tasks and demands that are due in the period, earliest first. */
  deadlines(endeavourId: string, { from, to }: { from: Date; to: Date }, limit: number): Promise<Deadline[]> {
    return this.database.query<Deadline>(
      `SELECT due.*, r.name AS assignee FROM (
         (${taskDeadlines(IN_TIME)})
         UNION ALL
         (${demandDeadlines(IN_TIME)})
       ) due ${leftJoinResource('r', 'due.assignee_id')} ORDER BY due."dueDate", due.id LIMIT $4`,
      [endeavourId, from, to, limit],
    );
  }
}
