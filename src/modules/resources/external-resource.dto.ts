import type { SentExternalRef } from '../../common/external-ref.js';
import { ExternalRefField, Id, Name, OneOf } from '../../platform/http/fields.js';
import { CreateResourceDto, UpdateResourceDto } from './resource.dto.js';
import { RESOURCE_TYPES, type ResourceType } from './resource.entity.js';

const REF = 'Its url; source and id are those of the path.';

/** The body of PUT by-external where it creates. */
export class NewExternalResourceDto extends CreateResourceDto {
  @ExternalRefField({ nullable: false, description: REF })
  override external_ref?: SentExternalRef;
}

/** The body of PUT by-external: what creation and patch take. */
export class PutExternalResourceDto extends UpdateResourceDto {
  @Name({ nullable: false, description: 'Required for a new resource.', example: 'The gardeners' })
  override name?: string;

  @OneOf(RESOURCE_TYPES, { nullable: false, description: 'Required for a new resource.', example: 'team' })
  override type?: ResourceType;

  @Id('organization', { nullable: false, description: 'The same as in the query.' })
  organization_id?: string;

  @ExternalRefField({ nullable: false, description: REF })
  override external_ref?: SentExternalRef;
}
