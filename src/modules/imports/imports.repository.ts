import { Injectable } from '@nestjs/common';
import { homeOfEndeavour, leftJoinEndeavour } from '../../access/visibility/containers.view.js';
import type { DeclaredField } from '../../common/declared-field.js';
import type { Stage } from '../endeavours/stages/stages.js';
import { joinOperation } from '../operations/operation-references.view.js';
import { ACTIVE_PEOPLE } from '../../access/visibility/people.view.js';
import { Database } from '../../platform/database/database.js';
import { wireTime } from '../../platform/database/views/view.js';
import type { FormatName } from './formats/all.js';
import type { ImportOptions, ImportRecord, RecordName } from './reading/import-format.js';

/** The approximate length of the JSON of a batch; a larger record is a batch of its own. */
const BATCH_LENGTH = 1024 * 1024;

/** SQL: the length of the JSON of the line `alias`, without reading it. */
const sizeOf = (alias: string): string => `coalesce(${alias}.size, octet_length(${alias}.data::text))`;

/** The state of an import. */
export interface ImportState {
  id: string;
  operationId: string;
  /** The id of the target, an endeavour or an organization. */
  containerId: string;
  endeavourId: string | null;
  organizationId: string | null;
  format: FormatName;
  isDryRun: boolean;
  options: ImportOptions;
  lines: number;
  phase: number;
  position: number;
  counts: Record<string, number>;
  /** The stages of the endeavour; null if it has none, or the target is an organization. */
  stages: readonly Stage[] | null;
  /** The fields that the endeavour declares; null if it declares none, or the target is an organization. */
  fields: readonly DeclaredField[] | null;
}

/** A record of a file that is to be stored, with its data as JSON. */
export interface StorableLine extends Omit<ImportRecord, 'data'> {
  number: number;
  data: string;
}

/** A stored record of a file. */
export interface StoredLine extends ImportRecord {
  number: number;
  /** The line of the first record with the same key, if it is an earlier one. */
  repeats: number | null;
}

/** The reason for which a line was not imported. */
export interface LineRefusal {
  line: number;
  externalId: string | null;
  code: string;
  reason: string | null;
  message: string;
}

/** A member of the endeavour who can be assigned work. */
export interface Assignable {
  userId: string;
  resourceId: string;
  name: string;
  /** Null if the caller cannot see the e-mail address. */
  email: string | null;
}

/** Precedes the keys of lines that a dry run would not import; no key of a file begins with it. */
const LOST = '\u0001';

/** Whether a dry run would not import the line. */
export const isLost = ({ key }: Pick<StoredLine, 'key'>): boolean => key?.startsWith(LOST) === true;

/** SQL: the indexed name of the line `alias`; null if it has no key. */
const nameOf = (alias: string): string => `(${alias}.section || ' ' || ${alias}.key)`;

/** Reads and writes imports and their lines. */
@Injectable()
export class ImportsRepository {
  constructor(private readonly database: Database) {}

  /** Extends the idle timeout of the transaction, for the time in which the client sends the file. */
  async waitForFile(): Promise<void> {
    await this.database.query(`SET LOCAL idle_in_transaction_session_timeout = '60s'`);
  }

  async homeOf(endeavourId: string): Promise<string | null> {
    const row = await this.database.one<{ home: string | null }>(`SELECT ${homeOfEndeavour('$1')} AS home`, [
      endeavourId,
    ]);
    return row?.home ?? null;
  }

