import { setTimeout as pause } from 'node:timers/promises';
import { keyAnomalies, type Use } from './once.js';
import type { Ask } from './wire.js';
import { everything, haste, look, make, pick, type Outcome, type World } from './world.js';

const USES = 8;
const KEYS_AT_ONCE = 4;
const PAUSE_MS = 20;

/** What is asked for under a key, and how often that was done, in the end. */
interface Deed {
  key: string;
  ask: Ask;
  uses: Use[];
}

/** Each idempotency key is used eight times at once, over all replicas, and once more when all is over. */
export class Keys {
  private readonly deeds: Deed[] = [];
  private unknown = 0;

  constructor(private readonly world: World) {}

  async run(keys: number): Promise<Outcome> {
    const { endeavour } = this.world;
    const target = await make(this.world, '/tasks', { title: 'Target of keys', endeavour_id: endeavour });
    for (let n = 0; n < keys; n += 1) this.deeds.push(this.deed(`${target} ${n}`, n, target));
    const waiting = [...this.deeds];
    await Promise.all(
      Array.from({ length: KEYS_AT_ONCE }, async () => {
        for (let deed = waiting.shift(); deed !== undefined; deed = waiting.shift()) await this.useAll(deed);
      }),
    );
    return { operations: keys * (USES + 1), unknown: this.unknown, anomalies: await this.judge(target) };
  }

  private deed(key: string, n: number, target: string): Deed {
    const headers = { 'idempotency-key': key };
    const shared = { token: pick(this.world.tokens), headers };
    const comment = { entity_type: 'task', entity_id: target, content: key };
    const asks: Ask[] = [
      { ...shared, method: 'POST', path: '/tasks', body: { title: key, endeavour_id: this.world.endeavour } },
      { ...shared, method: 'POST', path: '/comments', body: comment },
      { ...shared, method: 'PATCH', path: `/tasks/${target}`, body: { metadata: { [key]: n } } },
    ];
    return { key, ask: asks[n % asks.length], uses: [] };
  }

  private async useAll(deed: Deed): Promise<void> {
    await Promise.all(Array.from({ length: USES }, () => this.use(deed, haste())));
    while ((await this.use(deed)) !== 'done') await pause(PAUSE_MS);
  }

  private async use({ ask, uses }: Deed, patience?: number): Promise<'done' | 'again'> {
    const { status, text } = await this.world.wire.ask({ ...ask, patience });
    if (status === 503 || status === 0 || status === undefined) {
      this.unknown += 1;
      return 'again';
    }
    const { error } = JSON.parse(text) as { error?: { code: string } };
    uses.push({ status, code: error?.code, body: error === undefined ? text : '' });
    return status === 409 && error?.code === 'request_in_progress' ? 'again' : 'done';
  }

  private async judge(target: string): Promise<string[]> {
    const tasks = await everything<{ title: string }>(
      this.world,
      `/tasks?endeavour_id=${this.world.endeavour}&limit=200`,
    );
    const comments = await everything<{ content: string }>(this.world, `/comments?entity_id=${target}&limit=200`);
    const { revision, metadata } = await look<{ revision: number; metadata: object }>(this.world, `/tasks/${target}`);
    const patched = Object.keys(metadata);
    const effects = new Map<string, number>();
    for (const key of [...tasks.map(({ title }) => title), ...comments.map(({ content }) => content), ...patched]) {
      effects.set(key, (effects.get(key) ?? 0) + 1);
    }
    const jumps = revision === patched.length + 1 ? [] : [`${patched.length} patches made ${revision - 1} revisions`];
    return [...jumps, ...this.deeds.flatMap(({ key, uses }) => keyAnomalies(key, uses, effects.get(key) ?? 0))];
  }
}
