import { availableParallelism } from 'node:os';
import { connectionsOf, poolShare, workerCount } from './worker-count.js';

describe('the processes of a replica', () => {
  it('are as many as the setting says, or as there are processors', () => {
    expect([workerCount({ WORKERS: 3 }), workerCount({ WORKERS: 'auto' })]).toEqual([3, availableParallelism()]);
  });

  it.each([
    { WORKERS: 1, DATABASE_POOL: 2, share: 2, all: 3 },
    { WORKERS: 1, DATABASE_POOL: 10, share: 10, all: 11 },
    { WORKERS: 2, DATABASE_POOL: 10, share: 5, all: 12 },
    { WORKERS: 3, DATABASE_POOL: 20, share: 6, all: 21 },
    { WORKERS: 8, DATABASE_POOL: 10, share: 4, all: 40 },
  ])('divide the connections, but for the least that each needs: %o', ({ share, all, ...sizes }) => {
    expect([poolShare(sizes), connectionsOf(sizes)]).toEqual([share, all]);
  });
});
