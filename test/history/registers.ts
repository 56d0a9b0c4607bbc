import { registerAnomalies, type RegisterOperation } from './register.js';
import { isAway, isOpen, type Answer } from './wire.js';
import { dataOf, haste, look, make, pick, together, type Outcome, type World } from './world.js';

interface Task {
  id: string;
  title: string;
  revision: number;
}

const INITIAL = 'start';

/** Many clients read and patch a few tasks, with and without `If-Match`; each title is written by one of them only. */
export class Registers {
  private readonly histories = new Map<string, RegisterOperation[]>();
  /** What each client last knew of each task: its revision and ETag. */
  private readonly known = new Map<string, { revision: number; etag?: string }>();
  private readonly surprises: string[] = [];
  private written = 0;

  constructor(
    private readonly world: World,
    private readonly tasks: number,
  ) {}

  async run(operations: number): Promise<Outcome> {
    for (let n = 0; n < this.tasks; n += 1) {
      const body = { title: INITIAL, endeavour_id: this.world.endeavour };
      this.histories.set(await make(this.world, '/tasks', body), []);
    }
    await together(this.world, operations, (token, client) => this.act(token, client));
    const anomalies = await Promise.all([...this.histories].map(([id, history]) => this.judge(id, history)));
    const all = [...this.histories.values()].flat();
    const unknown = all.filter((operation) => operation.kind === 'written' && operation.revision === undefined);
    return { operations, unknown: unknown.length, anomalies: [...this.surprises, ...anomalies.flat()] };
  }

  /** The tasks that were worked on. */
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
    const answer = await this.world.wire.ask({ method: 'GET', path: `/tasks/${id}`, token, headers });
    if (answer.status === 304 && known !== undefined) this.saw(answer, id, known.revision);
    else if (answer.status === 200) {
      const { revision, title } = dataOf(answer) as Task;
      this.known.set(`${client} ${id}`, { revision, etag: String(answer.headers.etag) });
      this.saw(answer, id, revision, title);
    } else this.unexpected(answer, `GET of ${id}`);
  }

  private async readAll(token: string): Promise<void> {
    const path = `/tasks?endeavour_id=${this.world.endeavour}&limit=200&count=false&sort=created_at`;
    const answer = await this.world.wire.ask({ method: 'GET', path, token });
    if (answer.status !== 200) return this.unexpected(answer, 'GET of the list');
    for (const { id, revision, title } of dataOf(answer) as Task[]) {
      if (this.histories.has(id)) this.saw(answer, id, revision, title);
    }
  }

  private async write(token: string, client: number, id: string, expected?: number): Promise<void> {
    this.written += 1;
    const title = `c${client} n${this.written}`;
    const headers: Record<string, string> = expected === undefined ? {} : { 'if-match': `"${expected}"` };
    const request = { method: 'PATCH', path: `/tasks/${id}`, token, headers, body: { title } } as const;
    const answer = await this.world.wire.ask({ ...request, patience: haste() });
    const { begun, ended } = answer;
    const write = { kind: 'written', value: title, expected, begun, ended } as const;
    if (answer.status === 200) {
      const { revision, title: now } = dataOf(answer) as Task;
      if (now !== title) this.surprises.push(`a write of "${title}" answered with "${now}"`);
      this.known.set(`${client} ${id}`, { revision });
      this.note(id, { ...write, revision });
    } else if (answer.status === 412 && expected !== undefined) {
      const current = currentOf(answer);
      this.known.set(`${client} ${id}`, { revision: current });
      this.note(id, { kind: 'refused', expected, current, begun, ended });
    } else if (isOpen(answer) && !isAway(answer)) this.note(id, { ...write, ended: Infinity });
    else this.unexpected(answer, `PATCH of ${id}`);
  }

  private async judge(id: string, history: RegisterOperation[]): Promise<string[]> {
    const { revision, title } = await look<Task>(this.world, `/tasks/${id}`);
    const last = { revision, value: title };
    return registerAnomalies(INITIAL, history, last).map((anomaly) => `${id}: ${anomaly}`);
  }

  private saw({ begun, ended }: Answer, id: string, revision: number, value?: string): void {
    this.note(id, { kind: 'seen', revision, value, begun, ended });
  }

  private note(id: string, operation: RegisterOperation): void {
    this.histories.get(id)?.push(operation);
  }

  private unexpected(answer: Answer, what: string): void {
    if (!isAway(answer) && !isOpen(answer)) this.surprises.push(`${what} answered ${answer.status}: ${answer.text}`);
  }
}

const currentOf = ({ text }: Answer): number =>
  (JSON.parse(text) as { error: { details: { current_revision: number } } }).error.details.current_revision;
