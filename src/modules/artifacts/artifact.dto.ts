import type { SentExternalRef } from '../../common/external-ref.js';
import { ExternalRefField, Id, JsonObject, Link, Name, OneOf, Text, StringList } from '../../platform/http/fields.js';
import { ARTIFACT_KINDS, ARTIFACT_STATUSES, type ArtifactKind, type ArtifactStatus } from './artifact.entity.js';

export class CreateArtifactDto {
  @OneOf(ARTIFACT_KINDS, { required: true, example: 'doc' })
  kind: ArtifactKind;

  @Name({ required: true, example: 'Plan of the garden' })
  title: string;

  @Link({ description: 'The URL is stored and never fetched.', example: 'https://example.com/plan.pdf' })
  url?: string;

  @Text()
  summary?: string;

  @StringList()
  tags?: string[];

  @Id('endeavour', { isUsual: true, description: 'Defaults to the endeavour of task_id; one of the two is required.' })
  endeavour_id?: string;

  @Id('task')
  task_id?: string;

  @ExternalRefField({ isNew: true })
  external_ref?: SentExternalRef;

  @JsonObject()
  metadata?: Record<string, unknown>;
}

export class UpdateArtifactDto {
  @OneOf(ARTIFACT_KINDS, { nullable: false })
  kind?: ArtifactKind;

  @Name({ nullable: false })
  title?: string;

  @Link()
  url?: string | null;

  @Text()
  summary?: string | null;

  @StringList({ description: 'Replaces all tags.' })
  tags?: string[] | null;

  @Id('task', { description: 'A task in the same endeavour.' })
  task_id?: string | null;

  @OneOf(ARTIFACT_STATUSES, { nullable: false, example: 'archived' })
  status?: ArtifactStatus;

  @ExternalRefField()
  external_ref?: SentExternalRef | null;

  @JsonObject()
  metadata?: Record<string, unknown> | null;
}
