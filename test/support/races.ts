const LONG_RUN = process.env.RACE_ROUNDS;
const MS_A_ROUND = 10_000;
const MS_AT_LEAST = 600_000;

/**
 * Declares a test of concurrent requests that runs `usual` rounds, or RACE_ROUNDS if that is set.
 * `npm run resilience -- races` finds these tests by the suffix of their names.
 */
export function race(name: string, usual: number, round: (round: number) => Promise<void>): void {
  const rounds = LONG_RUN === undefined ? usual : Number(LONG_RUN);
  const runAll = async () => {
    for (let n = 0; n < rounds; n += 1) await round(n);
  };
  it(`${name} (raced)`, runAll, Math.max(MS_AT_LEAST, rounds * MS_A_ROUND));
}
