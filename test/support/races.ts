const LONG_RUN = process.env.RACE_ROUNDS;
const MS_A_ROUND = 10_000;
const MS_AT_LEAST = 600_000;

/**
 * A test of what must hold when several do something at once: it races them so many times, or as often as RACE_ROUNDS
 * says. `npm run resilience -- history` finds all of them by what is put behind their names.
 */
export function race(name: string, usual: number, round: (round: number) => Promise<void>): void {
  const rounds = LONG_RUN === undefined ? usual : Number(LONG_RUN);
  const runAll = async () => {
    for (let n = 0; n < rounds; n += 1) await round(n);
  };
  it(`${name} (raced)`, runAll, Math.max(MS_AT_LEAST, rounds * MS_A_ROUND));
}
