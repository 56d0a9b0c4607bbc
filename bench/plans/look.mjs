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
import { startRecordingProxy } from '../wire.mjs';
import { describe, isAtFault, summarize } from './description.mjs';
import { Explainer } from './explain.mjs';
import { questionsOf } from './questions.mjs';

/** Sends every request as each kind of user, explains the statements sent for it, and returns how many are at fault. */
export async function checkPlans(server, { rows, list, texts, write }, say) {
  const size = SIZES[rows];
  const database = await ensureLoaded(server, size, await readTexts(texts), say);
  const connection = { ...server, database };
  await setRoleLimits(connection);
  const wire = await startRecordingProxy(connection);
  const service = await startService({ ...connection, host: '127.0.0.1', port: wire.port }, { WORKERS: 'false' });
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const checker = new PlanChecker(service.port, wire, await Explainer.of(client));
    const found = await checker.checkAll(peopleOf(size), list);
    say(summarize(found));
    if (write) writeFileSync(join(ROOT, 'bench/PLANS.md'), describe(found));
    return found.filter(isAtFault).length;
  } finally {
    await client.end();
    await service.stop();
    wire.close();
  }
}

/** Users in the first endeavour and organization. The second member sends a request that the first is not allowed. */
const peopleOf = (size) => ({
  member: [3, 1].map((n) => tokenOf(n)),
  administrator: [tokenOf(administrator(size))],
});

const tokenOf = (n) => tokenFor(SECRETS.JWT_SECRET, idOf('usr', n), idOf('ses', n));

class PlanChecker {
  constructor(port, wire, explainer) {
    this.base = `http://127.0.0.1:${port}`;
    this.wire = wire;
    this.explainer = explainer;
  }

  async checkAll(people, list) {
    const document = await (await fetch(`${this.base}/openapi.json`)).json();
    const questions = questionsOf(document).filter((one) => list === undefined || one.list === `/api/v1${list}`);
    const found = [];
    for (const [who, tokens] of Object.entries(people)) {
      for (const question of questions) found.push(...(await this.look(who, tokens, question)));
    }
    return found;
  }

  /** Sends the request with each token until one is allowed. A list for administrators only has no row for members. */
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
      return [{ who, list, query, ms, isCutOff: response.status === 503, ...mergePlans(plans) }];
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
/** The service sets this where a generic plan would be too slow. */
const asksForValues = (text) => text.includes(`plan_cache_mode = 'force_custom_plan'`);

/** Merges the plans of all statements of one request. */
function mergePlans(plans) {
  const all = (kind, part) => [...new Set(plans.flatMap((plan) => plan[kind][part]))];
  return {
    cost: Math.max(...plans.map(({ used }) => used.cost)),
    indexes: all('used', 'indexes'),
    sequential: all('used', 'sequential'),
    other: all('other', 'sequential'),
  };
}
