import { ApiExtraModels, getSchemaPath, type ApiPropertyOptions } from '@nestjs/swagger';
import type { FieldError } from '../../../common/errors.js';
import { isRecord, type JsonRecord } from '../../../common/texts/json.js';
import { BodyReader } from '../../../platform/http/bodies/fields/body-reader.js';
import { field, fieldError } from '../../../platform/http/bodies/fields/field.js';
import { areBodyFieldsIgnored } from '../../../platform/context/unknown-fields.js';
import { UpdateTaskDto } from '../task.dto.js';
import { taskView } from '../task.view.js';

const reader = new BodyReader(UpdateTaskDto, 'patch', Object.keys(taskView.fields));

/** Validates the patch that is applied to each task. */
export const readTaskChanges = (sent: JsonRecord): UpdateTaskDto => reader.read(sent, '', [], areBodyFieldsIgnored());

/** A body property that contains a patch of a task. */
export function TaskChanges(): PropertyDecorator {
  const schema = { $ref: getSchemaPath(UpdateTaskDto) } as ApiPropertyOptions;
  const description =
    'The merge patch for each task, as in `PATCH /tasks/{id}`. `external_ref` can only be null, because a reference is ' +
    'unique.';
  return (target, property) => {
    ApiExtraModels(UpdateTaskDto)(target.constructor);
    field({ errorsOf: changesErrors, holds: UpdateTaskDto }, schema, {
      required: true,
      description,
      example: { status: 'active' },
    })(target, property);
  };
}

function changesErrors(value: unknown, at: string): readonly FieldError[] {
  if (!isRecord(value)) return fieldError(at, 'invalid_type', 'must be an object.');
  const errors: FieldError[] = [];
  reader.read(value, `${at}.`, errors, areBodyFieldsIgnored());
  if (isRecord(value.external_ref) && errors.length === 0) {
    errors.push(...fieldError(`${at}.external_ref`, 'invalid_value', 'can only be null for several tasks.'));
  }
  return errors;
}
