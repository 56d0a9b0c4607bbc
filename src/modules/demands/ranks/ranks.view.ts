import { LONG_RANK, SHORT_RANK } from '../../../common/ranks.js';
import { text, type ViewField } from '../../../platform/database/views/view.js';
import type { Sort } from '../../../platform/listing/definition.js';

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

/** The next endeavour behind `$1` with long ranks, by an index that has only those. */
export const nextWithLong = (table: RankedTable): string =>
  `SELECT r.endeavour_id AS id FROM ${table} r
   WHERE char_length(r.rank) > ${LONG_RANK} AND r.endeavour_id > $1 ORDER BY r.endeavour_id LIMIT 1`;

/**
 * The first tasks or demands in a row whose ranks are not short, around one with a long rank, in their order; with the
 * short ranks before and behind them, null where there are none.
 */
export const longRun = (table: RankedTable): string => {
  const [rank, short] = [effectiveRank('r'), `char_length(${effectiveRank('r')}) <= ${SHORT_RANK}`];
  return `WITH long AS (
      SELECT min(${rank}) AS rank FROM ${table} r WHERE r.endeavour_id = $1 AND char_length(r.rank) > ${LONG_RANK}),
    ends AS (
      SELECT (SELECT max(${rank}) FROM ${table} r WHERE r.endeavour_id = $1 AND ${short} AND ${rank} < long.rank) AS lower,
        (SELECT min(${rank}) FROM ${table} r WHERE r.endeavour_id = $1 AND ${short} AND ${rank} > long.rank) AS upper
      FROM long WHERE long.rank IS NOT NULL)
    SELECT r.id, ${rank} AS rank, ends.lower, ends.upper FROM ends JOIN ${table} r ON r.endeavour_id = $1
      AND (ends.lower IS NULL OR ${rank} > ends.lower) AND (ends.upper IS NULL OR ${rank} < ends.upper)
    ORDER BY ${rank}, r.id`;
};

/** Locks those of the endeavour `$1` with the ids `$2` that no other transaction has locked, and counts them. */
export const lockUnlocked = (table: RankedTable): string =>
  `SELECT count(*)::integer AS count FROM (SELECT 1 FROM ${table} r
     WHERE r.endeavour_id = $1 AND r.id = ANY($2::text[]) FOR NO KEY UPDATE SKIP LOCKED) locked`;

/** Writes the ranks `$2` of the rows with the ids `$1`, without a new revision. */
export const writeRanks = (table: RankedTable): string =>
  `UPDATE ${table} r SET rank = fresh.rank FROM unnest($1::text[], $2::text[]) AS fresh (id, rank) WHERE r.id = fresh.id`;
