import { listAnomalies, type Appended, type Read } from './append-list.js';
import { isAway, isOpen, type Answer } from './wire.js';
import { dataOf, everything, haste, make, nextOf, together, type Outcome, type World } from './world.js';

interface Comment {
  content: string;
}
interface List {
  task: string;
  appends: Appended[];
  reads: Read[];
}

/** How many items a list gets before the clients go on to the next one. */
const LENGTH = 80;
const SHARE_OF_APPENDS = 0.6;

/** Many clients comment on one task and read what is there, whole or in pages. */
export class CommentLists {
  private readonly lists: List[] = [];
  private readonly surprises: string[] = [];
  private sent = 0;

  constructor(private readonly world: World) {}

  async run(operations: number): Promise<Outcome> {
    const count = Math.ceil((operations * SHARE_OF_APPENDS) / LENGTH);
    for (let n = 0; n < count; n += 1) {
      const task = await make(this.world, '/tasks', { title: `List ${n}`, endeavour_id: this.world.endeavour });
      this.lists.push({ task, appends: [], reads: [] });
    }
    let asked = 0;
    await together(this.world, operations, async (token) => {
      const list = this.lists[Math.floor((asked * count) / operations)];
      asked += 1;
      if (Math.random() < SHARE_OF_APPENDS) await this.append(token, list);
      else await this.read(token, list, Math.random() < 0.2 ? 20 : 200);
    });
    const anomalies = await Promise.all(this.lists.map((list) => this.judge(list)));
    const appends = this.lists.flatMap((list) => list.appends);
    const unknown = appends.filter(({ ended }) => ended === Infinity).length;
    return { operations, unknown, anomalies: [...this.surprises, ...anomalies.flat()] };
  }

  private async append(token: string, { task, appends }: List): Promise<void> {
    this.sent += 1;
    const content = `item ${this.sent}`;
    const body = { entity_type: 'task', entity_id: task, content };
    const answer = await this.world.wire.ask({ method: 'POST', path: '/comments', token, body, patience: haste() });
    const { begun, ended } = answer;
    if (answer.status === 201) appends.push({ item: content, begun, ended });
    else if (isOpen(answer) && !isAway(answer)) appends.push({ item: content, begun, ended: Infinity });
    else this.unexpected(answer, 'POST of a comment');
  }

  /** Reads all pages. They are not one snapshot, but must contain every item that existed before the first read. */
  private async read(token: string, list: List, limit: number): Promise<void> {
    const items: string[] = [];
    let begun = Infinity;
    let ended = 0;
    for (let path: string | undefined = pathOf(list, limit); path !== undefined;) {
      const answer: Answer = await this.world.wire.ask({ method: 'GET', path, token });
      if (answer.status !== 200) return this.unexpected(answer, 'GET of comments');
      items.push(...(dataOf(answer) as Comment[]).map(({ content }) => content));
      begun = Math.min(begun, answer.begun);
      ended = answer.ended;
      path = nextOf(answer);
    }
    list.reads.push({ items, begun, ended });
  }

  private async judge(list: List): Promise<string[]> {
    const last = await everything<Comment>(this.world, pathOf(list, 200));
    const items = last.map(({ content }) => content);
    return listAnomalies(list.appends, list.reads, items).map((anomaly) => `${list.task}: ${anomaly}`);
  }

  private unexpected(answer: Answer, what: string): void {
    if (!isAway(answer) && !isOpen(answer)) this.surprises.push(`${what} answered ${answer.status}: ${answer.text}`);
  }
}

const pathOf = ({ task }: List, limit: number): string =>
  `/comments?entity_type=task&entity_id=${task}&limit=${limit}&count=false`;
