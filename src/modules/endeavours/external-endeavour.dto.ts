import type { SentExternalRef } from '../../common/external-ref.js';
import { ExternalRefField, Id, Name } from '../../platform/http/bodies/fields.js';
import { CreateEndeavourDto, UpdateEndeavourDto } from './endeavour.dto.js';

const REF = 'Only the url; source and id come from the path.';

/** The body of PUT by-external for a new endeavour. */
export class NewExternalEndeavourDto extends CreateEndeavourDto {
  @ExternalRefField({ nullable: false, description: REF })
  override external_ref?: SentExternalRef;
}

/** The documented body of PUT by-external, with the properties of creation and patch. */
export class PutExternalEndeavourDto extends UpdateEndeavourDto {
  @Name({ nullable: false, description: 'Required for a new endeavour.', example: 'Open the garden' })
  override name?: string;

  @Id('organization', { nullable: false, description: 'The same as in the query.' })
  organization_id?: string;

  @ExternalRefField({ nullable: false, description: REF })
  override external_ref?: SentExternalRef;
}
