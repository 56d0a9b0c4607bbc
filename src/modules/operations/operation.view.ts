import { actsAsAdministrator } from '../../access/visibility/people.view.js';
import { defineView, id, json, nullable, oneOf, text, time, withExample } from '../../platform/database/views/view.js';
import { OPERATION_STATUSES } from './operation.lifecycle.js';
import { visible } from '../../access/visibility/visibility.js';

const count = { type: 'integer' };

/** SQL: whether the user can still see the container of the operation. */
const containerIsVisible = `(op.container_id IS NULL
  OR ${actsAsAdministrator(':me')}
  OR EXISTS (SELECT 1 FROM entities x WHERE x.id = op.container_id AND ${visible('x', ':me')}))`;

const error = `CASE WHEN op.status = 'failed' AND ${containerIsVisible} THEN op.error END`;
const result = `CASE WHEN ${containerIsVisible} THEN op.result END`;

/** A long-running operation as clients see it. */
export const operationView = defineView({
  name: 'Operation',
  kind: 'operation',
  table: 'operations',
  alias: 'op',
  joins: '',
  fields: {
    id: id('op.id', 'operation'),
    type: withExample(
      text('op.type', 'The operationId of the request that started it, such as endeavours_archive.'),
      'endeavours_archive',
    ),
    status: oneOf('op.status', OPERATION_STATUSES),
    progress: json<{ done: number; total: number | null }>("json_build_object('done', op.done, 'total', op.total)", {
      type: 'object',
      additionalProperties: false,
      required: ['done', 'total'],
      properties: { done: count, total: { type: ['integer', 'null'] } },
      description: 'The number of processed items and the total number; total is null if it is unknown.',
    }),
    result: json<unknown>(result, {
      type: ['object', 'null'],
      description:
        'The response that the request would have returned. For canceled and failed imports and bulk changes, what they ' +
        'did until then. Null until the operation has finished, after other failures, and for users who cannot see it.',
    }),
    error: json<{ code: string; message: string } | null>(error, {
      type: ['object', 'null'],
      additionalProperties: false,
      required: ['code', 'message'],
      properties: { code: { type: 'string' }, message: { type: 'string' } },
      description: 'Why the operation failed.',
    }),
    created_by: id('op.created_by', 'resource'),
    created_at: time('op.created_at'),
    finished_at: nullable(time('op.finished_at')),
  },
});
