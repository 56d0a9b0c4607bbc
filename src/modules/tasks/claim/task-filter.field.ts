import { ApiError, invalidInput, type FieldError } from '../../../common/errors.js';
import { isRecord } from '../../../common/texts/json.js';
import { field, fieldError, NO_FIELD_ERRORS, type FieldOptions } from '../../../platform/http/bodies/fields/field.js';
import { queryForm } from '../../../platform/http/requests/query-form.js';
import type { ListRequest } from '../../../platform/listing/definition.js';
import { filterParameters } from '../../../platform/listing/parameters.js';
import { readFilters } from '../../../platform/listing/request.js';
import { namesFields } from '../../endeavours/fields/field-lists.service.js';
import { taskCounts } from '../task.list.js';

/** The JSON form of a filter. */
export type SentFilter = Record<string, unknown>;

/** The filter as a query of the list of tasks, or of that list with the declared fields of an endeavour. */
export function readTaskFilter(sent: SentFilter, list = taskCounts, at = 'filter'): ListRequest {
  try {
    return readFilters(list, inQueryForm(sent));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const errors = (error.details?.fields ?? []) as FieldError[];
    throw invalidInput(errors.map((each) => ({ ...each, field: `${at}.${each.field}` })));
  }
}

/** A body property with the filters of the list of tasks, each as JSON or as a query string value. */
export function TaskFilter({
  description = 'The filters of `GET /tasks`, with the same names.',
  ...options
}: FieldOptions = {}): PropertyDecorator {
  const properties = Object.fromEntries(
    Object.entries(filterParameters(taskCounts)).map(([name, filter]) => [
      name,
      { ...filter.schema, description: filter.description },
    ]),
  );
  const patternProperties = { '^metadata\\.': { description: 'A declared field of the endeavour.' } };
  const schema = { type: 'object', additionalProperties: false, properties, patternProperties, description } as const;
  return field({ errorsOf: filterErrors, filters: taskCounts.filters }, schema, options);
}

function filterErrors(value: unknown, at: string): readonly FieldError[] {
  if (!isRecord(value)) return fieldError(at, 'invalid_type', 'must be an object.');
  const unreadable = Object.entries(value).filter(([, sent]) => typeof queryForm(sent) !== 'string');
  if (unreadable.length > 0) {
    return unreadable.flatMap(([name]) =>
      fieldError(`${at}.${name}`, 'invalid_type', 'must be a string, a list of strings or a boolean.'),
    );
  }
  // What the declared fields are is not known yet.
  if (namesFields(inQueryForm(value))) return NO_FIELD_ERRORS;
  try {
    readTaskFilter(value, taskCounts, at);
    return NO_FIELD_ERRORS;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return (error.details?.fields ?? []) as FieldError[];
  }
}

export const inQueryForm = (sent: SentFilter): SentFilter =>
  Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, queryForm(value)]));
