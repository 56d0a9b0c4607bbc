import { LabelName } from './label.field.js';

export class UpdateLabelDto {
  @LabelName({
    nullable: false,
    example: 'defect',
    description: 'If the endeavour has another label of this name, the label is merged into that one.',
  })
  name?: string;
}
