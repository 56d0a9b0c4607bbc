import { setTimeout as pause } from 'node:timers/promises';
import { call } from './http.mjs';

/**
 * Records the outcome of writes as clients know it: acknowledged, refused or unknown. Every write has a unique mark,
 * which is also its Idempotency-Key.
 */
export class Ledger {
  /** Mark to the id in the response. */
  acknowledged = new Map();
  /** Mark to the request. */
  unknown = new Map();
  /** Mark to the status. */
  refused = new Map();
  /** Status to the number of responses with it; 0 stands for no response. */
  answers = new Map();
  retried = 0;
  /** The time of the slowest response in milliseconds. */
  slowestMs = 0;

  /** Sends a write and records its outcome; returns the id if the write was acknowledged. */
  async send(base, token, write) {
    const { mark, method, path, body } = write;
    const answer = await call(base, method, path, { token, key: mark, body }).catch(() => undefined);
    const status = answer?.status ?? 0;
    this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
    this.slowestMs = Math.max(this.slowestMs, answer?.milliseconds ?? 0);
    this.unknown.delete(mark);
    if (status >= 200 && status < 300) this.acknowledged.set(mark, answer.body.data.id);
    else if (isSettled(answer)) this.refused.set(mark, status);
    else this.unknown.set(mark, write);
    return this.acknowledged.get(mark);
  }

  /** Retries the writes of unknown outcome under the same keys until each is acknowledged or refused. */
  async retryUnknown(base, token, patience = 60_000) {
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

/** A 4xx means that nothing was written; a 5xx, 409 or 429 leaves the outcome unknown, as does a missing response. */
const isSettled = (answer) => answer !== undefined && answer.status < 500 && ![409, 429].includes(answer.status);

/**
 * Creates tasks, comments on them and changes their descriptions, one write after the other, until the signal. Retries
 * writes of unknown outcome under the same key, after a pause.
 */
export async function runWriter(base, token, { ledger, endeavour, name, signal, pauseMs = 50 }) {
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

/** All effects of writers in an endeavour, each with the mark of its write. */
const EFFECTS = `
  SELECT title AS mark, id FROM tasks WHERE endeavour_id = $1
  UNION ALL
  SELECT content, c.id FROM comments c JOIN entities e ON e.id = c.id WHERE e.endeavour_id = $1
  UNION ALL
  SELECT data->>'description', entity_id FROM events
  WHERE endeavour_id = $1 AND type = 'task.updated' AND 'description' = ANY(changed)`;

/** Compares the ledger with the database: which writes were lost, took effect twice, or took effect though refused. */
export async function compareWithDatabase(ledger, endeavour, query) {
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
