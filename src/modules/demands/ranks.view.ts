import { text, type ViewField } from '../../platform/database/view.js';
import type { Sort } from '../../platform/listing/definition.js';

/** SQL for the rank of the task or demand in a row: where it was moved, else by its id. */
export const effectiveRank = (row: string): string => `(coalesce(${row}.rank, right(${row}.id, 32)) COLLATE "C")`;

export const rankField = (row: string): ViewField<string> =>
  text(
    effectiveRank(row),
    'Its place in the order of the backlog of its endeavour: compare ranks by their bytes. They have no other meaning.',
  );

export const rankSort = (row: string): Sort => ({ sql: effectiveRank(row), type: 'text' });

/** The tables of what has ranks. */
export type RankedTable = 'tasks' | 'demands';

const others = (table: RankedTable): string => `${table} r WHERE r.endeavour_id = $1 AND r.id <> $2`;

/** The first and the last rank of the other tasks or demands of the endeavour. */
export const endsOf = (table: RankedTable): string =>
  `SELECT min(${effectiveRank('r')}) AS first, max(${effectiveRank('r')}) AS last FROM ${others(table)}`;

/** The rank of one of them, and those next to it; no row if it is not in the endeavour. */
export const nextTo = (table: RankedTable): string =>
  `SELECT anchor.rank,
     (SELECT max(${effectiveRank('r')}) FROM ${others(table)} AND ${effectiveRank('r')} < anchor.rank) AS before,
     (SELECT min(${effectiveRank('r')}) FROM ${others(table)} AND ${effectiveRank('r')} > anchor.rank) AS after
   FROM (SELECT ${effectiveRank('a')} AS rank FROM ${table} a WHERE a.id = $3 AND a.endeavour_id = $1) anchor`;
