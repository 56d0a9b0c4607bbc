import { kindOf } from '../../../common/ids.js';
import { readQuery, type QueryReaders } from '../../../platform/http/requests/plain-query.js';
import type { RawQuery } from '../../../platform/http/requests/query-parameters.js';

const readers: QueryReaders = {
  reassign_to: (raw) =>
    raw === 'me' || ['resource', 'user'].includes(kindOf(raw) ?? '')
      ? { value: raw }
      : {
          code: 'invalid_format',
          message: 'reassign_to must be the id of a resource (res_...) or a user (usr_...), or me.',
        },
};

/** Reads `reassign_to` from the query of a deletion: the new assignee of open work. */
export const readReassignTo = (query: RawQuery): string | undefined =>
  readQuery(query, readers).get('reassign_to') as string | undefined;
