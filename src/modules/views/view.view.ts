import { written } from '../../platform/database/views/text-traits.js';
import {
  boolean,
  defineView,
  id,
  integer,
  json,
  nullable,
  oneOf,
  text,
  time,
  withExample,
} from '../../platform/database/views/view.js';
import { LISTED_KINDS } from './listed-kinds.js';

/** A saved query as clients see it. */
export const viewView = defineView({
  name: 'View',
  kind: 'view',
  table: 'views',
  alias: 'own',
  joins: '',
  people: { properties: ['created_by'] },
  fields: {
    id: id('own.id', 'view'),
    name: written(text('own.name'), 'personal', 'redactable'),
    kind: oneOf('own.kind', LISTED_KINDS, 'What it lists.'),
    query: written(
      withExample(
        json<Record<string, string>>('own.query', {
          type: 'object',
          additionalProperties: { type: 'string' },
          description: 'The parameters of the list, as in a query string.',
        }),
        { status: 'planned,active', sort: '-priority' },
      ),
      'personal',
      'redactable',
    ),
    columns: json<string[]>('to_json(own.columns)', {
      type: 'array',
      items: { type: 'string' },
      description: 'The properties that clients show, in this order; empty for those of their choice.',
    }),
    group_by: nullable(text('own.group_by', 'The property by which clients group.')),
    endeavour_id: nullable(id('own.endeavour_id', 'endeavour')),
    organization_id: nullable(id('own.organization_id', 'organization')),
    is_default: boolean('own.is_default', 'Whether clients open it first, of those of its kind in its container.'),
    created_by: id('own.created_by', 'resource'),
    created_at: time('own.created_at'),
    updated_at: time('own.updated_at'),
    revision: integer('own.revision'),
  },
});
