import { WebhookReceiver } from '../webhook-receiver.js';
import { until, type StockPostgres } from './servers.js';
import { ADMIN, send, type Answer, type Json, type Site } from './site.js';

const CLIENTS = 12;
const REQUESTS = 240;
const MIB = 1024 * 1024;

/** Sends requests as one user. */
class Client {
  private constructor(
    private readonly base: string,
    private readonly token: string,
  ) {}

  static async signIn(base: string, email: string, password: string): Promise<Client> {
    const type = { 'content-type': 'application/json' };
    const { body } = await send(`${base}/api/v1/auth/login`, 'POST', type, JSON.stringify({ email, password }));
    return new Client(base, body.data.token);
  }

  send(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> {
    const sent = body === undefined || body instanceof Buffer ? body : JSON.stringify(body);
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    const all = { authorization: `Bearer ${this.token}`, ...type, ...headers };
    return send(`${this.base}/api/v1${path}`, method, all, sent as string | Buffer | undefined);
  }

  async get(path: string): Promise<Json> {
    return (await this.send('GET', path)).body;
  }

  /** The created resource; fails with the answer if there is none. */
  async create(path: string, body: object, headers?: Record<string, string>): Promise<Json> {
    const { status, body: answer } = await this.send('POST', path, body, headers);
    if (status !== 201 && status !== 202) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`);
    return answer.data;
  }
}

/** What a day of work on a site has shown. */
export interface Work {
  statuses: Record<string, number>;
  imported: number;
  notified: number;
  delivered: string[];
  refusals: [status: number, type: string | undefined, message: string][];
}

/**
 * Works on a site as people and programs do: many requests at once, a large import, notifications, a webhook, and bodies
 * that are too large. Returns what it has seen; notifications and webhooks are waited for.
 */
export async function work(
  site: Site,
  postgres: StockPostgres,
  other: { email: string; password: string },
): Promise<Work> {
  const ada = await Client.signIn(site.base, ADMIN.email, ADMIN.password);
  const eve = await Client.signIn(site.base, other.email, other.password);
  const endeavour = (await ada.create('/endeavours', { name: 'Garden' })).id as string;
  const person = (await eve.get('/auth/whoami')).data;
  await postgres.asService(
    `INSERT INTO endeavour_members (endeavour_id, user_id, resource_id, role)
     SELECT '${endeavour}', id, resource_id, 'member' FROM users WHERE id = '${person.user_id}'`,
  );
  const receiver = await WebhookReceiver.open();
  try {
    await ada.create('/webhooks', { url: receiver.url(), endeavour_id: endeavour, events: ['task.created'] });
    const before = (await eve.get('/notifications?limit=1')).meta.total as number;
    const task = { endeavour_id: endeavour, title: 'Dig', assignee_id: person.resource_id };
    await ada.create('/tasks', task);
    await receiver.until(1);
    return {
      statuses: await manyRequests(ada, endeavour),
      imported: await largeImport(ada, endeavour),
      notified: await until(`a notification, in the log:\n${site.log.slice(-3_000)}`, async () => {
        const { total } = (await eve.get('/notifications?limit=1')).meta as { total: number };
        return total > before && total;
      }),
      delivered: receiver
        .messages()
        .slice(0, 1)
        .map(({ type }) => type),
      refusals: await tooLarge(ada),
    };
  } finally {
    await receiver.close();
  }
}

/** Reads and writes from several clients at once, so that statements are prepared and connections are shared. */
async function manyRequests(ada: Client, endeavour: string): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  let next = 0;
  const one = async (): Promise<void> => {
    while (next < REQUESTS) {
      const n = (next += 1);
      const [method, path, body] = [
        ['POST', '/tasks', { endeavour_id: endeavour, title: `Task ${n}` }],
        ['GET', `/tasks?endeavour_id=${endeavour}&limit=20`],
        ['GET', `/search?q=task&limit=5`],
        ['GET', `/changes?endeavour_id=${endeavour}&limit=5`],
      ][n % 4] as [string, string, object?];
      const { status } = await ada.send(method, path, body);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, one));
  return statuses;
}

/** Imports a file of more than 8 MiB; returns how many tasks it has created. */
async function largeImport(ada: Client, endeavour: string): Promise<number> {
  const text = 'word '.repeat(9_000);
  const lines = Array.from({ length: 210 }, (_, n) => `K-${n},Imported ${n},"${text}"`);
  const file = Buffer.from(`id,title,description\n${lines.join('\n')}\n`);
  if (file.length < 9 * MIB) throw new Error('the file is too small');
  const path = `/imports?format=csv&endeavour_id=${endeavour}`;
  const operation = await ada.create(path, file, { 'content-type': 'text/csv' });
  const ended = await until('the end of the import', async () => {
    const { data } = await ada.get(`/operations/${operation.id}`);
    return ['succeeded', 'failed', 'canceled', 'completed'].includes(data.status) && data;
  });
  const { data } = await ada.get(`/imports/${String(ended.id).replace(/^opr/, 'imp')}`);
  return data.counts.created;
}

/** Bodies over 1 MiB, which the service refuses, over 8 MiB, and files over 200 MiB, which the proxy refuses. */
async function tooLarge(ada: Client): Promise<Work['refusals']> {
  const ask = async (path: string, body: Buffer | undefined, declared: number): Promise<Work['refusals'][number]> => {
    const headers = { 'content-type': 'application/json', 'content-length': String(declared) };
    const answer = await ada.send('POST', path, body, headers);
    return [answer.status, answer.type, answer.body.error.message];
  };
  const file = `/imports?format=csv`;
  return [
    await ask('/tasks', Buffer.alloc(2 * MIB, ' '), 2 * MIB),
    await ask('/tasks', undefined, 9 * MIB),
    await ask(file, undefined, 201 * MIB),
    await ask(file, undefined, 2_000 * MIB),
  ];
}
