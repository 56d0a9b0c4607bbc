/**
 * The dates by which the open tasks are done, if the coming days are like the days of the sample. `open` is their size, by
 * number, hours or points.
 */
export interface Forecast {
  open: number;
  sampled_days: number;
  p50_date: string | null;
  p85_date: string | null;
}

const TRIALS = 1_000;
/** A forecast reaches no further than this many days, which also bounds the computation. */
const MAX_DAYS = 1_000;
/** Less than this is left only because sums of fractions are inexact. */
const NOTHING = 1e-6;
const SEED = 0x5eed;
const DAY_MS = 86_400_000;

export const FORECAST_TEXT =
  `Estimated by ${TRIALS} simulations, each of which draws days from the sampled ones until the open tasks are ` +
  'completed; the same data always give the same result.';

/** A pseudorandom sequence from 0 up to 1 (mulberry32) with a fixed seed, so that forecasts are reproducible. */
function randomNumbers(): () => number {
  let state = SEED;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The number of days until no task is open, in one simulation; Infinity beyond `MAX_DAYS`. */
function simulate(open: number, sample: readonly number[], random: () => number): number {
  let left = open;
  for (let day = 1; day <= MAX_DAYS; day += 1) {
    left -= sample[Math.floor(random() * sample.length)];
    if (left <= NOTHING) return day;
  }
  return Infinity;
}

/** Forecasts by resampling the size of the tasks completed per day; `today` is a date as YYYY-MM-DD. */
export function forecastOf(open: number, sample: readonly number[], today: string): Forecast {
  const none = { open, sampled_days: sample.length, p50_date: null, p85_date: null };
  if (open === 0 || sample.every((completed) => completed === 0)) return none;
  const random = randomNumbers();
  const days = Array.from({ length: TRIALS }, () => simulate(open, sample, random)).sort((a, b) => a - b);
  const dateAt = (share: number): string | null => dateAfter(today, days[Math.ceil(share * TRIALS) - 1]);
  return { ...none, p50_date: dateAt(0.5), p85_date: dateAt(0.85) };
}

const dateAfter = (today: string, days: number): string | null =>
  Number.isFinite(days) ? new Date(Date.parse(today) + days * DAY_MS).toISOString().slice(0, 10) : null;
