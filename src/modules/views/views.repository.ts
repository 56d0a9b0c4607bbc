import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { ListedKind } from './listed-kinds.js';

/** The rows of views. */
@Injectable()
export class ViewsRepository {
  constructor(private readonly database: Database) {}

  /** The number of views of the container; that of a personal view is the resource of its person. */
  async countIn(containerId: string): Promise<number> {
    const row = await this.database.one<{ count: number }>(
      'SELECT count(*)::integer AS count FROM views WHERE container_id = $1 AND deleted_at IS NULL',
      [containerId],
    );
    return row?.count ?? 0;
  }

  async containerOf(id: string): Promise<string | undefined> {
    const row = await this.database.one<{ id: string }>('SELECT container_id AS id FROM views WHERE id = $1', [id]);
    return row?.id;
  }

  /** The view that clients open first in the container, of that kind. */
  async defaultIn(containerId: string, kind: ListedKind): Promise<string | undefined> {
    const row = await this.database.one<{ id: string }>(
      'SELECT id FROM views WHERE container_id = $1 AND kind = $2 AND is_default AND deleted_at IS NULL',
      [containerId, kind],
    );
    return row?.id;
  }
}
