import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import type { ExternalRef } from '../../common/external-ref.js';
import {
  ExternalRefCheck,
  ExternalRefColumn,
  ExternalRefIndex,
} from '../../platform/database/columns/external-ref-column.js';
import { TimestampColumn } from '../../platform/database/columns/timestamp-column.js';
import { ContentChanges, UpdatedBy } from '../../platform/database/views/approvable.js';
import { Row } from '../../platform/database/views/rows.js';

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

export const FILE_STATES = ['waiting', 'stored'] as const;
/** The length of the longest file in bytes: what stores take in one request. */
export const MAX_FILE_LENGTH = 5 * 1_024 ** 3;

/** The file of an artifact, and where the store has it. */
export interface ArtifactFile {
  /** `waiting` for its upload, or `stored`. */
  state: (typeof FILE_STATES)[number];
  /** In bytes. */
  length: number;
  /** 64 lower-case hexadecimal digits. */
  sha256: string;
  media_type: string | null;
  /** The name of the object in the store, which no client sees but in signed URLs. */
  key: string;
  /** When its upload began (RFC 3339 in UTC). */
  begun_at: string;
}

/**
 * A reference to a document, link or deliverable outside of the service, which never fetches it, or a file in the store of
 * the operator.
 */
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
@Check(
  'artifacts_file_check',
  `file IS NULL OR coalesce(kind = 'file' AND deleted_at IS NULL AND file->>'state' IN ('${FILE_STATES.join("', '")}')
    AND (file->>'length')::bigint BETWEEN 0 AND ${MAX_FILE_LENGTH} AND file->>'sha256' ~ '^[0-9a-f]{64}$'
    AND file->>'key' ~ '^[0-9a-f]{48}$' AND file->>'begun_at' ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{12}Z$', false)`,
)
@Index('artifacts_waiting_file_idx', { synchronize: false })
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

  @Column('jsonb', { nullable: true })
  file: ArtifactFile | null;

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
