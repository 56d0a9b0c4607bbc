import { kindOf } from '../../common/ids.js';
import { readQuery, type QueryReaders } from '../../platform/http/plain-query.js';
import type { RawQuery } from '../../platform/http/query-parameters.js';

const readers: QueryReaders = {
  reassign_to: (raw) =>
    raw === 'me' || ['resource', 'user'].includes(kindOf(raw) ?? '')
      ? { value: raw }
      : {
          code: 'invalid_format',
          message: 'reassign_to must be the id of a resource (res_...) or a user (usr_...), or me.',
        },
};

/** Reads the query of a deletion: the resource that takes over open work, if given. */
export const readReassignTo = (query: RawQuery): string | undefined =>
  readQuery(query, readers).get('reassign_to') as string | undefined;
