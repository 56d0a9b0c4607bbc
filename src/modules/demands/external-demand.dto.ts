import type { SentExternalRef } from '../../common/external-ref.js';
import { ExternalRefField, Id, Keyword, Name, OneOf } from '../../platform/http/bodies/fields.js';
import { CreateDemandDto, UpdateDemandDto } from './demand.dto.js';
import { demandLifecycle, type DemandStatus } from './demand.lifecycle.js';

const REF = 'Only the url; source and id come from the path.';

/** The body of PUT by-external for a new demand. */
export class NewExternalDemandDto extends CreateDemandDto {
  @Id('endeavour')
  override endeavour_id: string;

  @ExternalRefField({ nullable: false, description: REF })
  override external_ref?: SentExternalRef;
}

/** The documented body of PUT by-external, with the properties of creation and patch. */
export class PutExternalDemandDto extends UpdateDemandDto {
  @Name({ nullable: false, description: 'Required for a new demand.', example: 'Visitors find the exit' })
  override title?: string;

  @OneOf(demandLifecycle.statuses, { nullable: false, isUsual: false, description: 'Not accepted for a new demand.' })
  override status?: DemandStatus;

  @Keyword({
    nullable: false,
    pattern: /^[a-z][a-z0-9_-]{0,99}$/,
    description: 'Required for a new demand; cannot be changed.',
    example: 'story',
  })
  type?: string;

  @Id('endeavour', { nullable: false, description: 'The same as in the query.' })
  endeavour_id?: string;

  @ExternalRefField({ nullable: false, description: REF })
  override external_ref?: SentExternalRef;
}
