import { setTimeout as pause } from 'node:timers/promises';
import { isUnavailable, isOutcomeUnknown, ReplicaClient, type ApiResponse, type ApiRequest } from './wire.js';

const PAUSE_MS = 20;

/** Replicas of the service, tokens of signed-in users, and an endeavour that all of them are members of. */
export interface World {
  client: ReplicaClient;
  tokens: string[];
  endeavour: string;
}

/** The result of one part of the history. */
export interface Outcome {
  operations: number;
  /** The number of operations with an unknown outcome. */
  unknown: number;
  anomalies: string[];
}

/** The share of writes whose client closes the connection early, and the longest time before it does so. */
const SHARE_OF_TIMEOUTS = 0.03;
const MAX_TIMEOUT_MS = 12;

export const randomTimeout = (): number | undefined =>
  Math.random() < SHARE_OF_TIMEOUTS ? Math.random() * MAX_TIMEOUT_MS : undefined;

export const pick = <T>(items: T[]): T => items[Math.floor(Math.random() * items.length)];

export const dataOf = ({ text }: ApiResponse): unknown => (JSON.parse(text) as { data: unknown }).data;

/** Retries until the response has the expected status; throws if a retry cannot change the response. */
async function retryUntil(
  world: World,
  request: Pick<ApiRequest, 'method' | 'path' | 'body'>,
  wanted: number,
): Promise<ApiResponse> {
  for (;;) {
    const response = await world.client.send({ ...request, token: world.tokens[0] });
    if (response.status === wanted) return response;
    if (!isUnavailable(response) && !isOutcomeUnknown(response)) {
      throw new Error(`${request.method} ${request.path} answered ${response.status}: ${response.text}`);
    }
    await pause(PAUSE_MS);
  }
}

/** Creates a resource, and retries until a replica confirms it. */
export async function createResource(world: World, path: string, body: object): Promise<string> {
  const made = dataOf(await retryUntil(world, { method: 'POST', path, body }, 201)) as { id: string };
  return made.id;
}

/** Reads a resource, and retries until a replica returns it. */
export async function readResource<T>(world: World, path: string): Promise<T> {
  return dataOf(await retryUntil(world, { method: 'GET', path }, 200)) as T;
}

/** The path of the next page, if there is one. */
export function nextPathOf({ headers }: ApiResponse): string | undefined {
  const link = /<\/api\/v1([^>]+)>; rel="next"/.exec(String(headers.link ?? ''));
  return link?.[1];
}

/** Reads all pages of a list. */
export async function listAll<T>(world: World, path: string): Promise<T[]> {
  const items: T[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const page = await retryUntil(world, { method: 'GET', path: next }, 200);
    items.push(...(dataOf(page) as T[]));
    next = nextPathOf(page);
  }
  return items;
}

/** Calls `act` for all tokens concurrently, until `operations` calls were made in total. */
export async function runConcurrently(
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
