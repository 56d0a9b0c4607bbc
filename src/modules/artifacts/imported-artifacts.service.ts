import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import type { ExternalRef } from '../../common/external-ref.js';
import { BulkCreator } from '../../platform/events/bulk-creator.js';
import { bodyReaderFor } from '../../platform/http/bodies/fields/body-reader.js';
import { TextObservers, watchedTexts } from '../../platform/text-observers/text-observers.js';
import { NewArtifactDto, UpdateArtifactDto } from './artifact.dto.js';
import { Artifact, type ArtifactStatus } from './artifact.entity.js';
import { artifactView } from './artifact.view.js';

/** An artifact from another system. */
export interface ImportedArtifact {
  id: string;
  dto: NewArtifactDto;
  status: ArtifactStatus;
  createdAt: Date;
  createdBy: string;
}

/** Creates artifacts from an import. */
@Injectable()
export class ImportedArtifacts {
  /** Validates a body like POST. */
  readonly read = bodyReaderFor(NewArtifactDto, 'create');
  /** Validates a body like PATCH. */
  readonly readChanges = bodyReaderFor(UpdateArtifactDto, 'patch');

  constructor(
    private readonly bulkCreator: BulkCreator,
    private readonly textObservers: TextObservers,
  ) {}

  /** Creates at most 1,000 validated artifacts. */
  async createAll(me: Caller, endeavourId: string, artifacts: readonly ImportedArtifact[]): Promise<void> {
    const rows = artifacts.map((artifact) => rowOf(artifact, endeavourId));
    await this.bulkCreator.createAll(
      me,
      artifactView,
      Artifact,
      rows.map((row) => ({ row, place: { endeavourId }, title: row.title, parentId: row.taskId })),
    );
    const notify = await this.textObservers.observersOf({ endeavourId });
    for (const row of rows) {
      await notify(me, { kind: 'artifact', entityId: row.id, texts: watchedTexts(artifactView, row) })?.();
    }
  }
}

/** All columns but those that triggers keep. */
type ImportedArtifactRow = Required<
  Omit<Artifact, 'deletedAt' | 'evidence' | 'words' | 'updatedBy' | 'contentChanges'>
>;

function rowOf({ id, dto, status, createdAt, createdBy }: ImportedArtifact, endeavourId: string): ImportedArtifactRow {
  const {
    kind,
    title,
    url = null,
    summary = null,
    tags = [],
    task_id: taskId = null,
    external_ref,
    metadata = {},
  } = dto;
  const ref = external_ref as ExternalRef | undefined;
  return {
    id,
    kind,
    title,
    url,
    file: null,
    summary,
    tags,
    endeavourId,
    taskId,
    status,
    externalRef: ref === undefined ? null : { source: ref.source, id: ref.id, url: ref.url ?? null },
    metadata,
    createdAt,
    createdBy,
    updatedAt: new Date(),
    revision: 1,
  };
}
