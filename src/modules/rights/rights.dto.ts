import { JsonObject, ListOf, Word } from '../../platform/http/fields.js';

export class QuestionDto {
  @Word({ required: true, example: 'tasks_update', description: 'The operationId of the operation.' })
  action: string;

  @Word({ description: 'The thing in its path, or the container that a new thing is to be in.' })
  entity_id?: string;

  @JsonObject({ description: 'The body of the call, for rules that depend on it.' })
  body?: Record<string, unknown>;

  @JsonObject({ description: 'The other parameters of its path and query, by name.' })
  parameters?: Record<string, unknown>;
}

export class QuestionsDto {
  @ListOf(QuestionDto, { required: true, min: 1, max: 100 })
  questions: QuestionDto[];
}
