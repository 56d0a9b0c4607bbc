import { Injectable } from '@nestjs/common';
import { fromRow, columnsSql } from '../../platform/database/columns.js';
import { Database } from '../../platform/database/database.js';
import { Artifact } from './artifact.entity.js';

/** SQL: whether the artifact waits for an upload that began before `$1` (RFC 3339 in UTC, so that texts compare as times). */
const IS_OVERDUE = `a.file->>'state' = 'waiting' AND a.file->>'begun_at' < $1`;

/** Finds uploads that nobody has completed. */
@Injectable()
export class ArtifactFilesRepository {
  constructor(private readonly database: Database) {}

  /** Artifacts whose uploads began before that time and have not been completed. */
  async overdue(before: Date, limit: number): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT a.id FROM artifacts a WHERE ${IS_OVERDUE} ORDER BY a.file->>'begun_at' LIMIT $2`,
      [before.toISOString(), limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Locks the artifact, if its upload is still overdue. */
  async lockOverdue(id: string, before: Date): Promise<Artifact | undefined> {
    const { source } = this.database;
    const row = await this.database.one<Record<string, unknown>>(
      `SELECT ${columnsSql(source, Artifact, 'a')} FROM artifacts a WHERE ${IS_OVERDUE} AND a.id = $2 FOR NO KEY UPDATE`,
      [before.toISOString(), id],
    );
    return row && fromRow(source, Artifact, row);
  }
}
