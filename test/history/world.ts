import { setTimeout as pause } from 'node:timers/promises';
import { isAway, isOpen, Wire, type Answer, type Ask } from './wire.js';

const PAUSE_MS = 20;

/** Replicas of the service, people with sessions, and an endeavour in which all of them are members. */
export interface World {
  wire: Wire;
  tokens: string[];
  endeavour: string;
}

/** What a part of the history came to. */
export interface Outcome {
  operations: number;
  /** How many operations have an unknown outcome. */
  unknown: number;
  anomalies: string[];
}

/** The share of writes whose client hangs up before the answer can be there, and for how long it waits at most. */
const HASTY = 0.03;
const HASTE_MS = 12;

export const haste = (): number | undefined => (Math.random() < HASTY ? Math.random() * HASTE_MS : undefined);

export const pick = <T>(items: T[]): T => items[Math.floor(Math.random() * items.length)];

export const dataOf = ({ text }: Answer): unknown => (JSON.parse(text) as { data: unknown }).data;

/** Retries until the wanted status; an answer that a retry cannot change ends the run. */
async function insist(world: World, ask: Pick<Ask, 'method' | 'path' | 'body'>, wanted: number): Promise<Answer> {
  for (;;) {
    const answer = await world.wire.ask({ ...ask, token: world.tokens[0] });
    if (answer.status === wanted) return answer;
    if (!isAway(answer) && !isOpen(answer)) {
      throw new Error(`${ask.method} ${ask.path} answered ${answer.status}: ${answer.text}`);
    }
    await pause(PAUSE_MS);
  }
}

/** Creates something, as often as it takes until a replica answers. */
export async function make(world: World, path: string, body: object): Promise<string> {
  const made = dataOf(await insist(world, { method: 'POST', path, body }, 201)) as { id: string };
  return made.id;
}

/** Reads something, as often as it takes until a replica answers. */
export async function look<T>(world: World, path: string): Promise<T> {
  return dataOf(await insist(world, { method: 'GET', path }, 200)) as T;
}

/** The path of the next page, if there is one. */
export function nextOf({ headers }: Answer): string | undefined {
  const link = /<\/api\/v1([^>]+)>; rel="next"/.exec(String(headers.link ?? ''));
  return link?.[1];
}

/** All items of a list, page by page. */
export async function everything<T>(world: World, path: string): Promise<T[]> {
  const items: T[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const page = await insist(world, { method: 'GET', path: next }, 200);
    items.push(...(dataOf(page) as T[]));
    next = nextOf(page);
  }
  return items;
}

/** Each of the world's people does one thing after the other until so many were done in all. */
export async function together(
  world: World,
  operations: number,
  act: (token: string, client: number) => Promise<void>,
): Promise<void> {
  let left = operations;
  await Promise.all(
    world.tokens.map(async (token, client) => {
      while (left > 0) {
        left -= 1;
        await act(token, client);
      }
    }),
  );
}
