import { invalidField } from '../../common/errors.js';
import { Bool, Text } from '../http/bodies/fields.js';

export class ArchiveDto {
  @Text({
    required: true,
    isReason: true,
    description:
      'The reason for archiving. It is stored with the container and as the canceled_reason of the work that ' +
      'archiving cancels.',
  })
  reason: string;
}

export class UnarchiveDto {
  @Bool({
    required: false,
    nullable: false,
    description: 'Whether to restore everything that archiving changed. Defaults to true.',
    example: true,
  })
  restore_work?: boolean;
}

/** Blank text is not a reason. */
export function assertArchiveReason({ reason }: ArchiveDto): void {
  if (reason.trim() === '')
    throw invalidField('reason', 'required', 'Set reason to say why the container is archived.');
}
