import { setTimeout as pause } from 'node:timers/promises';
import { call } from './http.mjs';

const AGAIN_MS = 50;
const MAX_TRIES = 200;

/**
 * Clients that read, list and create tasks, and record the times of each failed request. Every write has a mark that is
 * also its idempotency key, so that an unknown outcome can be resolved later.
 */
export class Load {
  requests = 0;
  /** `{ begun, ended, status, what }`; the status is 0 if there was no response. */
  failures = [];
  inFlight = 0;

  constructor({ base, token, endeavour, ledger }) {
    Object.assign(this, { base, token, endeavour, ledger });
  }

  /** Runs one client until the signal. */
  async runClient(name, signal) {
    let task = await this.write(`${name} first`);
    for (let n = 0; !signal.aborted; n += 1) {
      const turn = n % 5;
      if (turn === 3) await this.read(`/api/v1/tasks?endeavour_id=${this.endeavour}&limit=5&count=false`);
      else if (turn !== 4) await this.read(`/api/v1/tasks/${task}`);
      else task = (await this.write(`${name} n${n}`)) ?? task;
    }
  }

  async read(path) {
    await this.timed(`GET ${path.split('?')[0]}`, async () => {
      const answer = await call(this.base, 'GET', path, { token: this.token }).catch(() => ({ status: 0 }));
      return answer.status;
    });
  }

  /** Creates a task, and retries under the same key while the outcome is unknown. */
  async write(mark) {
    const write = { mark, method: 'POST', path: '/api/v1/tasks', body: { title: mark, endeavour_id: this.endeavour } };
    await this.timed('POST /api/v1/tasks', async () => {
      const id = await this.ledger.send(this.base, this.token, write);
      return id === undefined ? (this.ledger.refused.get(mark) ?? 0) : 201;
    });
    for (let tries = 0; this.ledger.unknown.has(mark) && tries < MAX_TRIES; tries += 1) {
      await pause(AGAIN_MS);
      await this.ledger.send(this.base, this.token, write);
    }
    return this.ledger.acknowledged.get(mark);
  }

  async timed(what, work) {
    const begun = performance.now();
    this.inFlight += 1;
    const status = await work();
    this.inFlight -= 1;
    this.requests += 1;
    if (status < 200 || status > 299) this.failures.push({ begun, ended: performance.now(), status, what });
  }
}
