import type { SentExternalRef } from '../../common/external-ref.js';
import {
  ExternalRefField,
  Id,
  Int,
  JsonObject,
  Keyword,
  Link,
  Name,
  ObjectOf,
  OneOf,
  StringList,
  Text,
} from '../../platform/http/bodies/fields.js';
import {
  ARTIFACT_KINDS,
  ARTIFACT_STATUSES,
  MAX_FILE_LENGTH,
  type ArtifactKind,
  type ArtifactStatus,
} from './artifact.entity.js';

/** An artifact without a file. */
export class NewArtifactDto {
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

/** The file that a client is about to upload, and nothing else. */
export class UploadDto {
  @Int({ required: true, max: MAX_FILE_LENGTH, description: 'The length of the file in bytes.', example: 48213 })
  length: number;

  @Keyword({
    required: true,
    max: 64,
    pattern: /^[0-9a-f]{64}$/,
    description: 'The SHA-256 of the file in hexadecimal, in lower case.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  sha256: string;

  @Keyword({
    max: 255,
    pattern: /^[A-Za-z0-9][\w!#$&^.+-]{0,126}\/[A-Za-z0-9][\w!#$&^.+-]{0,126}$/,
    description: 'What the file is, for readers. The store gives it out as application/octet-stream.',
    example: 'application/pdf',
  })
  media_type?: string;
}

export class CreateArtifactDto extends NewArtifactDto {
  @ObjectOf(UploadDto, {
    description: 'For the kind `file`: the file that is about to be uploaded to the address in the response.',
  })
  upload?: UploadDto;
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
