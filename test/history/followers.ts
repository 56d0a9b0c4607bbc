import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { isAway, isOpen } from './wire.js';
import { everything, make, pick, type World } from './world.js';

const PAUSE_MS = 20;
const TASKS = 20;
/** How many events a transaction writes at most, and the share of those that stay open, or are taken back. */
const LONGEST_MS = 3_000;
const LONG = 0.02;
const TAKEN_BACK = 0.1;
const BY_REQUEST = 0.2;

interface Event {
  id: string;
  sequence: number;
  type: string;
  entity_id: string;
  data: { title?: string; revision?: number };
}

interface Page {
  data: Event[];
  meta: { next: number; has_more: boolean };
}

/** What one reader has been told so far: in which order, and the copy of the tasks that it keeps by that. */
interface Follower {
  after: number;
  seen: string[];
  last: number;
  copy: Map<string, number>;
}

/** How much is written by how many, and read by how many. */
export interface Sizes {
  events: number;
  writers: number;
  readers: number;
  /** Of one transaction at most. */
  atOnce: number;
}

export interface Followed {
  events: number;
  transactions: number;
  anomalies: string[];
}

/**
 * Suite 14: writers whose transactions are of random length, some through the service and some beside it, and readers that
 * follow the feed by their cursor over all replicas. In the end each has been told every committed event exactly once, in
 * the order of the sequence, and none that was taken back.
 */
export class Followers {
  private readonly anomalies: string[] = [];
  private written = 0;
  private transactions = 0;
  private isOver = false;
  private tasks: string[] = [];

  constructor(
    private readonly world: World,
    private readonly connection: pg.ClientConfig,
  ) {}

  async run({ events, writers, readers, atOnce }: Sizes): Promise<Followed> {
    const begun = await this.read(this.world.tokens[0], 'after=now');
    for (let n = 0; n < TASKS; n += 1) {
      this.tasks.push(await make(this.world, '/tasks', { title: `Task ${n}`, endeavour_id: this.world.endeavour }));
    }
    const followers = Array.from({ length: readers }, (): Follower => ({
      after: begun.meta.next,
      seen: [],
      last: begun.meta.next,
      copy: new Map(),
    }));
    const reading = followers.map((follower, n) => this.follow(follower, this.tokenOf(n)));
    await Promise.all(Array.from({ length: writers }, (_, n) => this.write(events, atOnce, this.tokenOf(n))));
    this.isOver = true;
    await Promise.all(reading);
    await this.compare(followers, begun.meta.next);
    return { events: this.written, transactions: this.transactions, anomalies: this.anomalies };
  }

  private tokenOf(n: number): string {
    const { tokens } = this.world;
    return tokens[n % tokens.length];
  }

  private async write(events: number, atOnce: number, token: string): Promise<void> {
    const client = await this.connect();
    while (this.written < events) {
      this.transactions += 1;
      if (Math.random() < BY_REQUEST) await this.writeByRequest(token);
      else await this.writeBeside(client, 1 + Math.floor(Math.random() * atOnce));
    }
    await client.end();
  }

  /** Whether it took effect does not matter: if it did, its event is in the database. */
  private async writeByRequest(token: string): Promise<void> {
    const body = { title: `Title ${Math.random()}` };
    const answer = await this.world.wire.ask({ method: 'PATCH', path: `/tasks/${pick(this.tasks)}`, body, token });
    if (answer.status === 200) this.written += 1;
    else if (!isAway(answer) && !isOpen(answer)) this.anomalies.push(`PATCH answered ${answer.status}`);
  }

  private async writeBeside(client: pg.Client, count: number): Promise<void> {
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO events (id, type, entity_type, entity_id, endeavour_id, data)
       SELECT new_id('evt'), 'task.touched', 'task', $1, $2, '{}' FROM generate_series(1, $3::integer)`,
      [pick(this.tasks), this.world.endeavour, count],
    );
    if (Math.random() < LONG) await pause(Math.random() * LONGEST_MS);
    const isTakenBack = Math.random() < TAKEN_BACK;
    await client.query(isTakenBack ? 'ROLLBACK' : 'COMMIT');
    if (!isTakenBack) this.written += count;
  }

  private async follow(follower: Follower, token: string): Promise<void> {
    for (let isDone = false; !isDone;) {
      const wasOver = this.isOver;
      const query = `endeavour_id=${this.world.endeavour}&limit=200&wait=1&after=${follower.after}`;
      const { data, meta } = await this.read(token, query);
      for (const event of data) this.take(follower, event);
      follower.after = meta.next;
      isDone = wasOver && data.length === 0 && !meta.has_more;
    }
  }

  private take(follower: Follower, { id, sequence, type, entity_id: task, data }: Event): void {
    if (sequence <= follower.last) this.anomalies.push(`${id} came with ${sequence} behind ${follower.last}`);
    follower.last = sequence;
    follower.seen.push(id);
    if (type === 'task.touched') return;
    const revision = data.revision ?? 0;
    if (revision <= (follower.copy.get(task) ?? 0)) this.anomalies.push(`${task} went back to revision ${revision}`);
    follower.copy.set(task, revision);
  }

  private async read(token: string, query: string): Promise<Page> {
    for (;;) {
      const answer = await this.world.wire.ask({ method: 'GET', path: `/changes?${query}`, token });
      if (answer.status === 200) return JSON.parse(answer.text) as Page;
      if (!isAway(answer) && !isOpen(answer)) throw new Error(`/changes answered ${answer.status}: ${answer.text}`);
      await pause(PAUSE_MS);
    }
  }

  private async compare(followers: Follower[], begun: number): Promise<void> {
    const client = await this.connect();
    const { rows } = await client.query<{ id: string }>(
      `SELECT v.id FROM events v LEFT JOIN feed f ON f.event_sequence = v.sequence
       WHERE v.entity_id = ANY($1) AND (f.sequence IS NULL OR f.sequence > $2) ORDER BY f.sequence`,
      [this.tasks, begun],
    );
    await client.end();
    const committed = rows.map(({ id }) => id);
    const listed = await everything<{ id: string; revision: number }>(
      this.world,
      `/tasks?endeavour_id=${this.world.endeavour}`,
    );
    for (const [n, { seen, copy }] of followers.entries()) {
      const own = new Set(seen);
      const all = new Set(committed);
      const about = `reader ${n}: of ${committed.length}`;
      const missed = committed.filter((id) => !own.has(id)).length;
      const foreign = seen.filter((id) => !all.has(id)).length;
      if (missed > 0) this.anomalies.push(`${about} events ${missed} were missed`);
      if (seen.length !== own.size) this.anomalies.push(`${about} events ${seen.length - own.size} came twice`);
      if (foreign > 0) this.anomalies.push(`${about} events ${foreign} were told that are not there`);
      const stale = listed.filter(({ id, revision }) => copy.get(id) !== revision).length;
      if (stale > 0) this.anomalies.push(`${about} its copy of ${stale} tasks is not what the list says`);
    }
  }

  private async connect(): Promise<pg.Client> {
    const client = new pg.Client(this.connection);
    await client.connect();
    await client.query(`SET idle_in_transaction_session_timeout = 0; SET statement_timeout = 0`);
    return client;
  }
}
