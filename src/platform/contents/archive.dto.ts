import { invalidField } from '../../common/errors.js';
import { Text } from '../http/fields.js';

export class ArchiveDto {
  @Text({ required: true, description: 'Why; kept with the container, and with what is canceled in it.' })
  reason: string;
}

/** Blanks are no reason. */
export function assertReason({ reason }: ArchiveDto): void {
  if (reason.trim() === '') throw invalidField('reason', 'required', 'Say in reason why it is archived.');
}
