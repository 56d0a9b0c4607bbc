import { KEYED_KINDS } from '../../common/work-keys.js';
import { exampleId } from '../../platform/http/openapi/examples.js';
import { JsonObject, ListOf, Keyword } from '../../platform/http/bodies/fields.js';

export class QuestionDto {
  @Keyword({ required: true, example: 'tasks_update', description: 'The operationId of the operation.' })
  action: string;

  @Keyword({
    description: 'The entity in the path of the operation, or the container in which it creates an entity.',
    example: exampleId('tsk'),
    isUsual: true,
    kinds: KEYED_KINDS,
  })
  entity_id?: string;

  @JsonObject({ description: 'The request body of the call, for rules that depend on it.' })
  body?: Record<string, unknown>;

  @JsonObject({ description: 'The other path and query parameters of the call, by name.' })
  parameters?: Record<string, unknown>;
}

export class QuestionsDto {
  @ListOf(QuestionDto, { required: true, min: 1, max: 100 })
  questions: QuestionDto[];
}
