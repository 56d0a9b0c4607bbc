import { Injectable } from '@nestjs/common';
import { TIER_LIMITS } from '../../../common/tiers.js';
import { Database } from '../../../platform/database/database.js';
import { wireTime } from '../../../platform/database/views/view.js';
import type { UpdateTierDto } from './tier.dto.js';

const SETTABLE = ['name', ...TIER_LIMITS] as const;

/** The representation of a tier. */
export type TierRow = Required<UpdateTierDto> & {
  id: number;
  created_at: string;
  updated_at: string;
  revision: number;
};

const COLUMNS = `id, ${SETTABLE.join(', ')}, ${wireTime('created_at')} AS created_at,
  ${wireTime('updated_at')} AS updated_at, revision`;

/** Reads and writes tiers. */
@Injectable()
export class TiersRepository {
  constructor(private readonly database: Database) {}

  all(): Promise<TierRow[]> {
    return this.database.query<TierRow>(`SELECT ${COLUMNS} FROM tiers ORDER BY id`);
  }

  lock(id: number): Promise<TierRow | undefined> {
    return this.database.one<TierRow>(`SELECT ${COLUMNS} FROM tiers WHERE id = $1 FOR NO KEY UPDATE`, [id]);
  }

  /** Writes the sent properties, of which at least one must be set. */
  async update(id: number, changes: UpdateTierDto): Promise<TierRow> {
    const names = SETTABLE.filter((name) => changes[name] !== undefined);
    const row = await this.database.one<TierRow>(
      `UPDATE tiers SET ${names.map((name, index) => `${name} = $${index + 2}`).join(', ')},
         updated_at = clock_timestamp(), revision = revision + 1
       WHERE id = $1 RETURNING ${COLUMNS}`,
      [id, ...names.map((name) => changes[name])],
    );
    if (row === undefined) throw new Error(`tier ${id} does not exist`);
    return row;
  }
}
