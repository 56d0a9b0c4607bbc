import { setTimeout as pause } from 'node:timers/promises';
import { keyAnomalies, type KeyUse } from './once.js';
import type { ApiRequest } from './wire.js';
import { listAll, randomTimeout, readResource, createResource, pick, type Outcome, type World } from './world.js';

const USES = 8;
const KEYS_AT_ONCE = 4;
const PAUSE_MS = 20;

/** An idempotency key with its request and the responses to each use. */
interface KeyedRequest {
  key: string;
  request: ApiRequest;
  uses: KeyUse[];
}

/** Uses each idempotency key eight times at once, over all replicas, and then again until the response is final. */
export class Keys {
  private readonly keyedRequests: KeyedRequest[] = [];
  private unknown = 0;

  constructor(private readonly world: World) {}

  async run(keys: number): Promise<Outcome> {
    const { endeavour } = this.world;
    const target = await createResource(this.world, '/tasks', { title: 'Target of keys', endeavour_id: endeavour });
    for (let n = 0; n < keys; n += 1) this.keyedRequests.push(this.keyedRequest(`${target} ${n}`, n, target));
    const waiting = [...this.keyedRequests];
    await Promise.all(
      Array.from({ length: KEYS_AT_ONCE }, async () => {
        for (let keyed = waiting.shift(); keyed !== undefined; keyed = waiting.shift()) await this.useAll(keyed);
      }),
    );
    return { operations: keys * (USES + 1), unknown: this.unknown, anomalies: await this.findAnomalies(target) };
  }

  private keyedRequest(key: string, n: number, target: string): KeyedRequest {
    const headers = { 'idempotency-key': key };
    const shared = { token: pick(this.world.tokens), headers };
    const comment = { entity_type: 'task', entity_id: target, content: key };
    const requests: ApiRequest[] = [
      { ...shared, method: 'POST', path: '/tasks', body: { title: key, endeavour_id: this.world.endeavour } },
      { ...shared, method: 'POST', path: '/comments', body: comment },
      { ...shared, method: 'PATCH', path: `/tasks/${target}`, body: { metadata: { [key]: n } } },
    ];
    return { key, request: requests[n % requests.length], uses: [] };
  }

  private async useAll(keyed: KeyedRequest): Promise<void> {
    await Promise.all(Array.from({ length: USES }, () => this.use(keyed, randomTimeout())));
    while ((await this.use(keyed)) !== 'done') await pause(PAUSE_MS);
  }

  private async use({ request, uses }: KeyedRequest, timeoutMs?: number): Promise<'done' | 'again'> {
    const { status, text } = await this.world.client.send({ ...request, timeoutMs });
    if (status === 503 || status === 0 || status === undefined) {
      this.unknown += 1;
      return 'again';
    }
    const { error } = JSON.parse(text) as { error?: { code: string } };
    uses.push({ status, code: error?.code, body: error === undefined ? text : '' });
    return status === 409 && error?.code === 'request_in_progress' ? 'again' : 'done';
  }

  private async findAnomalies(target: string): Promise<string[]> {
    const tasks = await listAll<{ title: string }>(this.world, `/tasks?endeavour_id=${this.world.endeavour}&limit=200`);
    const comments = await listAll<{ content: string }>(this.world, `/comments?entity_id=${target}&limit=200`);
    const { revision, metadata } = await readResource<{ revision: number; metadata: object }>(
      this.world,
      `/tasks/${target}`,
    );
    const patched = Object.keys(metadata);
    const effects = new Map<string, number>();
    for (const key of [...tasks.map(({ title }) => title), ...comments.map(({ content }) => content), ...patched]) {
      effects.set(key, (effects.get(key) ?? 0) + 1);
    }
    const jumps = revision === patched.length + 1 ? [] : [`${patched.length} patches made ${revision - 1} revisions`];
    return [...jumps, ...this.keyedRequests.flatMap(({ key, uses }) => keyAnomalies(key, uses, effects.get(key) ?? 0))];
  }
}
