import { ApiError } from './errors.js';

/**
 * A status machine as a table, which is checked on load: a transition to an unknown status or an unreachable status is
 * a programming error.
 */
export class Lifecycle<S extends string> {
  readonly statuses: readonly S[];

  constructor(
    readonly initial: S,
    private readonly moves: Readonly<Record<S, readonly S[]>>,
  ) {
    this.statuses = Object.keys(moves) as S[];
    const reached = new Set<S>([initial]);
    for (const from of reached) {
      for (const to of moves[from]) {
        if (!(to in moves)) throw new Error(`lifecycle: ${from} leads to ${to}, which is not a status of the table`);
        reached.add(to);
      }
    }
    const lost = this.statuses.filter((status) => !reached.has(status));
    if (lost.length > 0) throw new Error(`lifecycle: no transition leads to ${lost.join(', ')}`);
  }

  /** The statuses that can follow, in the order of the table. */
  from(status: S): readonly S[] {
    return this.moves[status];
  }

  allows(from: S, to: S): boolean {
    return this.moves[from].includes(to);
  }

  /** Rejects a transition that the table does not contain. */
  assertMove(from: S, to: S): void {
    if (this.allows(from, to)) return;
    const allowed = this.from(from);
    throw new ApiError(
      'invalid_transition',
      `The status cannot change from ${from} to ${to}; allowed: ${allowed.join(', ') || 'none'}.`,
      { from, to, allowed },
    );
  }

  /** The CHECK constraint that repeats the set of statuses in the database. */
  check(column = 'status'): string {
    return `${column} IN (${this.statuses.map((status) => `'${status}'`).join(', ')})`;
  }
}
