import { externalRef } from '../../platform/database/external-ref-field.js';
import { written } from '../../platform/database/text-traits.js';
import { defineView, id, json, metadata, nullable, oneOf, text, time, integer } from '../../platform/database/view.js';
import { ARTIFACT_KINDS, ARTIFACT_STATUSES } from './artifact.entity.js';

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
    kind: oneOf('a.kind', ARTIFACT_KINDS),
    title: written(text('a.title'), 'personal', 'redactable', 'searchedName', 'watched'),
    url: written(nullable(text('a.url')), 'personal', 'redactable'),
    summary: written(nullable(text('a.summary')), 'personal', 'redactable', 'searchedText', 'watched'),
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
