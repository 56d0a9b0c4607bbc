import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { setRoleLimits } from '../../dist/platform/process/role-limits.js';
import { ensureLoaded } from '../data/load.mjs';
import { administrator, idOf, SIZES } from '../data/shape.mjs';
import { readTexts } from '../data/texts.mjs';
import { ROOT } from '../processes.mjs';
import { SECRETS, startService } from '../servers.mjs';
import { tokenFor } from '../tokens.mjs';
import { openWire } from '../wire.mjs';
import { describe, isAtFault, summarize } from './description.mjs';
import { Explainer } from './explain.mjs';
import { questionsOf } from './questions.mjs';

/** Asks every question as each kind of person, and explains what the service sent for it; how many are at fault. */
export async function lookAtPlans(server, { rows, texts, write }, say) {
  const size = SIZES[rows];
  const database = await ensureLoaded(server, size, await readTexts(texts), say);
  const connection = { ...server, database };
  await setRoleLimits(connection);
  const wire = await openWire(connection);
  const service = await startService({ ...connection, host: '127.0.0.1', port: wire.port }, { WORKERS: 'false' });
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const looker = new Looker(service.port, wire, await Explainer.of(client));
    const found = await looker.lookAtAll(peopleOf(size));
    say(summarize(found));
    if (write) writeFileSync(join(ROOT, 'bench/PLANS.md'), describe(found));
    return found.filter(isAtFault).length;
  } finally {
    await client.end();
    await service.stop();
    wire.close();
  }
}

/** In the first endeavour and the first organization; the second is asked where the first may not. */
const peopleOf = (size) => ({
  member: [3, 1].map((n) => tokenOf(n)),
  administrator: [tokenOf(administrator(size))],
});

const tokenOf = (n) => tokenFor(SECRETS.JWT_SECRET, idOf('usr', n), idOf('ses', n));

class Looker {
  constructor(port, wire, explainer) {
    this.base = `http://127.0.0.1:${port}`;
    this.wire = wire;
    this.explainer = explainer;
  }

  async lookAtAll(people) {
    const document = await (await fetch(`${this.base}/openapi.json`)).json();
    const found = [];
    for (const [who, tokens] of Object.entries(people)) {
      for (const question of questionsOf(document)) found.push(...(await this.look(who, tokens, question)));
    }
    return found;
  }

  /** Undefined parts of a question are not asked: what only administrators may list has no row for members. */
  async look(who, tokens, { list, path, query }) {
    const url = `${this.base}${path}?${query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
    for (const token of tokens) {
      this.wire.reset();
      const begun = performance.now();
      const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
      const answer = await response.text();
      const ms = performance.now() - begun;
      if (response.status === 403 || response.status === 404) continue;
      if (!response.ok && response.status !== 503) throw new Error(`${url} answered ${response.status}: ${answer}`);
      const plans = await this.explainAll(this.wire.seen);
      return [{ who, list, query, ms, isCutOff: response.status === 503, ...together(plans) }];
    }
    return [];
  }

  async explainAll(sent) {
    const plans = [];
    let isForValues = false;
    for (const statement of sent) {
      isForValues ||= asksForValues(statement.text);
      if (!/^\s*(SELECT|WITH)\b/.test(statement.text) || isOfTheCaller(statement.text)) continue;
      plans.push(await this.explainer.explain(statement, isForValues));
    }
    return plans;
  }
}

const isOfTheCaller = (text) => /FROM sessions s\b/.test(text);
/** The service says so where a plan for all values would not do. */
const asksForValues = (text) => text.includes(`plan_cache_mode = 'force_custom_plan'`);

/** All statements of one request as one. */
function together(plans) {
  const all = (kind, part) => [...new Set(plans.flatMap((plan) => plan[kind][part]))];
  return {
    cost: Math.max(...plans.map(({ used }) => used.cost)),
    indexes: all('used', 'indexes'),
    sequential: all('used', 'sequential'),
    other: all('other', 'sequential'),
  };
}
