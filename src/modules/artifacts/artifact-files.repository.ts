import { Injectable } from '@nestjs/common';
import { fromRow, columnsSql } from '../../platform/database/columns/columns.js';
import { Database } from '../../platform/database/database.js';
import { Artifact, type ArtifactFile } from './artifact.entity.js';

/** SQL: whether the artifact waits for an upload that began before `$1` (RFC 3339 in UTC, so that texts compare as times). */
const IS_OVERDUE = `a.file->>'state' = 'waiting' AND a.file->>'begun_at' < $1`;

/** An artifact with the upload that it waits for. */
export interface OverdueUpload {
  id: string;
  file: ArtifactFile;
}

/** Finds uploads that have not been completed. */
@Injectable()
export class ArtifactFilesRepository {
  constructor(private readonly database: Database) {}

  /** Artifacts whose uploads began before that time and have not been completed. */
  overdue(before: Date, limit: number): Promise<OverdueUpload[]> {
    return this.database.query(
      `SELECT a.id, a.file FROM artifacts a WHERE ${IS_OVERDUE} ORDER BY a.file->>'begun_at' LIMIT $2`,
      [before.toISOString(), limit],
    );
  }

  /** Locks the artifact, if it still waits for the same upload. */
  async lockWaiting({ id, file }: OverdueUpload): Promise<Artifact | undefined> {
    const { source } = this.database;
    const row = await this.database.one(
      `SELECT ${columnsSql(source, Artifact, 'a')} FROM artifacts a
       WHERE a.id = $1 AND a.file->>'state' = 'waiting' AND a.file->>'key' = $2 FOR NO KEY UPDATE`,
      [id, file.key],
    );
    return row && fromRow(source, Artifact, row);
  }
}
