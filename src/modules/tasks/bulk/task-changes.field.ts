import { ApiExtraModels, getSchemaPath, type ApiPropertyOptions } from '@nestjs/swagger';
import type { FieldError } from '../../../common/errors.js';
import { isRecord, type JsonRecord } from '../../../common/json.js';
import { BodyReader } from '../../../platform/http/fields/body-reader.js';
import { field, fieldError } from '../../../platform/http/fields/field.js';
import { areUnknownFieldsIgnored } from '../../../platform/http/unknown-fields.js';
import { UpdateTaskDto } from '../task.dto.js';
import { taskView } from '../task.view.js';

const reader = new BodyReader(UpdateTaskDto, 'patch', Object.keys(taskView.fields));

/** Validates the patch that is applied to each task. */
export const readTaskChanges = (sent: JsonRecord): UpdateTaskDto =>
  reader.read(sent, '', [], areUnknownFieldsIgnored());

/** A body property that contains a patch of a task. */
export function TaskChanges(): PropertyDecorator {
  const schema = { $ref: getSchemaPath(UpdateTaskDto) } as ApiPropertyOptions;
  const description =
    'The merge patch that each task gets, as `PATCH /tasks/{id}` takes it. `external_ref` can only be null: no two tasks ' +
    'have the same reference.';
  return (target, property) => {
    ApiExtraModels(UpdateTaskDto)(target.constructor);
    field({ faults: changesFaults }, schema, { required: true, description, example: { status: 'active' } })(
      target,
      property,
    );
  };
}

function changesFaults(value: unknown, at: string): readonly FieldError[] {
  if (!isRecord(value)) return fieldError(at, 'invalid_type', 'must be an object.');
  const faults: FieldError[] = [];
  reader.read(value, `${at}.`, faults, areUnknownFieldsIgnored());
  if (isRecord(value.external_ref) && faults.length === 0) {
    faults.push(...fieldError(`${at}.external_ref`, 'invalid_value', 'can only be null for several tasks.'));
  }
  return faults;
}
