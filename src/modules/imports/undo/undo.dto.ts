import { Bool } from '../../../platform/http/bodies/fields.js';

export class UndoImportDto {
  @Bool({ description: 'Only reports what would be deleted, and what would stay and why.' })
  dry_run?: boolean;
}
