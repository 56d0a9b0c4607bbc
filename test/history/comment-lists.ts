import { listAnomalies, type Append, type Read } from './append-list.js';
import { isUnavailable, isOutcomeUnknown, type ApiResponse } from './wire.js';
import {
  dataOf,
  listAll,
  randomTimeout,
  createResource,
  nextPathOf,
  runConcurrently,
  type Outcome,
  type World,
} from './world.js';

interface Comment {
  content: string;
}
interface List {
  task: string;
  appends: Append[];
  reads: Read[];
}

/** The average number of items in a list before the clients continue with the next one. */
const LENGTH = 80;
const SHARE_OF_APPENDS = 0.6;

/** Clients concurrently comment on a task and read its comments, in one page or several. */
export class CommentLists {
  private readonly lists: List[] = [];
  private readonly unexpectedResponses: string[] = [];
  private sent = 0;

  constructor(private readonly world: World) {}

  async run(operations: number): Promise<Outcome> {
    const count = Math.ceil((operations * SHARE_OF_APPENDS) / LENGTH);
    for (let n = 0; n < count; n += 1) {
      const task = await createResource(this.world, '/tasks', {
        title: `List ${n}`,
        endeavour_id: this.world.endeavour,
      });
      this.lists.push({ task, appends: [], reads: [] });
    }
    let asked = 0;
    await runConcurrently(this.world, operations, async (token) => {
      const list = this.lists[Math.floor((asked * count) / operations)];
      asked += 1;
      if (Math.random() < SHARE_OF_APPENDS) await this.append(token, list);
      else await this.read(token, list, Math.random() < 0.2 ? 20 : 200);
    });
    const anomalies = await Promise.all(this.lists.map((list) => this.findAnomalies(list)));
    const appends = this.lists.flatMap((list) => list.appends);
    const unknown = appends.filter(({ ended }) => ended === Infinity).length;
    return { operations, unknown, anomalies: [...this.unexpectedResponses, ...anomalies.flat()] };
  }

  private async append(token: string, { task, appends }: List): Promise<void> {
    this.sent += 1;
    const content = `item ${this.sent}`;
    const body = { entity_type: 'task', entity_id: task, content };
    const response = await this.world.client.send({
      method: 'POST',
      path: '/comments',
      token,
      body,
      timeoutMs: randomTimeout(),
    });
    const { begun, ended } = response;
    if (response.status === 201) appends.push({ item: content, begun, ended });
    else if (isOutcomeUnknown(response) && !isUnavailable(response))
      appends.push({ item: content, begun, ended: Infinity });
    else this.recordUnexpected(response, 'POST of a comment');
  }

  /** Reads all pages. They are not one snapshot, but must contain every item that existed before the first read. */
  private async read(token: string, list: List, limit: number): Promise<void> {
    const items: string[] = [];
    let begun = Infinity;
    let ended = 0;
    for (let path: string | undefined = pathOf(list, limit); path !== undefined;) {
      const response: ApiResponse = await this.world.client.send({ method: 'GET', path, token });
      if (response.status !== 200) return this.recordUnexpected(response, 'GET of comments');
      items.push(...(dataOf(response) as Comment[]).map(({ content }) => content));
      begun = Math.min(begun, response.begun);
      ended = response.ended;
      path = nextPathOf(response);
    }
    list.reads.push({ items, begun, ended });
  }

  private async findAnomalies(list: List): Promise<string[]> {
    const last = await listAll<Comment>(this.world, pathOf(list, 200));
    const items = last.map(({ content }) => content);
    return listAnomalies(list.appends, list.reads, items).map((anomaly) => `${list.task}: ${anomaly}`);
  }

  private recordUnexpected(response: ApiResponse, what: string): void {
    if (!isUnavailable(response) && !isOutcomeUnknown(response))
      this.unexpectedResponses.push(`${what} answered ${response.status}: ${response.text}`);
  }
}

const pathOf = ({ task }: List, limit: number): string =>
  `/comments?entity_type=task&entity_id=${task}&limit=${limit}&count=false`;
