import { PERMISSIONS, type OperationId } from '../../../src/access/permissions/permissions.js';
import { expectedRole } from '../expected-rights.js';
import { get, type Row } from '../rows.js';

const GET_ONE = /_get$/;

/** Callers who can see an entity can see its history. */
export const historyRows = (rows: readonly Row[]): Row[] =>
  rows
    .filter(({ operation, success }) => GET_ONE.test(operation) && success === 200)
    .flatMap((row) => {
      const operation = row.operation.replace(GET_ONE, '_changes_list');
      if (!(operation in PERMISSIONS)) return [];
      return [
        {
          ...row,
          operation: operation as OperationId,
          ...(expectedRole(row.operation) !== undefined && { needs: row.operation }),
          request: async (world, caller) => get(`${(await row.request(world, caller)).path.split('?')[0]}/changes`),
        } satisfies Row,
      ];
    });

export const FOLLOWING: readonly Row[] = [
  { operation: 'changes_list', scope: null, success: 200, request: () => get('/changes') },
  // A stream never ends, so an invalid `after` makes the request fail after access is checked.
  { operation: 'changes_stream_get', scope: null, success: 400, request: () => get('/changes/stream?after=x') },
  { operation: 'activity_list', scope: null, success: 200, request: () => get('/activity') },
  { operation: 'activity_summary_list', scope: null, success: 200, request: () => get('/activity/summary') },
  { operation: 'audit_list', scope: null, success: 200, request: () => get('/audit') },
];
