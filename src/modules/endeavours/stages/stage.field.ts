import { field, type FieldOptions } from '../../../platform/http/bodies/fields/field.js';
import { trimmed } from '../../../platform/http/bodies/fields/text.js';
import { MAX_STAGE_NAME, STAGE_PATTERN, stageNameErrors } from './stages.js';

/** The name of a stage. */
export function StageName(options: FieldOptions = {}): PropertyDecorator {
  const schema = { type: 'string', minLength: 1, maxLength: MAX_STAGE_NAME, pattern: STAGE_PATTERN } as const;
  return field({ errorsOf: stageNameErrors, prepare: trimmed, isText: true }, schema, options);
}
