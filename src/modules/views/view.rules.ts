import { ApiError, conflict, invalidInput, type FieldError } from '../../common/errors.js';
import { selectableFields } from '../../platform/database/views/view.js';
import type { SavedQuery } from '../../platform/http/requests/query-parameters.js';
import type { ListDefinition } from '../../platform/listing/definition.js';
import { readSavedQuery } from '../../platform/listing/request.js';

const METADATA = 'metadata.';
const MOST_IN_CONTAINER = 1_000;

/** What a view says about its list. */
interface Saved {
  query: SavedQuery;
  columns: readonly string[];
  groupBy: string | null;
}

/** Rejects a query that the list would reject, and names of properties that what it lists does not have. */
export function assertFits(list: ListDefinition, { query, columns, groupBy }: Saved): void {
  const errors = [
    ...queryErrors(list, query),
    ...columns.flatMap((name, index) => propertyErrors(list, name, `columns.${index}`)),
    ...(groupBy === null ? [] : propertyErrors(list, groupBy, 'group_by')),
  ];
  if (errors.length > 0) throw invalidInput(errors);
}

/** Rejects new views beyond the limit; a container is an endeavour, an organization or a person. */
export function assertRoomFor(added: number, present: number): void {
  if (present + added <= MOST_IN_CONTAINER) return;
  throw conflict('too_many_views', `There can be at most ${MOST_IN_CONTAINER} views; delete one first.`);
}

function queryErrors(list: ListDefinition, query: SavedQuery): FieldError[] {
  try {
    readSavedQuery(list, query);
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const fields = (error.details?.fields ?? []) as FieldError[];
    return fields.map((each) => ({ ...each, field: `query.${each.field}` }));
  }
}

function propertyErrors({ view }: ListDefinition, name: string, field: string): FieldError[] {
  const known = Object.keys(selectableFields(view));
  if (known.includes(name) || (name.startsWith(METADATA) && name.length > METADATA.length)) return [];
  const message = `${field} must be a property of a ${view.kind}, or metadata. followed by a key.`;
  return [{ field, code: 'invalid_value', message, allowed: known }];
}
