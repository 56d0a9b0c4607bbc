import { appendFileSync } from 'node:fs';
import { TestApp } from './test-app.js';

const REPLICAS = 4;

/** The number of attempts of an attack: the first number by default, the second with FULL_SIZE=true. */
export const size = (usual: number, full: number): number => (process.env.FULL_SIZE === 'true' ? full : usual);

/** A test timeout that is long enough for the full size of an attack. */
export const PATIENCE_MS = 15 * 60_000;

/** Settings that raise every limit that is not under attack, and let a request come from any address. */
export const OPEN_LIMITS = {
  LIMIT_REGISTER_PER_HOUR: '1000000',
  LIMIT_LOGIN_PER_MINUTE: '1000000',
  LIMIT_CODES_PER_HOUR: '1000000',
  LIMIT_MAILS_PER_HOUR: '1000000',
  LIMIT_MAILS_OF_KIND_PER_HOUR: '1000000',
  LIMIT_INVITATION_MAILS_PER_DAY: '1000000',
  LIMIT_INVITATIONS_PER_HOUR: '1000000',
  LIMIT_ADDITIONS_PER_HOUR: '1000000',
  LIMIT_PASSWORD_FAILURES_PER_HOUR: '1000000',
  LIMIT_READS_PER_MINUTE: '1000000',
  LIMIT_WRITES_PER_MINUTE: '1000000',
  TRUSTED_PROXIES: '127.0.0.1,::1',
};

/** Starts four replicas on one database, which belongs to the first. */
export async function openReplicas(environment: Record<string, string> = OPEN_LIMITS): Promise<TestApp[]> {
  const first = await TestApp.open(environment);
  const apps = [first];
  while (apps.length < REPLICAS) apps.push(await TestApp.open(environment, first));
  return apps;
}

export async function closeReplicas(apps: TestApp[]): Promise<void> {
  for (const app of apps.toReversed()) await app.close();
}

/** Returns a client address, a different one for each number below 2^24. */
export const address = (number: number): string => `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;

/** Runs the work `n` times, at most `atOnce` at the same time, and returns the results in order. */
export async function times<T>(n: number, atOnce: number, work: (index: number) => PromiseLike<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < n; index = next++) results[index] = await work(index);
  };
  await Promise.all(Array.from({ length: Math.min(n, atOnce) }, worker));
  return results;
}

/** Counts the occurrences of each value. */
export function tally<T extends string | number>(values: readonly T[]): Partial<Record<T, number>> {
  const counts: Partial<Record<T, number>> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

/** Appends a figure to FIGURES_FILE, which test/faults/auth.mjs sets; does nothing without it. */
export function recordFigure(figure: string, reached: string, bar: string, passed: boolean): void {
  const file = process.env.FIGURES_FILE;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ figure, reached, bar, passed })}\n`);
}
