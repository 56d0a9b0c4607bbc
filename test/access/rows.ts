import { newId } from '../../src/common/ids.js';
import type { OperationId } from '../../src/access/permissions.js';
import type { CallerName, World } from './callers.js';

/** A request that the row makes, ready to succeed for whoever may. */
export interface Asked {
  method: 'get' | 'post' | 'patch' | 'put' | 'delete';
  path: string;
  body?: object;
}

/** What one route is asked in the matrix, and who is let in. */
export interface Row {
  operation: OperationId;
  /** Where the thing in question lies; `null` where the route asks for no place. */
  at: 'endeavour' | 'organization' | null;
  /** Makes the request; called anew for every caller who will be let in, because some requests use up their target. */
  ask(world: World, caller: CallerName): Promise<Asked> | Asked;
  success: number;
  /** The thing is named in the body, so that who may not see it gets 400 instead of 404. */
  inBody?: boolean;
  /** Standings for which the general rule does not hold, with the status that does. */
  but?: Partial<Record<CallerName, number>>;
}

/** A path with an id of the same kind that names nothing, for comparing the answers. */
export function absent({ path }: Asked): string {
  const ids = /(?<=\/)([a-z]{3})_[0-9a-f]{32}/g;
  const prefix = /\/([a-z]{3})_/.exec(path)?.[1];
  const other = newId('task').slice(4);
  return path.replace(ids, (id) => (id.startsWith(prefix ?? '') ? `${prefix}_${other}` : id));
}
