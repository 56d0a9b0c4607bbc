import fc from 'fast-check';
import type { Kind } from '../../src/common/kinds.js';

/** A value that a plan leaves open until it is sent, because it depends on earlier responses. */
export class Placeholder {
  constructor(
    readonly of: Kind[] | 'email' | 'code' | 'token' | 'cursor' | 'etag',
    /** Selects one of the known values. */
    readonly at: number,
    /** Whether an id fits, or belongs to another tenant, to nothing, or to an entity of another kind. */
    readonly mode: IdMode = 'fitting',
  ) {}
}

type IdMode = 'fitting' | 'foreign' | 'absent' | 'otherKind';

/** JSON text that becomes part of a body unchanged, well-formed or not. */
export class Raw {
  constructor(readonly text: string) {}
}

export const nat = fc.noBias(fc.nat({ max: 0xffff }));

const idMode = fc.oneof(
  { weight: 88, arbitrary: fc.constant<IdMode>('fitting') },
  { weight: 6, arbitrary: fc.constant<IdMode>('foreign') },
  { weight: 3, arbitrary: fc.constant<IdMode>('absent') },
  { weight: 3, arbitrary: fc.constant<IdMode>('otherKind') },
);

/** An id of one of the kinds, usually of an existing entity. */
export const idOf = (kinds: Kind[]): fc.Arbitrary<Placeholder> =>
  fc.tuple(nat, idMode).map(([at, mode]) => new Placeholder(kinds, at, mode));

export const placeholderOf = (what: Exclude<Placeholder['of'], Kind[]>): fc.Arbitrary<Placeholder> =>
  nat.map((at) => new Placeholder(what, at));

/** The usual value in `share` of a hundred cases, else the other. */
export function mostly<A, B>(share: number, usual: fc.Arbitrary<A>, other: fc.Arbitrary<B>): fc.Arbitrary<A | B> {
  return fc.oneof<fc.MaybeWeightedArbitrary<A | B>[]>(
    { weight: share, arbitrary: usual },
    { weight: 100 - share, arbitrary: other },
  );
}
