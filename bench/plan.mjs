import { SIZES } from './data/shape.mjs';
import { hasPgbench } from './pgbench.mjs';
import { ROUTES } from './routes.mjs';
import { STARTERS } from './servers.mjs';

/** The highest number of connections, to which the bars apply. */
export const MAX_CONNECTIONS = 48;

/**
 * The requests to each server before the measurement, route by route. Writes of a new process take five times the
 * processor time, until V8 has compiled their code after two thousand of them (8 s).
 */
export const WARMING = { connections: 16, warmUp: 0, seconds: 8 };

/** Returns what to measure with the given options. */
export function planOf({ smoke, quick, full, only, rows, routes, servers, processes }) {
  const names = routes?.split(',') ?? Object.keys(ROUTES);
  const unknown = names.filter((name) => !(name in ROUTES));
  if (unknown.length > 0) throw new Error(`there is no route ${unknown.join(', ')}`);
  const wanted = smoke
    ? ['tiny']
    : rows === 'both' || (full && rows === undefined)
      ? ['small', 'large']
      : [rows ?? 'small'];
  return {
    startup: only === undefined ? !quick && !smoke : only === 'startup',
    sizes: only === 'startup' ? [] : Object.values(SIZES).filter(({ name }) => wanted.includes(name)),
    routes: names.map((name) => [name, ROUTES[name]]),
    servers: Object.keys(STARTERS).filter((kind) => kind === 'service' || (servers?.split(',').includes(kind) ?? true)),
    isWhole: !quick && !smoke && [only, rows, routes, servers].every((option) => option === undefined),
    processes: Number(processes ?? (full ? 2 : 1)),
    hasLimit: hasPgbench() && (servers?.split(',').includes('limit') ?? true),
    warming: smoke ? { ...WARMING, seconds: 0 } : WARMING,
    steps: smoke ? [{ connections: 1, rounds: 1, warmUp: 0, seconds: 0 }] : stepsOf(quick, full),
  };
}

function stepsOf(quick, full) {
  const most = { connections: MAX_CONNECTIONS, warmUp: 0.5, seconds: 2, several: true };
  if (quick) return [{ ...most, rounds: 1 }];
  const fewer = [16, 1].map((connections) => ({ connections, rounds: 1, warmUp: 0.5, seconds: 2 }));
  return full ? [{ ...most, rounds: 7 }, ...fewer] : [{ ...most, rounds: 3 }, ...fewer];
}
