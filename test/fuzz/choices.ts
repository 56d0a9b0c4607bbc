import fc from 'fast-check';
import type { Kind } from '../../src/common/kinds.js';

/** What a plan leaves open until it is sent, because it depends on what was made before. */
export class Choice {
  constructor(
    readonly of: Kind[] | 'email' | 'code' | 'token' | 'cursor' | 'etag',
    /** Which of them. */
    readonly at: number,
    /** Whether it names what it should, or something absent, of another kind, or of another user. */
    readonly mood: Mood = 'fitting',
  ) {}
}

type Mood = 'fitting' | 'foreign' | 'absent' | 'otherKind';

/** JSON text that stands in a body as it is, well-formed or not. */
export class Raw {
  constructor(readonly text: string) {}
}

export const nat = fc.noBias(fc.nat({ max: 0xffff }));

const mood = fc.oneof(
  { weight: 88, arbitrary: fc.constant<Mood>('fitting') },
  { weight: 6, arbitrary: fc.constant<Mood>('foreign') },
  { weight: 3, arbitrary: fc.constant<Mood>('absent') },
  { weight: 3, arbitrary: fc.constant<Mood>('otherKind') },
);

/** An id of one of those kinds, most often of something that lives. */
export const idOf = (kinds: Kind[]): fc.Arbitrary<Choice> =>
  fc.tuple(nat, mood).map(([at, how]) => new Choice(kinds, at, how));

export const choiceOf = (what: Exclude<Choice['of'], Kind[]>): fc.Arbitrary<Choice> =>
  nat.map((at) => new Choice(what, at));

/** One of these with that share in a hundred, else the other. */
export function mostly<A, B>(share: number, usual: fc.Arbitrary<A>, other: fc.Arbitrary<B>): fc.Arbitrary<A | B> {
  return fc.oneof<fc.MaybeWeightedArbitrary<A | B>[]>(
    { weight: share, arbitrary: usual },
    { weight: 100 - share, arbitrary: other },
  );
}
