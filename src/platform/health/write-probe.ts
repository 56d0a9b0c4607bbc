import { statfs } from 'node:fs/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { Database } from '../database/database.js';
import { sqlState, databaseProblemOf, type DatabaseProblem } from '../database/driver-errors.js';

const WELL_MS = 10_000;
const TROUBLED_MS = 1_000;
/** PostgreSQL allocates write-ahead log files of this size, and stops if it cannot. */
const LEAST_FREE_BYTES = 16 * 1024 * 1024;
const FORBIDDEN = '42501';

/** Writes as much as a busy second does, to a table of this transaction only. */
const PROBE = [
  'CREATE TEMPORARY TABLE write_probe (filler text) ON COMMIT DROP',
  `INSERT INTO pg_temp.write_probe SELECT repeat('x', 1900) FROM generate_series(1, 100)`,
];

/**
 * Checks whether the database can write, with rows that are discarded. Callers within a few seconds share one result,
 * so frequent checks are cheap.
 */
@Injectable()
export class WriteProbe {
  private readonly log = new Logger('Health');
  private answer: Promise<DatabaseProblem | null> | undefined;
  private until = 0;
  private last: DatabaseProblem | null = null;

  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /** The problem that keeps the database from writing, or null; throws other errors. */
  trouble(): Promise<DatabaseProblem | null> {
    if (this.answer === undefined || performance.now() > this.until) {
      this.until = Infinity;
      this.answer = this.look().finally(() => {
        this.until = performance.now() + (this.last === null ? WELL_MS : TROUBLED_MS);
      });
    }
    return this.answer;
  }

  private async look(): Promise<DatabaseProblem | null> {
    const found = await this.probe();
    if (found !== this.last)
      this.log[found === null ? 'log' : 'error'](found === null ? 'the database accepts writes again' : found);
    this.last = found;
    return found;
  }

  private async probe(): Promise<DatabaseProblem | null> {
    try {
      await this.database.transaction(async () => {
        for (const statement of PROBE) await this.database.query(statement);
      });
      return null;
    } catch (error) {
      const trouble = databaseProblemOf(error);
      if (trouble === 'unreachable' && (await this.isDiskFull())) return 'disk_full';
      if (trouble !== undefined) return trouble;
      // A role without the right to create temporary tables learns of problems only from its requests.
      if (sqlState(error) === FORBIDDEN) return null;
      throw error;
    }
  }

  /** A server that stopped because its disk is full cannot report it; the files of an embedded one can be checked. */
  private async isDiskFull(): Promise<boolean> {
    const { DATABASE_URL, DATA_DIR } = this.settings;
    if (DATABASE_URL !== undefined) return false;
    const { bavail, bsize } = await statfs(DATA_DIR);
    return bavail * bsize < LEAST_FREE_BYTES;
  }
}
