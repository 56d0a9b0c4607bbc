import { Injectable } from '@nestjs/common';
import { invalidField, invalidInput, referenceNotFound } from '../../../common/errors.js';
import { rankBefore, rankBehind, rankBetween, rankOfId } from '../../../common/ranks.js';
import { RankingsRepository } from './rankings.repository.js';
import type { RankedTable } from './ranks.view.js';

/** A place in the order: exactly one of the properties; the others are ids. */
export interface Place {
  before?: string;
  after?: string;
  first?: boolean;
  last?: boolean;
}

/** What is moved: its row and its table. */
export interface Ranked {
  table: RankedTable;
  row: { id: string; endeavourId: string; rank?: string | null };
}

/** Determines the ranks of tasks and demands that are moved in the backlog of their endeavour. */
@Injectable()
export class RankingsService {
  constructor(private readonly repository: RankingsRepository) {}

  /** The changes that move it; none if it is there already. The order of the endeavour stays until the commit. */
  async changesFor({ table, row }: Ranked, place: Place): Promise<{ rank?: string }> {
    assertOnePlace(place);
    if ((place.before ?? place.after) === row.id) return {};
    await this.repository.lock(table, row.endeavourId);
    const { lower, upper } = await this.placeOf({ table, row }, place);
    const rank = row.rank ?? rankOfId(row.id);
    if ((lower === null || rank > lower) && (upper === null || rank < upper)) return {};
    if (lower === null) return { rank: rankBefore(upper ?? rank) };
    return { rank: upper === null ? rankBehind(lower) : rankBetween(lower, upper) };
  }

  /** The ranks between which it comes; null where there are none. */
  private async placeOf(
    { table, row: { id, endeavourId } }: Ranked,
    { before, after, first }: Place,
  ): Promise<{ lower: string | null; upper: string | null }> {
    const other = before ?? after;
    if (other === undefined) {
      const ends = await this.repository.ends(table, endeavourId, id);
      return first === true ? { lower: null, upper: ends.first } : { lower: ends.last, upper: null };
    }
    const next = await this.repository.nextTo(table, endeavourId, id, other);
    if (next === undefined) throw invalidInput([referenceNotFound(before === undefined ? 'after' : 'before')]);
    return before === undefined ? { lower: next.rank, upper: next.after } : { lower: next.before, upper: next.rank };
  }
}

function assertOnePlace({ before, after, first, last }: Place): void {
  const places = [before !== undefined, after !== undefined, first === true, last === true];
  const isFalse = first === false || last === false;
  if (places.filter(Boolean).length === 1 && !isFalse) return;
  throw invalidField('before', 'required', 'One of before, after, first and last is required, and only one of them.');
}
