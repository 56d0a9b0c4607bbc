import { availableParallelism } from 'node:os';
import type { Settings } from '../config/settings.js';

/** With fewer connections, the requests of a process would wait for one another. */
const LEAST_CONNECTIONS = 4;

type Sizes = Pick<Settings, 'WORKERS' | 'DATABASE_POOL'>;

/** The number of processes that serve requests. */
export const workerCount = ({ WORKERS }: Pick<Settings, 'WORKERS'>): number =>
  WORKERS === 'auto' ? availableParallelism() : WORKERS;

/** The connections in the pool of each process: its part of DATABASE_POOL. */
export function poolShare(sizes: Sizes): number {
  const count = workerCount(sizes);
  return count === 1 ? sizes.DATABASE_POOL : Math.max(Math.floor(sizes.DATABASE_POOL / count), LEAST_CONNECTIONS);
}

/** The connections of a replica at most: the pools of its processes, and one of each for short reads. */
export const connectionsOf = (sizes: Sizes): number => workerCount(sizes) * (poolShare(sizes) + 1);
