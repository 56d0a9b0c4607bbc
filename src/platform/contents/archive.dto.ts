import { invalidField } from '../../common/errors.js';
import { Flag, Text } from '../http/fields.js';

export class ArchiveDto {
  @Text({ required: true, description: 'Why; kept with the container, and with what is canceled in it.' })
  reason: string;
}

export class UnarchiveDto {
  @Flag({
    required: false,
    nullable: false,
    description: 'Whether everything that archiving changed becomes what it was; true by default.',
  })
  restore_work?: boolean;
}

/** Blanks are no reason. */
export function assertReason({ reason }: ArchiveDto): void {
  if (reason.trim() === '') throw invalidField('reason', 'required', 'Say in reason why it is archived.');
}
