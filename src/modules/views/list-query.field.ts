import type { ApiPropertyOptions } from '@nestjs/swagger';
import type { FieldError } from '../../common/errors.js';
import { isRecord, measureJson, type JsonRecord } from '../../common/texts/json.js';
import {
  field,
  fieldError,
  NO_FIELD_ERRORS,
  type FieldOptions,
  type KeyedParameters,
} from '../../platform/http/bodies/fields/field.js';
import { KEYED_KINDS } from '../../common/work-keys.js';
import { queryForm } from '../../platform/http/requests/query-form.js';

const MAX_BYTES = 10_000;

const NAMED: KeyedParameters = {
  key: { kinds: KEYED_KINDS },
  demand_id: { kinds: ['demand'] },
  parent_id: { kinds: ['task'] },
  under: { kinds: ['task'] },
};

/** The parameters that name tasks or demands, so that keys can be used for their ids, also in expressions. */
export const KEYED_PARAMETERS: KeyedParameters = { ...NAMED, filter: { combines: NAMED } };

/** The parameters of a list, each as JSON or as in a query string; null removes one in a patch. */
export function ListQuery(options: FieldOptions): PropertyDecorator {
  const description =
    'The parameters of GET /tasks or GET /demands, with the same names: filters, `search`, `sort`, ... Each is a string as in ' +
    'a query, a list of strings, a boolean or an integer; null removes it in a patch.';
  // Generators cannot express a list among other types.
  const schema = { type: 'object', additionalProperties: true, description } as ApiPropertyOptions;
  return field({ errorsOf: queryErrors, filters: KEYED_PARAMETERS }, schema, options);
}

function queryErrors(value: unknown, at: string): readonly FieldError[] {
  if (!isRecord(value)) return fieldError(at, 'invalid_type', 'must be an object.');
  if (measureJson(value, MAX_BYTES).bytes > MAX_BYTES) {
    return fieldError(at, 'too_long', `must be at most ${MAX_BYTES} bytes long as JSON.`);
  }
  const unreadable = Object.entries(value).filter(([, sent]) => sent !== null && queryForm(sent) === undefined);
  if (unreadable.length === 0) return NO_FIELD_ERRORS;
  return unreadable.flatMap(([name]) =>
    fieldError(`${at}.${name}`, 'invalid_type', 'must be a string, a list of strings, a boolean or an integer.'),
  );
}

/** The query after a merge patch, each parameter as in a query string; empty ones count as absent. */
export function mergedQuery(current: Readonly<Record<string, string>>, sent: JsonRecord): Record<string, string> {
  const merged = new Map(Object.entries(current));
  for (const [name, value] of Object.entries(sent)) {
    const raw = value === null ? '' : (queryForm(value) ?? '');
    if (raw === '') merged.delete(name);
    else merged.set(name, raw);
  }
  return Object.fromEntries(merged);
}
