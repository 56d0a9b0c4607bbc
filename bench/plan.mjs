import { SIZES } from './data/shape.mjs';
import { hasPgbench } from './pgbench.mjs';
import { ROUTES } from './routes.mjs';
import { STARTERS } from './servers.mjs';

/** The number of connections that the bars are about. */
export const MOST = 48;

/** What is to be measured, by the options that were given. */
export function planOf({ quick, only, rows, routes, servers, processes }) {
  const names = routes?.split(',') ?? Object.keys(ROUTES);
  const unknown = names.filter((name) => !(name in ROUTES));
  if (unknown.length > 0) throw new Error(`there is no route ${unknown.join(', ')}`);
  const wanted = rows ?? (quick ? 'small' : 'both');
  return {
    startup: only === undefined ? !quick : only === 'startup',
    sizes: only === 'startup' ? [] : Object.values(SIZES).filter(({ name }) => wanted === 'both' || wanted === name),
    routes: names.map((name) => [name, ROUTES[name]]),
    servers: Object.keys(STARTERS).filter((kind) => kind === 'service' || (servers?.split(',').includes(kind) ?? true)),
    isFull: !quick && only === undefined && rows === undefined && routes === undefined && servers === undefined,
    processes: Number(processes ?? (quick ? 1 : 2)),
    hasLimit: hasPgbench() && (servers?.split(',').includes('limit') ?? true),
    steps: quick
      ? [{ connections: MOST, rounds: 1, warmUp: 0.5, seconds: 2, several: true }]
      : [
          { connections: MOST, rounds: 7, warmUp: 0.5, seconds: 1.5, several: true },
          { connections: 16, rounds: 1, warmUp: 0.5, seconds: 1.5 },
          { connections: 1, rounds: 1, warmUp: 0.5, seconds: 1.5 },
        ],
  };
}
