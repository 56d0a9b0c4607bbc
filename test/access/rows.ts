import { newId } from '../../src/common/ids.js';
import type { OperationId } from '../../src/access/permissions.js';
import type { Person } from '../support/test-app.js';
import { CALLERS, type CallerName, type Place, type World } from './callers.js';

/** A request that the row makes, ready to succeed for whoever may. */
export interface Asked {
  method: 'get' | 'post' | 'patch' | 'put' | 'delete';
  path: string;
  body?: object;
  /** Who asks instead of the caller: the same person, signed in once more. */
  by?: Person;
}

/** What one route is asked in the matrix, and who is let in. */
export interface Row {
  operation: OperationId;
  /** The operation whose role is needed, where this one is another door to it. */
  needs?: OperationId;
  /** Which of several rows of the operation this is. */
  when?: string;
  /** Where the thing in question lies; `null` where the route asks for no place. */
  at: Place | null;
  /** Makes the request; called anew for every caller who will be let in, because some requests use up their target. */
  ask(world: World, caller: CallerName): Promise<Asked> | Asked;
  success: number;
  /** The thing is named in the body, so that who may not see it gets 400 instead of 404. */
  inBody?: boolean;
  /** Standings for which the general rule does not hold, with the status that does. */
  but?: Partial<Record<CallerName, number>>;
}

export const get = (path: string): Asked => ({ method: 'get', path });
export const post = (path: string, body?: object): Asked => ({ method: 'post', path, body });
export const patch = (path: string, body: object): Asked => ({ method: 'patch', path, body });
export const put = (path: string, body: object): Asked => ({ method: 'put', path, body });
export const del = (path: string): Asked => ({ method: 'delete', path });

/** That status for everybody but those who are named. */
export const everybody = (
  status: number,
  but: Partial<Record<CallerName, number>> = {},
): Partial<Record<CallerName, number>> => ({
  ...Object.fromEntries(CALLERS.map((name) => [name, status])),
  ...but,
});

/** What a further organization's members get: no more than members, whatever they are there. */
export const partners = (status: number): Partial<Record<CallerName, number>> => ({
  'partner member': status,
  'partner admin': status,
});

/** Makes something as that person, through the front door; its id. */
export async function made(world: World, person: Person, path: string, body: object): Promise<string> {
  const { body: answer } = await world.app.as(person).post(path).send(body).expect(201);
  return answer.data.id;
}

/** A path with an id of the same kind that names nothing, for comparing the answers. */
export function absent({ path }: Asked): string {
  const ids = /(?<=\/)([a-z]{3})_[0-9a-f]{32}/g;
  const prefix = /\/([a-z]{3})_/.exec(path)?.[1];
  const other = newId('task').slice(4);
  return path.replace(ids, (id) => (id.startsWith(prefix ?? '') ? `${prefix}_${other}` : id));
}
