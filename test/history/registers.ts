import { registerAnomalies, type RegisterOperation } from './register.js';
import { isUnavailable, isOutcomeUnknown, type ApiResponse } from './wire.js';
import {
  dataOf,
  randomTimeout,
  readResource,
  createResource,
  pick,
  runConcurrently,
  type Outcome,
  type World,
} from './world.js';

interface Task {
  id: string;
  title: string;
  revision: number;
}

const INITIAL = 'start';

/** Clients concurrently read and patch a few tasks, with and without `If-Match`; every written title is unique. */
export class Registers {
  private readonly histories = new Map<string, RegisterOperation[]>();
  /** The latest revision and ETag of each task that each client knows. */
  private readonly known = new Map<string, { revision: number; etag?: string }>();
  private readonly unexpectedResponses: string[] = [];
  private written = 0;

  constructor(
    private readonly world: World,
    private readonly tasks: number,
  ) {}

  async run(operations: number): Promise<Outcome> {
    for (let n = 0; n < this.tasks; n += 1) {
      const body = { title: INITIAL, endeavour_id: this.world.endeavour };
      this.histories.set(await createResource(this.world, '/tasks', body), []);
    }
    await runConcurrently(this.world, operations, (token, client) => this.act(token, client));
    const anomalies = await Promise.all([...this.histories].map(([id, history]) => this.findAnomalies(id, history)));
    const all = [...this.histories.values()].flat();
    const unknown = all.filter((operation) => operation.kind === 'written' && operation.revision === undefined);
    return { operations, unknown: unknown.length, anomalies: [...this.unexpectedResponses, ...anomalies.flat()] };
  }

  get ids(): string[] {
    return [...this.histories.keys()];
  }

  private async act(token: string, client: number): Promise<void> {
    const id = pick(this.ids);
    const chance = Math.random();
    if (chance < 0.3) await this.read(token, client, id);
    else if (chance < 0.4) await this.readAll(token);
    else if (chance < 0.85) await this.write(token, client, id, this.known.get(`${client} ${id}`)?.revision ?? 1);
    else await this.write(token, client, id);
  }

  private async read(token: string, client: number, id: string): Promise<void> {
    const known = this.known.get(`${client} ${id}`);
    const headers: Record<string, string> = known?.etag === undefined ? {} : { 'if-none-match': known.etag };
    const response = await this.world.client.send({ method: 'GET', path: `/tasks/${id}`, token, headers });
    if (response.status === 304 && known !== undefined) this.recordRead(response, id, known.revision);
    else if (response.status === 200) {
      const { revision, title } = dataOf(response) as Task;
      this.known.set(`${client} ${id}`, { revision, etag: String(response.headers.etag) });
      this.recordRead(response, id, revision, title);
    } else this.recordUnexpected(response, `GET of ${id}`);
  }

  private async readAll(token: string): Promise<void> {
    const path = `/tasks?endeavour_id=${this.world.endeavour}&limit=200&count=false&sort=created_at`;
    const response = await this.world.client.send({ method: 'GET', path, token });
    if (response.status !== 200) return this.recordUnexpected(response, 'GET of the list');
    for (const { id, revision, title } of dataOf(response) as Task[]) {
      if (this.histories.has(id)) this.recordRead(response, id, revision, title);
    }
  }

  private async write(token: string, client: number, id: string, expected?: number): Promise<void> {
    this.written += 1;
    const title = `c${client} n${this.written}`;
    const headers: Record<string, string> = expected === undefined ? {} : { 'if-match': `"${expected}"` };
    const request = { method: 'PATCH', path: `/tasks/${id}`, token, headers, body: { title } } as const;
    const response = await this.world.client.send({ ...request, timeoutMs: randomTimeout() });
    const { begun, ended } = response;
    const write = { kind: 'written', value: title, expected, begun, ended } as const;
    if (response.status === 200) {
      const { revision, title: now } = dataOf(response) as Task;
      if (now !== title) this.unexpectedResponses.push(`a write of "${title}" answered with "${now}"`);
      this.known.set(`${client} ${id}`, { revision });
      this.record(id, { ...write, revision });
    } else if (response.status === 412 && expected !== undefined) {
      const current = currentOf(response);
      this.known.set(`${client} ${id}`, { revision: current });
      this.record(id, { kind: 'refused', expected, current, begun, ended });
    } else if (isOutcomeUnknown(response) && !isUnavailable(response)) this.record(id, { ...write, ended: Infinity });
    else this.recordUnexpected(response, `PATCH of ${id}`);
  }

  private async findAnomalies(id: string, history: RegisterOperation[]): Promise<string[]> {
    const { revision, title } = await readResource<Task>(this.world, `/tasks/${id}`);
    const last = { revision, value: title };
    return registerAnomalies(INITIAL, history, last).map((anomaly) => `${id}: ${anomaly}`);
  }

  private recordRead({ begun, ended }: ApiResponse, id: string, revision: number, value?: string): void {
    this.record(id, { kind: 'seen', revision, value, begun, ended });
  }

  private record(id: string, operation: RegisterOperation): void {
    this.histories.get(id)?.push(operation);
  }

  private recordUnexpected(response: ApiResponse, what: string): void {
    if (!isUnavailable(response) && !isOutcomeUnknown(response))
      this.unexpectedResponses.push(`${what} answered ${response.status}: ${response.text}`);
  }
}

const currentOf = ({ text }: ApiResponse): number =>
  (JSON.parse(text) as { error: { details: { current_revision: number } } }).error.details.current_revision;
