import { setTimeout as sleep } from 'node:timers/promises';
import type { Person, TestApp } from './test-app.js';

export interface Run {
  id: string;
  entity_id: string;
  event_id: string;
  event_type: string;
  status: string;
  error_code: string | null;
  error: string | null;
}

/** Makes rules, and waits for what they do. */
export class Rules {
  constructor(
    private readonly app: TestApp,
    readonly owner: Person,
  ) {}

  /** Makes a rule of the endeavour for changes of status, and returns its id. */
  async make(endeavour: string, body: object, person = this.owner): Promise<string> {
    const sent = { name: 'Rule', endeavour_id: endeavour, on: ['task.status_changed'], ...body };
    return (await this.app.as(person).post('/rules').send(sent).expect(201)).body.data.id;
  }

  /** The runs of the rule, oldest first. */
  async runs(rule: string, person = this.owner): Promise<Run[]> {
    const { body } = await this.app.as(person).get(`/rules/${rule}/runs?limit=200&sort=created_at`).expect(200);
    return body.data;
  }

  /** The runs once that many have ended. */
  async ended(rule: string, count = 1, person = this.owner): Promise<Run[]> {
    for (;;) {
      const ended = (await this.runs(rule, person)).filter(({ status }) => status !== 'waiting');
      if (ended.length >= count) return ended;
      await sleep(20);
    }
  }

  /** Returns once rules have been offered every event so far and nothing is due. */
  async settled(): Promise<void> {
    const { database } = this.app;
    const read = `SELECT EXISTS (SELECT 1 FROM events v LEFT JOIN feed f ON f.event_sequence = v.sequence
        WHERE v.sequence <= $1 AND v.endeavour_id IS NOT NULL AND coalesce(f.sequence, 'Infinity'::float8) > (SELECT position FROM rule_feed))
      OR EXISTS (SELECT 1 FROM rule_runs WHERE status = 'new' OR (status = 'waiting' AND due_at <= now())) AS busy`;
    const [{ last }] = await database.query<{ last: string }>('SELECT coalesce(max(sequence), 0) AS last FROM events');
    for (;;) {
      const [{ busy }] = await database.query<{ busy: boolean }>(read, [last]);
      if (!busy) return;
      await sleep(20);
    }
  }

  /** The rule once it is disabled. */
  async disabled(rule: string, person = this.owner): Promise<Record<string, unknown>> {
    for (;;) {
      const { body } = await this.app.as(person).get(`/rules/${rule}`).expect(200);
      if (body.data.is_enabled === false) return body.data;
      await sleep(20);
    }
  }

  /** Uses up the runs that the endeavour may have in this minute. */
  async spend(rule: string, endeavour: string): Promise<void> {
    await this.app.database.query(
      `INSERT INTO rule_runs (id, rule_id, endeavour_id, event_id, event_type, entity_id, status, ran_at, due_at)
       SELECT new_id('rur'), $1, $2, new_id('evt'), 'task.created', new_id('tsk'), 'succeeded', now(), NULL
       FROM generate_series(1, 60)`,
      [rule, endeavour],
    );
  }

  /** Returns once that many runs wait. */
  async waiting(rule: string, count = 1): Promise<void> {
    while ((await this.runs(rule)).filter(({ status }) => status === 'waiting').length < count) await sleep(20);
  }

  /** Lets a minute pass for the runs of the rule. */
  async nextMinute(rule: string): Promise<void> {
    const sql = `UPDATE rule_runs SET ran_at = ran_at - interval '1 minute' WHERE rule_id = $1`;
    await this.app.database.query(sql, [rule]);
  }

  move(task: string, status: string, person = this.owner) {
    return this.app.as(person).patch(`/tasks/${task}`).send({ status });
  }
}
