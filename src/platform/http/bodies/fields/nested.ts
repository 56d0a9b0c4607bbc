import { ApiExtraModels, getSchemaPath, type ApiPropertyOptions } from '@nestjs/swagger';
import { isRecord } from '../../../../common/texts/json.js';
import { fieldError, field, NO_FIELD_ERRORS, type DtoClass, type FieldOptions, type FieldRule } from './field.js';

const objectErrors: FieldRule['errorsOf'] = (value, at) =>
  isRecord(value) ? NO_FIELD_ERRORS : fieldError(at, 'invalid_type', 'must be an object.');

/** An object that is read like the body itself; its errors have paths such as `task.title`. */
export function ObjectOf(nested: DtoClass, options: FieldOptions = {}): PropertyDecorator {
  const schema = { anyOf: [{ $ref: getSchemaPath(nested) }] } as ApiPropertyOptions;
  return (target, property) => {
    ApiExtraModels(nested)(target.constructor);
    field({ errorsOf: objectErrors, nested }, schema, options)(target, property);
  };
}
