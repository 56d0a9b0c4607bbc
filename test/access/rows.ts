import { newId } from '../../src/common/ids.js';
import type { OperationId } from '../../src/access/permissions.js';
import type { Person } from '../support/test-app.js';
import { CALLERS, type CallerName, type Place, type World } from './callers.js';

/** A request that succeeds for every caller who is admitted. */
export interface Asked {
  method: 'get' | 'post' | 'patch' | 'put' | 'delete';
  path: string;
  body?: object;
  /** Another session of the caller, which sends the request instead. */
  by?: Person;
}

/** One request of the matrix, and the answer for each kind of caller. */
export interface Row {
  operation: OperationId;
  /** The operation whose role is needed, where this one is another way to do it. */
  needs?: OperationId;
  /** Which of several rows of the operation this is. */
  when?: string;
  /** Where the resource belongs; `null` where the permission depends on no place. */
  at: Place | null;
  /** Makes the request; called again for every caller who is admitted, because some requests use up their target. */
  ask(world: World, caller: CallerName): Promise<Asked> | Asked;
  success: number;
  /** The resource is named in the body, so that callers who cannot see it get 400 instead of 404. */
  inBody?: boolean;
  /** Callers for whom the general rule does not hold, with the status that they get. */
  but?: Partial<Record<CallerName, number>>;
}

export const get = (path: string): Asked => ({ method: 'get', path });
export const post = (path: string, body?: object): Asked => ({ method: 'post', path, body });
export const patch = (path: string, body: object): Asked => ({ method: 'patch', path, body });
export const put = (path: string, body: object): Asked => ({ method: 'put', path, body });
export const del = (path: string): Asked => ({ method: 'delete', path });

/** That status for every caller but those who are named. */
export const everyCaller = (
  status: number,
  but: Partial<Record<CallerName, number>> = {},
): Partial<Record<CallerName, number>> => ({
  ...Object.fromEntries(CALLERS.map((name) => [name, status])),
  ...but,
});

/** The status for members and admins of a partner organization, who both count as members of the endeavour. */
export const partners = (status: number): Partial<Record<CallerName, number>> => ({
  'partner member': status,
  'partner admin': status,
});

/** Creates something over the API as that person and returns its id. */
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
