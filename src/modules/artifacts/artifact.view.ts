import { externalRef } from '../../platform/database/columns/external-ref-field.js';
import { written } from '../../platform/database/views/text-traits.js';
import {
  defineView,
  id,
  integer,
  json,
  metadata,
  nullable,
  oneOf,
  text,
  time,
  type ViewField,
} from '../../platform/database/views/view.js';
import { exactly } from '../../platform/http/openapi/schemas.js';
import {
  ARTIFACT_KINDS,
  ARTIFACT_STATUSES,
  FILE_STATES,
  MAX_FILE_LENGTH,
  type ArtifactFile,
} from './artifact.entity.js';

/** A file as clients see it. */
export type ShownFile = Omit<ArtifactFile, 'key' | 'begun_at'>;

const shownFile = (stored: string): string => `(${stored} - '{key,begun_at}'::text[])`;

const file: ViewField<ShownFile | null> = {
  ...nullable(
    json<ShownFile>(
      shownFile('a.file'),
      exactly({
        state: {
          type: 'string',
          enum: [...FILE_STATES],
          description: '`waiting` for its upload, or `stored`: only then it can be read.',
        },
        length: { type: 'integer', format: 'int64', minimum: 0, maximum: MAX_FILE_LENGTH, description: 'In bytes.' },
        sha256: { type: 'string', pattern: '^[0-9a-f]{64}$', description: 'The SHA-256 of the file, in hexadecimal.' },
        media_type: { type: ['string', 'null'], description: 'What the client has said that the file is.' },
      }),
    ),
  ),
  shown: (stored) => shownFile(`${stored}::jsonb`),
};

/** The representation of an artifact. */
export const artifactView = defineView({
  name: 'Artifact',
  kind: 'artifact',
  table: 'artifacts',
  alias: 'a',
  joins: '',
  people: {
    properties: ['created_by'],
    others: `ARRAY(SELECT q.resource_id FROM entity_people q WHERE q.entity_id = a.task_id)`,
  },
  fields: {
    id: id('a.id', 'artifact'),
    kind: written(oneOf('a.kind', ARTIFACT_KINDS), 'approved'),
    title: written(text('a.title'), 'personal', 'redactable', 'searchedName', 'approved', 'watched'),
    url: written(nullable(text('a.url')), 'personal', 'redactable', 'approved'),
    file: written(file, 'personal', 'redactable', 'approved'),
    summary: written(nullable(text('a.summary')), 'personal', 'redactable', 'searchedText', 'approved', 'watched'),
    tags: written(json<string[]>('a.tags', { type: 'array', items: { type: 'string' } }), 'personal', 'redactable'),
    endeavour_id: id('a.endeavour_id', 'endeavour'),
    task_id: nullable(id('a.task_id', 'task')),
    status: oneOf('a.status', ARTIFACT_STATUSES),
    external_ref: written(externalRef('a.external_ref'), 'redactable'),
    metadata: written(metadata('a.metadata'), 'personal', 'redactable'),
    created_by: id('a.created_by', 'resource'),
    created_at: time('a.created_at'),
    updated_at: time('a.updated_at'),
    revision: integer('a.revision'),
  },
});
