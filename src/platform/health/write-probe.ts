import { statfs } from 'node:fs/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { Database } from '../database/database.js';
import { sqlState, databaseProblemOf, type DatabaseProblem } from '../database/connections/driver-errors.js';

/** The time for which a result is reused, without and with a problem. */
const HEALTHY_MS = 10_000;
const UNHEALTHY_MS = 1_000;
/** PostgreSQL allocates write-ahead log files of this size, and stops if it cannot. */
const MIN_FREE_BYTES = 16 * 1024 * 1024;
const FORBIDDEN = '42501';

/** Write as much as a busy second, to a table that exists only in this transaction. */
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
  private result: Promise<DatabaseProblem | null> | undefined;
  private validUntil = 0;
  private last: DatabaseProblem | null = null;

  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /** The problem that keeps the database from writing, or null; throws other errors. */
  currentProblem(): Promise<DatabaseProblem | null> {
    if (this.result === undefined || performance.now() > this.validUntil) {
      this.validUntil = Infinity;
      this.result = this.probeAndLog().finally(() => {
        this.validUntil = performance.now() + (this.last === null ? HEALTHY_MS : UNHEALTHY_MS);
      });
    }
    return this.result;
  }

  private async probeAndLog(): Promise<DatabaseProblem | null> {
    const problem = await this.probe();
    if (problem !== this.last)
      this.log[problem === null ? 'log' : 'error'](problem === null ? 'the database accepts writes again' : problem);
    this.last = problem;
    return problem;
  }

  private async probe(): Promise<DatabaseProblem | null> {
    try {
      await this.database.transaction(async () => {
        for (const statement of PROBE) await this.database.query(statement);
      });
      return null;
    } catch (error) {
      const problem = databaseProblemOf(error);
      if (problem === 'unreachable' && (await this.isDiskFull())) return 'disk_full';
      if (problem !== undefined) return problem;
      // Without the right to create temporary tables, problems are only noticed by requests.
      if (sqlState(error) === FORBIDDEN) return null;
      throw error;
    }
  }

  /** A server that stopped because its disk is full cannot report it; the files of an embedded one can be checked. */
  private async isDiskFull(): Promise<boolean> {
    const { DATABASE_URL, DATA_DIR } = this.settings;
    if (DATABASE_URL !== undefined) return false;
    const { bavail, bsize } = await statfs(DATA_DIR);
    return bavail * bsize < MIN_FREE_BYTES;
  }
}
