import { newId } from '../../src/common/ids.js';
import type { OperationId } from '../../src/access/permissions/permissions.js';
import type { Person } from '../support/test-app.js';
import { CALLERS, type CallerName, type ResourceScope, type World } from './callers.js';

/** A request that succeeds for every caller who is admitted. */
export interface ApiRequest {
  method: 'get' | 'post' | 'patch' | 'put' | 'delete';
  path: string;
  body?: object;
  /** Another session of the caller, which sends the request instead. */
  by?: Person;
}

/** One request of the matrix, and the expected status for each kind of caller. */
export interface Row {
  operation: OperationId;
  /** The operation whose role is required, if this operation is an alternative to it. */
  needs?: OperationId;
  /** Distinguishes several rows of one operation. */
  when?: string;
  /** What the resource belongs to; `null` if the permission does not depend on it. */
  scope: ResourceScope | null;
  /** Builds the request; called for each caller, because some requests use up their target. */
  request(world: World, caller: CallerName): Promise<ApiRequest> | ApiRequest;
  success: number;
  /** The resource is named in the body, so that callers who cannot see it get 400 instead of 404. */
  inBody?: boolean;
  /** Callers for whom the general rule does not hold, with the status that they get. */
  exceptions?: Partial<Record<CallerName, number>>;
}

export const get = (path: string): ApiRequest => ({ method: 'get', path });
export const post = (path: string, body?: object): ApiRequest => ({ method: 'post', path, body });
export const patch = (path: string, body: object): ApiRequest => ({ method: 'patch', path, body });
export const put = (path: string, body?: object): ApiRequest => ({ method: 'put', path, body });
export const del = (path: string): ApiRequest => ({ method: 'delete', path });

/** The same status for every caller, with exceptions. */
export const everyCaller = (
  status: number,
  exceptions: Partial<Record<CallerName, number>> = {},
): Partial<Record<CallerName, number>> => ({
  ...Object.fromEntries(CALLERS.map((name) => [name, status])),
  ...exceptions,
});

/** The status for members and admins of a partner organization, who both count as members of the endeavour. */
export const partners = (status: number): Partial<Record<CallerName, number>> => ({
  'partner member': status,
  'partner admin': status,
});

/** Creates something over the API as that person and returns its id. */
export async function made(world: World, person: Person, path: string, body: object): Promise<string> {
  const { body: response } = await world.app.as(person).post(path).send(body).expect(201);
  return response.data.id;
}

/** The path with an id of the same kind that does not exist, for comparing the responses. */
export function withAbsentId({ path }: ApiRequest): string {
  const ids = /(?<=\/)([a-z]{3})_[0-9a-f]{32}/g;
  const prefix = /\/([a-z]{3})_/.exec(path)?.[1];
  const other = newId('task').slice(4);
  return path.replace(ids, (id) => (id.startsWith(prefix ?? '') ? `${prefix}_${other}` : id));
}
