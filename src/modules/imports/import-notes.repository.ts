import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { OTHERS, type ImportNotes } from './import-notes.js';

/** The number of names of one kind that are stored; more are counted together. */
const MAX_NAMES = 1_000;
/** The number of notes in a report. */
const MAX_SHOWN = 2_000;

/** Stores what the readers of a file could not use. */
@Injectable()
export class ImportNotesRepository {
  constructor(private readonly database: Database) {}

  async add(importId: string, { all }: ImportNotes): Promise<void> {
    if (all.length === 0) return;
    const columns = ['kind', 'name', 'message', 'line', 'count', 'found', 'total'] as const;
    await this.database.query(
      `INSERT INTO import_notes AS n (import_id, kind, name, message, line, count, found, total)
       SELECT $1, s.kind, s.name, s.message, min(s.line), sum(s.count), sum(s.found), sum(s.total)
       FROM (SELECT i.kind, CASE WHEN i.kind = 'used' OR coalesce(k.names, 0) < $2 OR EXISTS (
                 SELECT 1 FROM import_notes e WHERE e.import_id = $1 AND e.kind = i.kind AND e.name = i.name
                   AND e.message = i.message)
               THEN i.name ELSE $3 END AS name, i.message, i.line, i.count, i.found, i.total
             FROM unnest($4::text[], $5::text[], $6::text[], $7::integer[], $8::integer[], $9::bigint[], $10::bigint[])
               AS i (kind, name, message, line, count, found, total)
             LEFT JOIN (SELECT kind, count(*) AS names FROM import_notes WHERE import_id = $1 GROUP BY kind) k
               USING (kind)) s
       GROUP BY s.kind, s.name, s.message
       ON CONFLICT (import_id, kind, name, message) DO UPDATE SET count = n.count + excluded.count,
         found = n.found + excluded.found, total = n.total + excluded.total,
         line = least(n.line, excluded.line)`,
      [importId, MAX_NAMES, OTHERS, ...columns.map((name) => all.map((note) => note[name]))],
    );
  }

  /** Returns the options that applied to the file, as `<option>` or `<option>.<name>`. */
  async usedOptions(importId: string): Promise<Set<string>> {
    const rows = await this.database.query<{ name: string }>(
      `SELECT name FROM import_notes WHERE import_id = $1 AND kind = 'used'`,
      [importId],
    );
    return new Set(rows.map(({ name }) => name));
  }

  /** Returns the notes of a report. */
  async shown(importId: string): Promise<unknown[]> {
    return this.database.query(
      `SELECT n.kind, n.name, n.count, n.line,
         CASE WHEN n.total > 0 THEN n.found || ' of ' || n.total || ' ' || n.name || ' are in the file'
           ELSE n.message END AS message
       FROM import_notes n WHERE n.import_id = $1 AND n.kind <> 'used'
       ORDER BY n.kind, n.count DESC, n.name, n.message LIMIT $2`,
      [importId, MAX_SHOWN],
    );
  }
}
