import { joinResource } from '../../access/visibility/people.view.js';
import type { ListDefinition } from '../../platform/listing/definition.js';
import { containsText } from '../../platform/listing/search/contained-text.js';
import { resourceFilter } from '../../platform/listing/filters.js';
import { textSort } from '../../platform/listing/sorts.js';
import { recipientView } from './recipient.view.js';

/** The recipients of one message; the route checks that the caller can see the message. */
export const recipientList: ListDefinition = {
  view: recipientView,
  joins: joinResource('r', 'd.resource_id'),
  scope: () => 'true',
  filters: { resource_id: resourceFilter('d.resource_id', 'The resource id of a recipient.') },
  sorts: { name: textSort('r.name') },
  defaultSort: 'name',
  search: { where: containsText(['r.name']) },
};
