import { Bool, Text } from '../../../platform/http/bodies/fields.js';

/** The changes of one item of a checklist. */
export class UpdateChecklistItemDto {
  @Bool({ nullable: false, example: true, description: 'Whether it is ticked.' })
  checked?: boolean;

  @Text({ nullable: false, description: 'What it says.' })
  text?: string;
}
