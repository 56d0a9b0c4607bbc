import { Injectable } from '@nestjs/common';
import { inProgress } from '../../common/errors.js';
import { Database } from '../../platform/database/database.js';

/**
 * Blocks writes to containers while an operation works on them: writes fail with 409 `in_progress` (see
 * `Access.assertWritable`), reads continue. The calling code locks the containers exclusively before it closes them, so
 * that no write is in progress.
 */
@Injectable()
export class ContainerWriteBlocks {
  constructor(private readonly database: Database) {}

  async block(
    operationId: string,
    { endeavourIds, organizationId }: { endeavourIds: readonly string[]; organizationId?: string },
  ): Promise<void> {
    await this.database.query('UPDATE endeavours SET closed_by = $1 WHERE id = ANY($2::text[])', [
      operationId,
      endeavourIds,
    ]);
    if (organizationId === undefined) return;
    await this.database.query('UPDATE organizations SET closed_by = $1 WHERE id = $2', [operationId, organizationId]);
  }

  /** Returns the ids of the endeavours that the operation blocks writes to. */
  async endeavoursOf(operationId: string): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      'SELECT id FROM endeavours WHERE closed_by = $1 ORDER BY id',
      [operationId],
    );
    return rows.map(({ id }) => id);
  }

  /** Allows writes again in every container that the operation blocked. */
  async unblock(operationId: string): Promise<void> {
    await this.database.query('UPDATE endeavours SET closed_by = NULL WHERE closed_by = $1', [operationId]);
    await this.database.query('UPDATE organizations SET closed_by = NULL WHERE closed_by = $1', [operationId]);
  }

  /** Rejects if an operation is running on one of the endeavours or on the organization. */
  async assertNotBlocked(endeavourIds: readonly string[], organizationId: string | null = null): Promise<void> {
    const row = await this.database.one<{ id: string }>(
      `SELECT closed_by AS id FROM endeavours WHERE id = ANY($1::text[]) AND closed_by IS NOT NULL
       UNION ALL SELECT closed_by FROM organizations WHERE id = $2 AND closed_by IS NOT NULL LIMIT 1`,
      [endeavourIds, organizationId],
    );
    if (row !== undefined) throw inProgress(row.id);
  }
}
