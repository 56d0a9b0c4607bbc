import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { namesWith } from '../database/views/text-traits.js';
import type { View } from '../database/views/view.js';

/** Redacts history, which all other code only appends to, and records the redaction. */
@Injectable()
export class EventEraser {
  constructor(private readonly database: Database) {}

  /**
   * Runs work during which the append-only tables accept updates and deletions. Must be called in a transaction; calls
   * can be nested.
   */
  async unlocked<T>(work: () => Promise<T>): Promise<T> {
    const row = await this.database.one<{ before: string | null }>(
      `SELECT before.value AS before, set_config('worksmith.erasing', 'on', true)
       FROM (SELECT current_setting('worksmith.erasing', true) AS value OFFSET 0) before`,
    );
    const result = await work();
    await this.database.query(`SELECT set_config('worksmith.erasing', $1, true)`, [row?.before || 'off']);
    return result;
  }

  /** Removes what people have written, which can be redacted, from the events of a deleted entity. */
  async blankTexts(view: View, id: string): Promise<void> {
    await this.unlocked(() => this.blankEvents([id], namesWith('redactable', view)));
  }

  /** Sets these properties to null in every event about these entities; returns the number of changed events. */
  async blankEvents(entityIds: readonly string[], properties: readonly string[]): Promise<number> {
    const rows = await this.database.query(
      `UPDATE events SET data = ${blanked('data')}, previous = ${blanked('previous')}
       WHERE entity_id = ANY($1) AND (${holds('data')} OR ${holds('previous')}) RETURNING 1`,
      [entityIds, properties],
    );
    return rows.length;
  }
}

const blanked = (column: string): string => `coalesce((
  SELECT json_object_agg(part.key, CASE WHEN part.key = ANY($2) THEN 'null'::json ELSE part.value END)
  FROM json_each(${column}) part), '{}')`;

const holds = (column: string): string => `EXISTS (
  SELECT 1 FROM json_each(${column}) part WHERE part.key = ANY($2) AND json_typeof(part.value) <> 'null')`;
