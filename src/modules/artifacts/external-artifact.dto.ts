import type { SentExternalRef } from '../../common/external-ref.js';
import { ExternalRefField, Id, Name, OneOf } from '../../platform/http/bodies/fields.js';
import { NewArtifactDto, UpdateArtifactDto } from './artifact.dto.js';
import { ARTIFACT_KINDS, ARTIFACT_STATUSES, type ArtifactKind, type ArtifactStatus } from './artifact.entity.js';

const REF = 'Only the url; source and id come from the path.';

/** The body of PUT by-external for a new artifact. */
export class NewExternalArtifactDto extends NewArtifactDto {
  @ExternalRefField({ nullable: false, description: REF })
  override external_ref?: SentExternalRef;
}

/** The documented body of PUT by-external, with the properties of creation and patch. */
export class PutExternalArtifactDto extends UpdateArtifactDto {
  @OneOf(ARTIFACT_KINDS, { nullable: false, description: 'Required for a new artifact.', example: 'doc' })
  override kind?: ArtifactKind;

  @Name({ nullable: false, description: 'Required for a new artifact.', example: 'Plan of the garden' })
  override title?: string;

  @OneOf(ARTIFACT_STATUSES, { nullable: false, isUsual: false, description: 'Not accepted for a new artifact.' })
  override status?: ArtifactStatus;

  @Id('endeavour', { nullable: false, description: 'The same as in the query.' })
  endeavour_id?: string;

  @ExternalRefField({ nullable: false, description: REF })
  override external_ref?: SentExternalRef;
}
