import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import type { ExternalRef } from '../../common/external-ref.js';
import { ExternalRefCheck, ExternalRefColumn, ExternalRefIndex } from '../../platform/database/external-ref-column.js';
import { TimestampColumn } from '../../platform/database/timestamp-column.js';
import { ContentChanges, UpdatedBy } from '../../platform/database/approvable.js';
import { Row } from '../../platform/database/rows.js';

export const ARTIFACT_KINDS = [
  'link',
  'doc',
  'repo',
  'file',
  'dataset',
  'dashboard',
  'runbook',
  'report',
  'test-report',
  'other',
] as const;
export const ARTIFACT_STATUSES = ['active', 'archived'] as const;
export type ArtifactKind = (typeof ARTIFACT_KINDS)[number];
export type ArtifactStatus = (typeof ARTIFACT_STATUSES)[number];

/** A reference to a document, link or deliverable outside of the service, which never fetches it. */
@Entity('artifacts')
@Index('artifacts_words_idx', { synchronize: false })
@ExternalRefIndex('artifacts')
@ExternalRefCheck('artifacts')
@Index('artifacts_tags_idx', { synchronize: false })
@Index('artifacts_title_trigram_idx', { synchronize: false })
@Index('artifacts_summary_trigram_idx', { synchronize: false })
@Check('artifacts_kind_check', `kind IN ('${ARTIFACT_KINDS.join("', '")}')`)
@Check('artifacts_status_check', `status IN ('${ARTIFACT_STATUSES.join("', '")}')`)
@Check('artifacts_title_check', 'char_length(title) BETWEEN 1 AND 500')
@Check('artifacts_url_check', "url ~* '^https?://' AND char_length(url) <= 2048")
@Check('artifacts_summary_check', 'char_length(summary) <= 50000')
@Check('artifacts_tags_check', 'cardinality(tags) <= 50')
@Check('artifacts_metadata_check', "jsonb_typeof(metadata) = 'object'")
@Index(['endeavourId', 'createdAt', 'id'])
@Index(['taskId', 'createdAt', 'id'])
@Index(['createdAt', 'id'])
// An artifact is in the container of its task and moves with it.
@ForeignKey('Task', ['taskId', 'endeavourId'], ['id', 'endeavourId'], { onUpdate: 'CASCADE' })
export class Artifact extends Row {
  @Column('text')
  kind: ArtifactKind;

  @Column('text')
  title: string;

  @Column('text', { nullable: true })
  url: string | null;

  @Column('text', { nullable: true })
  summary: string | null;

  @Column('text', { array: true, default: '{}' })
  tags: string[];

  @Column('text')
  @ForeignKey('Endeavour')
  endeavourId: string;

  @Column('text', { nullable: true })
  taskId: string | null;

  @Column('text', { default: 'active' })
  status: ArtifactStatus;

  @ExternalRefColumn()
  externalRef?: ExternalRef | null;

  @Column('jsonb', { default: {} })
  metadata: Record<string, unknown>;

  /** The first value of `metadata.result` with the tags at that time; maintained by a trigger. */
  @Column('jsonb', { nullable: true, select: false })
  evidence?: { result: unknown; tags: string[] } | null;

  @Column('text')
  @ForeignKey('Resource')
  createdBy: string;

  @TimestampColumn({ nullable: true })
  deletedAt: Date | null;

  @UpdatedBy()
  updatedBy?: string | null;

  @ContentChanges()
  contentChanges?: object;

  /** The full-text search index; maintained by a trigger. */
  @Column('tsvector', { nullable: true, select: false })
  words?: string;
}
