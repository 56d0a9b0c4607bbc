import { setTimeout as pause } from 'node:timers/promises';
import { call } from './http.mjs';

const AGAIN_MS = 200;

/** Reads the feed of an endeavour by its cursor, and goes on from there after each failure. */
export class FeedFollower {
  /** The ids and sequences of the events, in the order in which they came. */
  events = [];
  after = 0;

  constructor(base, token, endeavour) {
    Object.assign(this, { base, token, endeavour });
  }

  /** Reads until the signal. */
  async follow(signal) {
    while (!signal.aborted) if (!(await this.#readOn(5))) await pause(AGAIN_MS);
  }

  /** Reads what is left. */
  async finish() {
    while (await this.#readOn(0)) if (!this.hasMore) return;
    throw new Error('the feed cannot be read');
  }

  async #readOn(wait) {
    const path = `/api/v1/changes?after=${this.after}&endeavour_id=${this.endeavour}&limit=500&wait=${wait}`;
    const answer = await call(this.base, 'GET', path, { token: this.token }).catch(() => undefined);
    if (answer?.status !== 200) return false;
    const { data, meta } = answer.body;
    for (const { id, sequence } of data) this.events.push({ id, sequence });
    this.after = meta.next;
    this.hasMore = meta.has_more;
    return true;
  }

  /** How the feed differs from the table of events, as lines. */
  async differences(query) {
    const rows = await query('SELECT id FROM events WHERE endeavour_id = $1', [this.endeavour]);
    const kept = new Set(rows.map(({ id }) => id));
    const seen = new Set(this.events.map(({ id }) => id));
    const again = this.events.length - seen.size;
    const late = this.events.filter(({ sequence }, index) => sequence <= (this.events[index - 1]?.sequence ?? -1));
    return [
      ...[...kept].filter((id) => !seen.has(id)).map((id) => `event ${id} was missed`),
      ...[...seen].filter((id) => !kept.has(id)).map((id) => `event ${id} is gone`),
      ...late.map(({ id }) => `event ${id} came out of order`),
      ...(again > 0 ? [`${again} events came again`] : []),
    ];
  }
}
