import type { SentExternalRef } from '../../common/external-ref.js';
import { ExternalRefField, Id, Name, OneOf } from '../../platform/http/bodies/fields.js';
import { CreateResourceDto, UpdateResourceDto } from './resource.dto.js';
import { RESOURCE_TYPES, type ResourceType } from './resource.entity.js';

const REF = 'Only the url; source and id come from the path.';

/** The body of PUT by-external if it creates the resource. */
export class NewExternalResourceDto extends CreateResourceDto {
  @ExternalRefField({ nullable: false, description: REF })
  override external_ref?: SentExternalRef;
}

/** The body of PUT by-external: the properties of POST and PATCH. */
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
