import { KINDS } from '../../../common/kinds.js';
import { anyId, defineView, id, nullable, oneOf, text, time, integer } from '../../../platform/database/views/view.js';

/** An alert term of an organization. */
export const alertTermView = defineView({
  name: 'AlertTerm',
  kind: 'alert_term',
  table: 'alert_terms',
  alias: 'a',
  joins: '',
  fields: {
    id: id('a.id', 'alert_term'),
    term: text('a.term'),
    weight: integer('a.weight'),
    created_at: time('a.created_at'),
  },
});

/** An occurrence of an alert term. */
export const alertView = defineView({
  name: 'Alert',
  kind: 'alert',
  table: 'alerts',
  alias: 'a',
  joins: '',
  fields: {
    id: id('a.id', 'alert'),
    entity_type: oneOf('a.entity_type', Object.keys(KINDS)),
    entity_id: anyId('a.entity_id'),
    term: text('a.term'),
    weight: integer('a.weight'),
    excerpt: text('a.excerpt', 'The term with the surrounding text.'),
    author_id: nullable(id('a.author_id', 'resource')),
    created_at: time('a.created_at'),
  },
});