  /** Returns the operation of a running import, if any, and prevents others from starting until the transaction ends. */
  async runningIn(slot: string): Promise<string | undefined> {
    await this.database.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 17))', [`import ${slot}`]);
    const row = await this.database.one<{ id: string }>(
      `SELECT op.id FROM imports i ${joinOperation('op', 'i.operation_id')}
       WHERE i.slot = $1 AND op.finished_at IS NULL LIMIT 1`,
      [slot],
    );
    return row?.id;
  }

  async insert(
    row: Omit<ImportState, 'phase' | 'position' | 'counts' | 'containerId' | 'stages' | 'fields'> & { slot: string },
  ): Promise<void> {
    await this.database.query(
      `INSERT INTO imports (id, operation_id, endeavour_id, organization_id, slot, format, is_dry_run, options, lines)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        row.id,
        row.operationId,
        row.endeavourId,
        row.organizationId,
        row.slot,
        row.format,
        row.isDryRun,
        JSON.stringify(row.options),
        row.lines,
      ],
    );
  }

  async addLines(importId: string, lines: readonly StorableLine[]): Promise<void> {
    const rows = lines.map(
      ({ data, ...line }) => `${JSON.stringify({ ...line, size: data.length }).slice(0, -1)},"data":${data}}`,
    );
    await this.database.query(
      `INSERT INTO import_lines (import_id, number, line, section, key, size, data)
       SELECT $1, l.number, l.line, l.section, l.key, l.size, l.data
       FROM jsonb_populate_recordset(NULL::import_lines, $2::jsonb) l`,
      [importId, `[${rows.join(',')}]`],
    );
  }

  async stateOf(operationId: string): Promise<ImportState> {
    const row = await this.database.one<ImportState>(
      `SELECT i.id, i.operation_id AS "operationId", i.endeavour_id AS "endeavourId", i.organization_id AS "organizationId",
         coalesce(i.endeavour_id, i.organization_id) AS "containerId", i.format, i.is_dry_run AS "isDryRun", i.options,
         i.lines, i.phase, i.position, i.counts, e.stages, e.fields
       FROM imports i ${leftJoinEndeavour('e', 'i.endeavour_id')} WHERE i.operation_id = $1`,
      [operationId],
    );
    if (row === undefined) throw new Error(`The operation ${operationId} has no import.`);
    return row;
  }

  async advance({ id, phase, position, counts }: ImportState): Promise<void> {
    await this.database.query('UPDATE imports SET phase = $2, "position" = $3, counts = $4 WHERE id = $1', [
      id,
      phase,
      position,
      JSON.stringify(counts),
    ]);
  }

  /** Returns the next lines of a section after a position: at most `limit`, and fewer if they are large. */
  nextLines(importId: string, section: string, position: number, limit: number): Promise<StoredLine[]> {
    return this.database.query<StoredLine>(
      `SELECT l.number, l.line, l.section, l.key, l.data, (
         SELECT e.line FROM import_lines e WHERE e.import_id = l.import_id AND ${nameOf('e')} = ${nameOf('l')}
           AND e.number < l.number ORDER BY e.number LIMIT 1) AS repeats
       FROM (SELECT n.*, sum(${sizeOf('n')}) OVER (ORDER BY n.number) - ${sizeOf('n')} AS before
         FROM (SELECT * FROM import_lines WHERE import_id = $1 AND section = $2 AND number > $3
           ORDER BY number LIMIT $4) n) l
       WHERE l.before < $5 ORDER BY l.number`,
      [importId, section, position, limit, BATCH_LENGTH],
    );
  }

  /** Returns the records with these names, in the order of the file. */
  async lookups(
    importId: string,
    names: readonly RecordName[],
  ): Promise<Pick<StoredLine, 'section' | 'key' | 'data'>[]> {
    if (names.length === 0) return [];
    return this.database.query(
      `SELECT l.section, l.key, l.data FROM unnest($2::text[]) AS n (name)
       CROSS JOIN LATERAL (SELECT * FROM import_lines o
         WHERE o.import_id = $1 AND ${nameOf('o')} = n.name ORDER BY o.number) l ORDER BY l.number`,
      [importId, [...new Set(names.map(([section, key]) => `${section} ${key}`))]],
    );
  }

  /** Marks the keys of lines that a dry run would not import, so that references to them are not resolved. */
  async markLost(importId: string, numbers: readonly number[]): Promise<void> {
    if (numbers.length === 0) return;
    await this.database.query(
      'UPDATE import_lines l SET key = $3 || key WHERE l.import_id = $1 AND l.number = ANY($2::integer[])',
      [importId, numbers, LOST],
    );
  }

  /** Returns those of the keys that records of the file have, in any section. */
  async keysOfFile(importId: string, sections: readonly string[], keys: readonly string[]): Promise<Set<string>> {
    const names = sections.flatMap((section) => keys.map((key) => `${section} ${key}`));
    const rows = await this.database.query<{ key: string }>(
      `SELECT DISTINCT l.key FROM import_lines l WHERE l.import_id = $1 AND ${nameOf('l')} = ANY($2::text[])`,
      [importId, names],
    );
    return new Set(rows.map(({ key }) => key));
  }

  async addRefusals(importId: string, refusals: readonly LineRefusal[]): Promise<void> {
    if (refusals.length === 0) return;
    const columns = ['line', 'externalId', 'code', 'reason', 'message'] as const;
    await this.database.query(
      `INSERT INTO import_refusals (import_id, line, external_id, code, reason, message)
       SELECT $1, * FROM unnest($2::integer[], $3::text[], $4::text[], $5::text[], $6::text[])`,
      [importId, ...columns.map((name) => refusals.map((refusal) => refusal[name]))],
    );
  }

  /** Deletes at most `limit` lines of an import that has ended; returns their number. */
  async deleteEndedLines(limit: number): Promise<number> {
    const rows = await this.database.query(
      `DELETE FROM import_lines WHERE ctid = ANY(ARRAY(
         SELECT l.ctid FROM import_lines l WHERE l.import_id = (
           SELECT i.id FROM imports i ${joinOperation('op', 'i.operation_id')}
           WHERE op.finished_at IS NOT NULL AND EXISTS (SELECT 1 FROM import_lines own WHERE own.import_id = i.id) LIMIT 1)
         LIMIT $1)) RETURNING 1`,
      [limit],
    );
    return rows.length;
  }

  /** Returns the people who can be assigned work in the endeavour. */
  peopleOf(userId: string, isAdmin: boolean, endeavourId: string): Promise<Assignable[]> {
    return this.database.query<Assignable>(
      `SELECT u.id AS "userId", u.resource_id AS "resourceId", u.name,
         CASE WHEN $2 OR u.id = $1 OR EXISTS (
           SELECT 1 FROM organization_resources mine JOIN organization_resources theirs USING (organization_id)
           WHERE mine.user_id = $1 AND mine.role IN ('admin', 'owner') AND theirs.user_id = u.id)
         THEN u.email END AS email
       FROM ${ACTIVE_PEOPLE} AND r.status = 'active' AND u.id IN (
         SELECT g.user_id FROM endeavour_grants g WHERE g.endeavour_id = $3 AND g.rank >= role_rank('member'))`,
      [userId, isAdmin, endeavourId],
    );
  }

  /** Returns the report of an import with a page of its refusals. */
  report(id: string, after: number, limit: number): Promise<Record<string, unknown> | undefined> {
    return this.database.one(
      `SELECT i.id, i.operation_id, i.endeavour_id, i.organization_id, i.format, i.is_dry_run, i.lines,
         $4::jsonb || i.counts AS counts,
         (SELECT count(*)::integer FROM import_notes n WHERE n.import_id = i.id AND n.kind <> 'used') AS notes_total,
         (SELECT count(*)::integer FROM import_refusals r WHERE r.import_id = i.id) AS refused,
         coalesce((SELECT json_agg(json_build_object('number', r.id, 'line', r.line, 'external_id', r.external_id,
             'code', r.code, 'reason', r.reason, 'message', r.message) ORDER BY r.id)
           FROM (SELECT * FROM import_refusals WHERE import_id = i.id AND id > $2 ORDER BY id LIMIT $3) r), '[]') AS refusals,
         ${wireTime('i.created_at')} AS created_at
       FROM imports i WHERE i.id = $1`,
      [id, after, limit, JSON.stringify({ created: 0, updated: 0, unchanged: 0 })],
    );
  }
}
