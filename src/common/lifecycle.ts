import { ApiError } from './errors.js';

/**
 * A state machine as a table of transitions. The constructor throws for a transition to an unknown status and for an
 * unreachable status.
 */
export class Lifecycle<S extends string> {
  readonly statuses: readonly S[];

  constructor(
    readonly initial: S,
    private readonly transitions: Readonly<Record<S, readonly S[]>>,
  ) {
    this.statuses = Object.keys(transitions) as S[];
    const reached = new Set<S>([initial]);
    for (const from of reached) {
      for (const to of transitions[from]) {
        if (!(to in transitions))
          throw new Error(`lifecycle: ${from} leads to ${to}, which is not a status of the table`);
        reached.add(to);
      }
    }
    const unreachable = this.statuses.filter((status) => !reached.has(status));
    if (unreachable.length > 0) throw new Error(`lifecycle: no transition leads to ${unreachable.join(', ')}`);
  }

  /** The possible next statuses, in the order of the table. */
  from(status: S): readonly S[] {
    return this.transitions[status];
  }

  allows(from: S, to: S): boolean {
    return this.transitions[from].includes(to);
  }

  /** The statuses on the shortest way to another one; none if it is the same. */
  steps(from: S, to: S): S[] {
    let ways: S[][] = [[from]];
    for (let length = 0; length < this.statuses.length; length++) {
      const found = ways.find((way) => way.at(-1) === to);
      if (found !== undefined) return found.slice(1);
      ways = ways.flatMap((way) => this.from(way[way.length - 1]).map((next) => [...way, next]));
    }
    return [to];
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

  /** The CHECK constraint for the column with the status. */
  check(column = 'status'): string {
    return `${column} IN (${this.statuses.map((status) => `'${status}'`).join(', ')})`;
  }
}
