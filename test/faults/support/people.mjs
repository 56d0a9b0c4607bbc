import { setTimeout as pause } from 'node:timers/promises';
import { call } from './http.mjs';
import { Ledger, runWriter } from './ledger.mjs';

const WRITERS = 8;
const READERS = 4;
/** The service has recovered after this many consecutive writes that are acknowledged within SOON_MS. */
const CALM = 10;
const SOON_MS = 1_000;

/** Clients that write and read continuously, and record the statuses and times of the responses. */
export class LoadClients {
  ledger = new Ledger();
  answers = new Map();
  slowestMs = 0;
  #turn = 0;
  #asked = 0;

  constructor(base, token, endeavour, shared) {
    Object.assign(this, { base, token, endeavour, shared });
  }

  static async prepare(base, token) {
    const post = async (path, body) => (await call(base, 'POST', path, { token, body })).body.data.id;
    const endeavour = await post('/api/v1/endeavours', { name: 'Faults' });
    const shared = [];
    for (let n = 0; n < 10; n += 1)
      shared.push(await post('/api/v1/tasks', { title: `shared ${n}`, endeavour_id: endeavour }));
    return new LoadClients(base, token, endeavour, shared);
  }

  /** Starts the clients; with the kind `storm`, half of the writers write to the same few tasks. */
  start(kind) {
    this.#turn += 1;
    this.stopping = new AbortController();
    const { signal } = this.stopping;
    const writers = Array.from({ length: WRITERS }, (_, n) => {
      const name = `t${this.#turn} w${n}`;
      const { ledger, endeavour } = this;
      if (kind === 'storm' && n % 2 === 0) return this.#storm(name, signal);
      return runWriter(this.base, this.token, { ledger, endeavour, name, signal });
    });
    this.working = Promise.all([...writers, ...Array.from({ length: READERS }, () => this.#read(signal))]);
  }

  /** Stops the clients, and retries the writes of unknown outcome. */
  async stop() {
    this.stopping.abort();
    await this.working;
    await this.ledger.retryUnknown(this.base, this.token);
  }

  /** Waits until the service responds normally. */
  async waitUntilResponsive() {
    await this.timeToRecover();
  }

  /** Milliseconds from now until the first of CALM consecutive writes that are acknowledged within SOON_MS. */
  async timeToRecover(patience = 60_000) {
    const begun = performance.now();
    let first = begun;
    for (let row = 0; row < CALM;) {
      const asked = performance.now();
      const isFine = await this.#isFine();
      if (isFine && row === 0) first = asked;
      row = isFine ? row + 1 : 0;
      if (!isFine) await pause(20);
      if (performance.now() - begun > patience) throw new Error(`the service was not back within ${patience} ms`);
    }
    return Math.round(first - begun);
  }

  countResponsesExcept(allowed) {
    return [...this.#all()].filter(([status]) => !allowed.includes(status)).reduce((sum, [, count]) => sum + count, 0);
  }

  get summary() {
    const counts = [...this.#all()].sort(([a], [b]) => a - b).map(([status, count]) => `${status || 'none'}: ${count}`);
    return `${counts.join(', ')}; slowest ${Math.round(Math.max(this.slowestMs, this.ledger.slowestMs))} ms`;
  }

  #all() {
    const all = new Map(this.answers);
    for (const [status, count] of this.ledger.answers) all.set(status, (all.get(status) ?? 0) + count);
    return all;
  }

  async #isFine() {
    this.#asked += 1;
    const body = { title: `back ${this.#asked}`, endeavour_id: this.endeavour };
    const options = { token: this.token, body, patience: SOON_MS };
    const answer = await call(this.base, 'POST', '/api/v1/tasks', options).catch(() => undefined);
    return answer?.status === 201;
  }

  async #storm(name, signal) {
    for (let n = 0; !signal.aborted; n += 1) {
      const task = this.shared[n % this.shared.length];
      const mark = `${name} storm ${n}`;
      const write = { mark, method: 'PATCH', path: `/api/v1/tasks/${task}`, body: { description: mark } };
      await this.ledger.send(this.base, this.token, write);
    }
  }

  async #read(signal) {
    const paths = [
      `/api/v1/tasks/${this.shared[0]}`,
      '/api/v1/auth/whoami',
      `/api/v1/tasks?endeavour_id=${this.endeavour}`,
    ];
    for (let n = 0; !signal.aborted; n += 1) {
      const answer = await call(this.base, 'GET', paths[n % paths.length], { token: this.token }).catch(
        () => undefined,
      );
      const status = answer?.status ?? 0;
      this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
      this.slowestMs = Math.max(this.slowestMs, answer?.milliseconds ?? 0);
      await pause(status === 200 ? 2 : 50);
    }
  }
}
