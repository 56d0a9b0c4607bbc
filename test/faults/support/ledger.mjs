import { setTimeout as pause } from 'node:timers/promises';
import { call } from './http.mjs';

/**
 * What clients know of their writes: which were acknowledged, which were refused, and which have an outcome that only
 * the service knows. Every write carries a mark of its own, which is its Idempotency-Key, too.
 */
export class Ledger {
  /** Mark to the id that the answer named. */
  acknowledged = new Map();
  /** Mark to the request as it was sent. */
  unknown = new Map();
  /** Mark to the status. */
  refused = new Map();
  /** Statuses, and how often each was answered; 0 stands for no answer. */
  answers = new Map();
  retried = 0;
  /** Milliseconds that the slowest answer took. */
  longest = 0;

  /** Sends a write and notes what came of it; answers with the id, or undefined. */
  async send(base, token, write) {
    const { mark, method, path, body } = write;
    const answer = await call(base, method, path, { token, key: mark, body }).catch(() => undefined);
    const status = answer?.status ?? 0;
    this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
    this.longest = Math.max(this.longest, answer?.milliseconds ?? 0);
    this.unknown.delete(mark);
    if (status >= 200 && status < 300) this.acknowledged.set(mark, answer.body.data.id);
    else if (isSettled(answer)) this.refused.set(mark, status);
    else this.unknown.set(mark, write);
    return this.acknowledged.get(mark);
  }

  /** Sends everything again whose outcome is not known, under the same keys, until each has been acknowledged. */
  async settle(base, token, patience = 60_000) {
    const late = performance.now() + patience;
    for (const write of this.unknown.values()) {
      do {
        if (performance.now() > late) throw new Error(`${this.unknown.size} writes could not be settled`);
        this.retried += 1;
        await this.send(base, token, write);
      } while (this.unknown.has(write.mark));
    }
  }
}

/** A refusal says that nothing was written; a fault of the service leaves it open. */
const isSettled = (answer) => answer !== undefined && answer.status < 500 && ![409, 429].includes(answer.status);

/**
 * A writer that, until the signal, creates tasks, comments on them and describes them anew, one write after the other.
 * What was not acknowledged it sends again, under the same key, after a pause.
 */
export async function writeOn(base, token, { ledger, endeavour, name, signal, pauseMs = 50 }) {
  let task;
  for (let n = 0; !signal.aborted; n += 1) {
    const write = writeOf(`${name} n${n}`, n, task, endeavour);
    let id = await ledger.send(base, token, write);
    while (ledger.unknown.has(write.mark) && !signal.aborted) {
      await pause(pauseMs);
      ledger.retried += 1;
      id = await ledger.send(base, token, write);
    }
    if (write.path === '/api/v1/tasks') task = id;
  }
}

function writeOf(mark, n, task, endeavour) {
  const turn = task === undefined ? 0 : n % 4;
  if (turn === 1) {
    const body = { entity_type: 'task', entity_id: task, content: mark };
    return { mark, method: 'POST', path: '/api/v1/comments', body };
  }
  if (turn === 3) return { mark, method: 'PATCH', path: `/api/v1/tasks/${task}`, body: { description: mark } };
  return { mark, method: 'POST', path: '/api/v1/tasks', body: { title: mark, endeavour_id: endeavour } };
}

/** Everything that writers can have left behind in an endeavour, each effect with the mark that it carries. */
const EFFECTS = `
  SELECT title AS mark, id FROM tasks WHERE endeavour_id = $1
  UNION ALL
  SELECT content, c.id FROM comments c JOIN entities e ON e.id = c.id WHERE e.endeavour_id = $1
  UNION ALL
  SELECT data->>'description', entity_id FROM events
  WHERE endeavour_id = $1 AND type = 'task.updated' AND 'description' = ANY(changed)`;

/** Sets the ledger against the database: how much of what was acknowledged is lost, doubled, or there without right. */
export async function compare(ledger, endeavour, query) {
  const rows = await query(EFFECTS, [endeavour]);
  const found = new Map();
  for (const { mark, id } of rows) found.set(mark, [...(found.get(mark) ?? []), id]);
  const lost = [...ledger.acknowledged].filter(([mark, id]) => !found.get(mark)?.includes(id));
  return {
    acknowledged: ledger.acknowledged.size,
    lost: lost.map(([mark]) => mark),
    doubled: [...found].filter(([, ids]) => ids.length > 1).map(([mark]) => mark),
    unwanted: [...found.keys()].filter((mark) => ledger.refused.has(mark)),
  };
}
