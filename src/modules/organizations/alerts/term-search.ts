/** Letters of scripts without spaces between words: every position between two of them is a word boundary. */
const UNSPACED = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;
const WORD = /[\p{L}\p{M}\p{N}_]/u;
const SPACE = /\s/u;
const EXCERPT_MARGIN = 60;

/** A text in lower case, with the origin of each unit. */
interface Folded {
  text: string;
  /** For each UTF-16 unit of `text`, the index of its code point in the original. */
  origin: number[];
  /** The code points of the original. */
  points: string[];
}

const ASCII_TEXT = /^[\0-\x7f]*$/;

/** A faster version of {@link foldText} for ASCII texts. */
function foldAscii(original: string): Folded {
  const origin: number[] = [];
  for (let at = 0; at < original.length; at++) {
    const isRepeatedSpace = at > 0 && isAsciiSpace(original, at) && isAsciiSpace(original, at - 1);
    if (!isRepeatedSpace) origin.push(at);
  }
  return { text: original.toLowerCase().replaceAll(/\s+/g, ' '), origin, points: original.split('') };
}

function isAsciiSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

/** Folds case by code point, so that a word is the same in every context; white space becomes one space. */
function foldText(original: string): Folded {
  if (ASCII_TEXT.test(original)) return foldAscii(original);
  const points = Array.from(original.normalize('NFC'));
  const origin: number[] = [];
  let text = '';
  points.forEach((point, index) => {
    const isSpace = SPACE.test(point);
    if (isSpace && text.endsWith(' ')) return;
    const folded = isSpace ? ' ' : point.toUpperCase().toLowerCase();
    text += folded;
    for (let unit = 0; unit < folded.length; unit++) origin.push(index);
  });
  return { text, origin, points };
}

/** The normalized form of a term, for searching and comparing. */
export const foldTerm = (term: string): string => foldText(term.trim()).text;

/**
 * Finds folded terms on word boundaries, each with its first position, in any script and ignoring case. Reads the text
 * once, regardless of the number of terms (Aho and Corasick, 1975).
 */
export function findTerms(text: string, foldedTerms: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  const folded = foldText(text);
  const units = folded.text;
  const possible = foldedTerms.filter((term) => term.length <= units.length);
  let state = automatonOf(possible);
  for (let at = 0; at < units.length && found.size < possible.length; at++) {
    state = next(state, units.charCodeAt(at));
    if (state.longest === undefined || !canEnd(folded, at)) continue;
    for (let match: State | undefined = state.longest; match?.term !== undefined; match = match.fallback?.longest) {
      const start = at + 1 - match.term.length;
      if (found.has(match.term) || !canBegin(folded, start)) continue;
      found.set(match.term, excerpt(folded, folded.origin[start], folded.origin[at] + 1));
    }
  }
  return found;
}

/** A state of the automaton: the longest prefix of a term that the text ends with. */
class State {
  /** The term that is complete in this state. */
  term: string | undefined = undefined;
  /** The state of the longest complete term that the text ends with. */
  longest: State | undefined = undefined;
  private following: Map<number, State> | undefined = undefined;

  /** `fallback` is the next shorter prefix that the text also ends with; the root has none. */
  constructor(public fallback: State | undefined) {}

  get children(): Iterable<[number, State]> {
    return this.following ?? [];
  }

  child(unit: number): State | undefined {
    return this.following?.get(unit);
  }

  addChild(unit: number, root: State): State {
    const child = new State(root);
    this.following ??= new Map<number, State>();
    this.following.set(unit, child);
    return child;
  }
}

function automatonOf(terms: readonly string[]): State {
  const root = new State(undefined);
  for (const term of terms) {
    let state = root;
    for (let at = 0; at < term.length; at++) {
      const unit = term.charCodeAt(at);
      state = state.child(unit) ?? state.addChild(unit, root);
    }
    state.term = term;
  }
  // The array grows during the iteration, so that states are visited in order of depth.
  const states = [root];
  for (const state of states) {
    state.longest = state.term === undefined ? state.fallback?.longest : state;
    for (const [unit, child] of state.children) {
      if (state.fallback !== undefined) child.fallback = next(state.fallback, unit);
      states.push(child);
    }
  }
  return root;
}

function next(from: State, unit: number): State {
  let state = from;
  for (;;) {
    const child = state.child(unit);
    if (child !== undefined) return child;
    if (state.fallback === undefined) return state;
    state = state.fallback;
  }
}

/**
 * Whether a term can begin at the unit of the folded text, but not within a letter that was folded to several units.
 */
function canBegin({ origin, points }: Folded, at: number): boolean {
  return origin[at - 1] !== origin[at] && isBoundary(points[origin[at] - 1], points[origin[at]]);
}

/** Whether a term can end with the unit of the folded text. */
function canEnd({ origin, points }: Folded, at: number): boolean {
  return origin[at + 1] !== origin[at] && isBoundary(points[origin[at]], points[origin[at] + 1]);
}

/** Whether a word can begin or end between two code points. */
const isBoundary = (left: string | undefined, right: string | undefined): boolean => !(joins(left) && joins(right));

const joins = (point: string | undefined): boolean => point !== undefined && WORD.test(point) && !UNSPACED.test(point);

function excerpt({ points }: Folded, from: number, to: number): string {
  const [start, end] = [Math.max(0, from - EXCERPT_MARGIN), Math.min(points.length, to + EXCERPT_MARGIN)];
  const passage = points.slice(start, end).join('').trim();
  return `${start > 0 ? '…' : ''}${passage}${end < points.length ? '…' : ''}`;
}
