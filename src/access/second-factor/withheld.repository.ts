import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { Caller } from '../authentication/caller.js';

/** Reads what organizations that require a second factor withhold from a caller. */
@Injectable()
export class WithheldRepository {
  constructor(private readonly database: Database) {}

  /** Whether one of the ids is that of something which the caller would reach after a sign-in with the required provider. */
  async isUnreached({ userId, unreachedId }: Caller, ids: readonly string[]): Promise<boolean> {
    if (unreachedId === undefined) return false;
    const row = await this.database.one<{ isNamed: boolean }>('SELECT names_within($1, $2, $3) AS "isNamed"', [
      userId,
      ids,
      unreachedId,
    ]);
    return row?.isNamed === true;
  }

  /** Whether one of the ids is that of something which the caller would reach with a second factor. */
  async isAmong({ userId, provedTo, isHeldBack }: Caller, ids: readonly string[]): Promise<boolean> {
    if (isHeldBack !== true) return false;
    const row = await this.database.one<{ isNamed: boolean }>('SELECT names_withheld($1, $2, $3) AS "isNamed"', [
      userId,
      ids,
      provedTo ?? null,
    ]);
    return row?.isNamed === true;
  }
}
