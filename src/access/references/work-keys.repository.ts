import { Injectable } from '@nestjs/common';
import { partsOf } from '../../common/work-keys.js';
import { Database } from '../../platform/database/database.js';
import { isVisibleTo } from '../visibility/access-statements.js';
import type { Caller } from '../authentication/caller.js';
import { endeavoursOf } from '../visibility/visibility.js';

/** A task or demand to which a key leads. */
export interface KeyedEntity {
  key: string;
  id: string;
  /** Whether it is in one of the endeavours that the request names. */
  isNear: boolean;
  /** Whether it has another key now. */
  isFormer: boolean;
}

/** Keys lead to few entities each; a key of several tenants is ambiguous for administrators, however many there are. */
const MOST = 20;

/** Reads the keys of tasks and demands. */
@Injectable()
export class WorkKeysRepository {
  constructor(private readonly database: Database) {}

  /** The visible tasks and demands with these keys. */
  find(me: Caller, keys: readonly string[], endeavourIds: readonly string[]): Promise<KeyedEntity[]> {
    const parts = keys.map(partsOf);
    return this.database.query<KeyedEntity>(
      `SELECT wanted.key, found.* FROM unnest($2::text[], $3::text[], $4::integer[]) AS wanted (key, prefix, number)
       CROSS JOIN LATERAL (SELECT x.id, bool_or(k.endeavour_id = ANY($5::text[])) AS "isNear",
           bool_and(n.is_former OR e.key IS DISTINCT FROM k.key) AS "isFormer"
         FROM endeavour_keys k JOIN endeavours e ON e.id = k.endeavour_id
           JOIN work_numbers n ON n.endeavour_id = k.endeavour_id AND n.number = wanted.number
           JOIN entities x ON x.id = n.entity_id
         WHERE k.key = wanted.prefix ${isInSight(me)} AND ${isVisibleTo(me)}
         GROUP BY x.id ORDER BY "isNear" DESC, "isFormer", x.id LIMIT ${MOST}) found`,
      [me.userId, keys, parts.map(({ prefix }) => prefix), parts.map(({ number }) => number), endeavourIds],
    );
  }

  /** Numbers the next tasks and demands of a release without keys; returns whether there may be more. */
  async numberExisting(limit: number): Promise<boolean> {
    const row = await this.database.one<{ more: boolean }>('SELECT number_existing_work($1) AS more', [limit]);
    return row?.more === true;
  }
}

/** SQL: the caller sees the endeavour with the key; administrators see all. */
const isInSight = (me: Caller): string => (me.isAdmin ? '' : `AND k.endeavour_id = ANY(ARRAY(${endeavoursOf()}))`);
