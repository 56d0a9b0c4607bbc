import { Keyword } from '../../platform/http/bodies/fields.js';

export class CloseIterationDto {
  @Keyword({
    required: true,
    pattern: /^(?:next|backlog|itr_[0-9a-f]{32})$/,
    example: 'next',
    description:
      'Where open tasks and demands go: next is the planned iteration that begins first, backlog none, and the id of a ' +
      'planned iteration of the endeavour that one.',
  })
  carry_over: string;
}
