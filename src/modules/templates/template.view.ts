import { ORIGINS } from '../../platform/database/lineage.js';
import { defineView, id, metadata, nullable, oneOf, text, time, whole } from '../../platform/database/view.js';
import { TEMPLATE_SCOPES, templateLifecycle } from './template.lifecycle.js';

/** A template as clients see it. */
export const templateView = defineView({
  name: 'Template',
  kind: 'template',
  table: 'templates',
  alias: 'p',
  joins: '',
  fields: {
    id: id('p.id', 'template'),
    name: text('p.name'),
    description: nullable(text('p.description')),
    scope: oneOf('p.scope', TEMPLATE_SCOPES),
    type: text('p.type', 'report, description, checklist or another word'),
    lang: text('p.lang', 'BCP 47'),
    body: text('p.body', 'Markdown with Liquid'),
    organization_id: nullable(id('p.organization_id', 'organization')),
    origin: oneOf('p.origin', ORIGINS),
    version: whole('p.version'),
    predecessor_id: nullable(id('p.predecessor_id', 'template')),
    lineage_id: id('p.lineage_id', 'template'),
    status: oneOf('p.status', templateLifecycle.statuses),
    metadata: metadata('p.metadata'),
    created_by: nullable(id('p.created_by', 'resource')),
    created_at: time('p.created_at'),
    updated_at: time('p.updated_at'),
    revision: whole('p.revision'),
  },
});
