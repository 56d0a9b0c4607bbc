import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { isUnavailable, isOutcomeUnknown } from './wire.js';
import { listAll, createResource, pick, type World } from './world.js';

const PAUSE_MS = 20;
const TASKS = 20;
/**
 * The longest time that a transaction stays open, the shares of transactions that stay open and that are rolled back,
 * and the share of writes that are requests to the service.
 */
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

/** The state of one reader: the events that it received, in order, and the copy of the tasks that it derives. */
interface Follower {
  after: number;
  seen: string[];
  last: number;
  copy: Map<string, number>;
}

export interface Sizes {
  events: number;
  writers: number;
  readers: number;
  /** The maximum number of events in one transaction. */
  maxEventsPerTransaction: number;
}

export interface FollowResult {
  events: number;
  transactions: number;
  anomalies: string[];
}

/**
 * Writers with transactions of random length, some through the service and some directly in the database, and readers
 * that follow the feed by cursor over all replicas. At the end, each reader must have received every committed event
 * exactly once, in the order of the sequence, and no event that was rolled back.
 */
export class Followers {
  private readonly anomalies: string[] = [];
  private written = 0;
  private transactions = 0;
  private isWritingDone = false;
  private tasks: string[] = [];

  constructor(
    private readonly world: World,
    private readonly connection: pg.ClientConfig,
  ) {}

  async run({ events, writers, readers, maxEventsPerTransaction }: Sizes): Promise<FollowResult> {
    const begun = await this.read(this.world.tokens[0], 'after=now');
    for (let n = 0; n < TASKS; n += 1) {
      this.tasks.push(
        await createResource(this.world, '/tasks', { title: `Task ${n}`, endeavour_id: this.world.endeavour }),
      );
    }
    const followers = Array.from({ length: readers }, (): Follower => ({
      after: begun.meta.next,
      seen: [],
      last: begun.meta.next,
      copy: new Map(),
    }));
    const reading = followers.map((follower, n) => this.follow(follower, this.tokenOf(n)));
    await Promise.all(
      Array.from({ length: writers }, (_, n) => this.write(events, maxEventsPerTransaction, this.tokenOf(n))),
    );
    this.isWritingDone = true;
    await Promise.all(reading);
    await this.compare(followers, begun.meta.next);
    return { events: this.written, transactions: this.transactions, anomalies: this.anomalies };
  }

  private tokenOf(n: number): string {
    const { tokens } = this.world;
    return tokens[n % tokens.length];
  }

  private async write(events: number, maxEventsPerTransaction: number, token: string): Promise<void> {
    const client = await this.connect();
    while (this.written < events) {
      this.transactions += 1;
      if (Math.random() < BY_REQUEST) await this.writeByRequest(token);
      else await this.writeDirectly(client, 1 + Math.floor(Math.random() * maxEventsPerTransaction));
    }
    await client.end();
  }

  /** An unknown outcome is acceptable: if the request took effect, its event is in the database. */
  private async writeByRequest(token: string): Promise<void> {
    const body = { title: `Title ${Math.random()}` };
    const response = await this.world.client.send({ method: 'PATCH', path: `/tasks/${pick(this.tasks)}`, body, token });
    if (response.status === 200) this.written += 1;
    else if (!isUnavailable(response) && !isOutcomeUnknown(response))
      this.anomalies.push(`PATCH answered ${response.status}`);
  }

  private async writeDirectly(client: pg.Client, count: number): Promise<void> {
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
      const wasOver = this.isWritingDone;
      const query = `endeavour_id=${this.world.endeavour}&limit=200&wait=1&after=${follower.after}`;
      const { data, meta } = await this.read(token, query);
      for (const event of data) this.receive(follower, event);
      follower.after = meta.next;
      isDone = wasOver && data.length === 0 && !meta.has_more;
    }
  }

  private receive(follower: Follower, { id, sequence, type, entity_id: task, data }: Event): void {
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
      const response = await this.world.client.send({ method: 'GET', path: `/changes?${query}`, token });
      if (response.status === 200) return JSON.parse(response.text) as Page;
      if (!isUnavailable(response) && !isOutcomeUnknown(response))
        throw new Error(`/changes answered ${response.status}: ${response.text}`);
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
    const listed = await listAll<{ id: string; revision: number }>(
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
