import { visibleId, visibleLineageId } from '../../access/visibility/visibility.js';
import { ORIGINS } from '../../platform/database/views/lineage.js';
import { written } from '../../platform/database/views/text-traits.js';
import {
  defineView,
  id,
  withoutEventValue,
  metadata,
  nullable,
  oneOf,
  text,
  time,
  integer,
  withExample,
} from '../../platform/database/views/view.js';
import { TEMPLATE_CONTAINERS, TEMPLATE_SCOPES, templateLifecycle } from './template.lifecycle.js';

/** A template as clients see it. */
export const templateView = defineView({
  name: 'Template',
  kind: 'template',
  table: 'templates',
  alias: 'p',
  joins: '',
  people: { properties: ['created_by'] },
  fields: {
    id: id('p.id', 'template'),
    name: written(text('p.name'), 'personal', 'redactable', 'searchedName'),
    description: written(nullable(text('p.description')), 'personal', 'redactable', 'compared'),
    scope: oneOf('p.scope', TEMPLATE_SCOPES),
    type: withExample(text('p.type', 'One of report, description, checklist, or your own type.'), 'report'),
    lang: text('p.lang', 'A language as a BCP 47 tag.'),
    body: written(
      text('p.body', 'The template text, in Markdown with Liquid.'),
      'personal',
      'redactable',
      'compared',
      'searchedText',
    ),
    organization_id: nullable(id('p.organization_id', 'organization')),
    container: oneOf('p.container', TEMPLATE_CONTAINERS),
    origin: oneOf('p.origin', ORIGINS),
    version: integer('p.version'),
    predecessor_id: withoutEventValue(nullable(id(visibleId('p.predecessor_id'), 'template'))),
    lineage_id: withoutEventValue(id(visibleLineageId('templates', 'p'), 'template')),
    status: oneOf('p.status', templateLifecycle.statuses),
    metadata: written(metadata('p.metadata'), 'personal', 'redactable'),
    created_by: nullable(id('p.created_by', 'resource')),
    created_at: time('p.created_at'),
    updated_at: time('p.updated_at'),
    revision: integer('p.revision'),
  },
});
