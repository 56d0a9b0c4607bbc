import { Databases } from './databases.mjs';
import { SIZES } from './data/shape.mjs';
import { readTexts } from './data/texts.mjs';
import { measureSize } from './measure.mjs';
import { hasPgbench } from './pgbench.mjs';
import { barsOf, barsTable, figuresTable, summarize } from './report.mjs';
import { ROUTES } from './routes.mjs';
import { STARTERS } from './servers.mjs';

const MOST = 48;

/** What is to be measured, by the options that were given. */
function planOf({ quick, rows, routes, servers, processes }) {
  const names = routes?.split(',') ?? Object.keys(ROUTES);
  const unknown = names.filter((name) => !(name in ROUTES));
  if (unknown.length > 0) throw new Error(`there is no route ${unknown.join(', ')}`);
  const wanted = rows ?? (quick ? 'small' : 'both');
  return {
    sizes: Object.values(SIZES).filter(({ name }) => wanted === 'both' || wanted === name),
    routes: names.map((name) => [name, ROUTES[name]]),
    servers: Object.keys(STARTERS).filter((kind) => kind === 'service' || (servers?.split(',').includes(kind) ?? true)),
    processes: Number(processes),
    hasLimit: hasPgbench() && (servers?.split(',').includes('limit') ?? true),
    steps: quick
      ? [{ connections: MOST, rounds: 1, warmUp: 0.5, seconds: 2 }]
      : [
          { connections: MOST, rounds: 3, warmUp: 1, seconds: 3 },
          { connections: 16, rounds: 1, warmUp: 0.5, seconds: 2 },
          { connections: 1, rounds: 1, warmUp: 0.5, seconds: 2 },
        ],
  };
}

/** Measures everything that was asked for, and tells what came of it. */
export async function measureAll({ server, options, isKept, texts, say }) {
  const plan = planOf(options);
  const read = await readTexts(texts);
  const databases = new Databases(server.connection, read, { isKept, say });
  const measured = [];
  for (const size of plan.sizes) {
    const { connection, remove } = await databases.open(size);
    try {
      say(`${size.name}: ${size.tasks} tasks in ${size.endeavours} endeavours`);
      measured.push(
        await measureSize({ connection, postmaster: server.postmaster, size, texts: read.texts, plan, say }),
      );
    } finally {
      await remove();
    }
  }
  const rows = summarize(measured);
  say(`\n${figuresTable(rows, measured)}\n\n${barsTable(barsOf(rows, MOST))}`);
}
