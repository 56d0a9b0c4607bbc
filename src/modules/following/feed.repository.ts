import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { Database } from '../../platform/database/database.js';
import { sqlState } from '../../platform/database/faults.js';
import { FeedStatement, WOKEN, type Page } from './feed-statement.js';

/** A page of the feed as the statement yields it. */
export interface FeedPage {
  /** The last assigned sequence when the page was read, and the last removed one. */
  head: number;
  dropped: number;
  /** How far was looked where there is more behind. */
  edge: number | null;
  /** How many entries were found, one more than wanted at most, and the last of those wanted. */
  picked: number;
  last: number | null;
  /** Events as JSON, and the sequence of each. */
  items: string[];
  sequences: number[];
}

const CANCELED = '57014';
const BACKLOG_TIME = '30min';

/** Reads the feed, and gives events their place in it. */
@Injectable()
export class FeedRepository {
  constructor(private readonly database: Database) {}

  /** Gives every committed event its sequence; answers with the last one. */
  async number(): Promise<number> {
    try {
      return await this.run();
    } catch (error) {
      if (sqlState(error) !== CANCELED) throw error;
      // The backlog can take longer than the time limit for statements of a request.
      return this.database.unconfined(() =>
        this.database.transaction(async () => {
          await this.database.query(`SET LOCAL statement_timeout = '${BACKLOG_TIME}'`);
          return this.run();
        }),
      );
    }
  }

  private async run(): Promise<number> {
    // All users read what is numbered here, so the restriction of a token must not apply.
    const row = await this.database.unconfined(() =>
      this.database.one<{ head: string }>('SELECT number_events() AS head'),
    );
    return Number(row?.head);
  }

  async page(me: Caller, page: Page): Promise<FeedPage> {
    const statement = new FeedStatement(me, page);
    const row = await this.database.one<FeedPage>(statement.text(), statement.values);
    if (row === undefined) throw new Error('the feed statement returned no row');
    return row;
  }

  /** Of these users, those who may be affected by events after one sequence and up to another. */
  async concerned(after: number, upTo: number, userIds: string[]): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(WOKEN, [after, upTo, userIds]);
    return rows.map(({ id }) => id);
  }
}
