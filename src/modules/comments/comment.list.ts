import { placedOf, visible } from '../../access/visibility/visibility.js';
import type { ListDefinition } from '../../platform/listing/definition.js';
import { containsText } from '../../platform/listing/search/contained-text.js';
import { ANY_KIND, idFilter, oneOfFilter, resourceFilter } from '../../platform/listing/filters.js';
import { rangeFilters } from '../../platform/listing/time-filters.js';
import type { SearchableList } from '../../platform/listing/search/searchables.js';
import { COMMENTED_KINDS } from './comment.entity.js';
import { commentTextView, commentView } from './comment.view.js';

const inContent = containsText(['c.content']);

/** Lists comments, including deleted ones, which keep their position; excludes comments on deleted entities. */
export const commentList: ListDefinition = {
  view: commentView,
  joins: 'JOIN entities x ON x.id = c.entity_id',
  scope: ({ me }) => visible('x', me, COMMENTED_KINDS),
  candidateIds: { ids: (me) => placedOf('comment', me), unless: ['entity_id'] },
  baseCondition: 'x.deleted_at IS NULL',
  filters: {
    entity_type: oneOfFilter('c.entity_type', COMMENTED_KINDS),
    entity_id: idFilter('c.entity_id', ANY_KIND, 'Comments on this entity.'),
    author_id: resourceFilter('c.author_id', 'Comments written by this resource.'),
    ...rangeFilters({ created: 'c.created_at', updated: 'c.updated_at' }),
  },
  sorts: {
    created_at: { sql: 'c.created_at', type: 'timestamptz' },
    updated_at: { sql: 'c.updated_at', type: 'timestamptz' },
  },
  defaultSort: 'created_at',
  search: {
    where: (text, statement) => `(c.deleted_at IS NULL AND ${inContent(text, statement)})`,
  },
};

/** The comments for the global search, without deleted ones. */
export const commentSearch: SearchableList = {
  list: { ...commentList, baseCondition: 'x.deleted_at IS NULL AND c.deleted_at IS NULL' },
  text: 'c.content',
};

/** Lists the earlier texts of a comment, oldest first; the service checks the visibility of the comment. */
export const commentTextList: ListDefinition = {
  view: commentTextView,
  isUnplaced: true,
  scope: () => 'true',
  filters: {},
  sorts: { replaced_at: { sql: 'h.replaced_at', type: 'timestamptz' } },
  defaultSort: 'replaced_at',
};
