/** Letters of scripts that put no spaces between words: a boundary is wherever one begins or ends. */
const UNSPACED = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;
const WORD = /[\p{L}\p{M}\p{N}_]/u;
const AROUND = 60;

/** A text without regard to case, and where each of its units came from. */
interface Folded {
  text: string;
  /** For each UTF-16 unit of `text` the index of the code point of the original that it stands for. */
  origin: number[];
  /** The code points of the original. */
  points: string[];
}

/** Case is folded code point by code point, so that a word reads the same wherever it stands; white space is one space. */
function foldText(original: string): Folded {
  const points = Array.from(original.normalize('NFC'));
  const origin: number[] = [];
  let text = '';
  points.forEach((point, index) => {
    const isSpace = /\s/u.test(point);
    if (isSpace && text.endsWith(' ')) return;
    const folded = isSpace ? ' ' : point.toUpperCase().toLowerCase();
    text += folded;
    for (let unit = 0; unit < folded.length; unit++) origin.push(index);
  });
  return { text, origin, points };
}

/** The form of a term in which it is looked for and compared with others. */
export const foldTerm = (term: string): string => foldText(term.trim()).text;

/**
 * Finds, of folded terms, those that stand in the text on word boundaries, each with the first place where it does.
 * Case does not matter, in any script.
 */
export function findTerms(text: string, foldedTerms: readonly string[]): Map<string, string> {
  const folded = foldText(text);
  const found = new Map<string, string>();
  for (const term of foldedTerms) {
    const at = firstAt(folded, term);
    if (at !== undefined) found.set(term, excerpt(folded, at.from, at.to));
  }
  return found;
}

/** The first occurrence, as code points `from` (inclusive) to `to` (exclusive) of the original. */
function firstAt(folded: Folded, term: string): { from: number; to: number } | undefined {
  const { text, origin, points } = folded;
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) {
    const end = at + term.length;
    const from = origin[at];
    const to = origin[end - 1] + 1;
    const isWhole = origin[at - 1] !== from && origin[end] !== to - 1;
    if (isWhole && isBoundary(points[from - 1], points[from]) && isBoundary(points[to - 1], points[to])) {
      return { from, to };
    }
  }
  return undefined;
}

/** Whether a word can begin or end between two code points. */
const isBoundary = (left: string | undefined, right: string | undefined): boolean => !(joins(left) && joins(right));

const joins = (point: string | undefined): boolean => point !== undefined && WORD.test(point) && !UNSPACED.test(point);

function excerpt({ points }: Folded, from: number, to: number): string {
  const [start, end] = [Math.max(0, from - AROUND), Math.min(points.length, to + AROUND)];
  const cut = points.slice(start, end).join('').trim();
  return `${start > 0 ? '…' : ''}${cut}${end < points.length ? '…' : ''}`;
}
