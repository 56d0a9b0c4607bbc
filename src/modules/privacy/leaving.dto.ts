import { CurrentPasswordField } from '../users/own-fields.js';
import { Heirs, type HeirsByContainer } from './heirs.field.js';

export class DeleteAccountDto {
  @CurrentPasswordField()
  current_password?: string;

  @Heirs({
    description:
      'Maps each organization, and each endeavour without a home organization, of which you are the last owner, ' +
      'to the user id of the member who becomes its owner.',
    example: { org_0193d5b67c8e7a90b1c2d3e4f5a6b7c8: 'usr_0193d5b67c8e7a90b1c2d3e4f5a6b7c9' },
  })
  heirs?: HeirsByContainer;
}
