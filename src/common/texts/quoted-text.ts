const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const QUOTE = /^ {0,3}>/;

/**
 * Returns a Markdown text without what its author only shows: fenced blocks, code spans and quoted lines. Each is replaced
 * by a line break, which no name crosses.
 */
export function withoutQuotes(markdown: string): string {
  const kept: string[] = [];
  let fence: string | undefined;
  for (const line of markdown.split('\n')) {
    const marker = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      if (marker !== undefined && marker[0] === fence[0] && marker.length >= fence.length) fence = undefined;
      kept.push('');
    } else if (marker !== undefined || QUOTE.test(line)) {
      fence = marker;
      kept.push('');
    } else {
      kept.push(line);
    }
  }
  return withoutCodeSpans(kept.join('\n'));
}

/** A code span ends at the next run of as many backticks as it begins with; the time is linear in the text. */
function withoutCodeSpans(text: string): string {
  const runs = [...text.matchAll(/`+/g)].map(({ 0: run, index }) => ({ start: index, length: run.length }));
  const nextOfLength = nextRuns(runs.map(({ length }) => length));
  let kept = '';
  let from = 0;
  for (let opening = 0; opening < runs.length; opening += 1) {
    const closing = nextOfLength[opening];
    if (closing === undefined) continue;
    kept += `${text.slice(from, runs[opening].start)}\n`;
    from = runs[closing].start + runs[closing].length;
    opening = closing;
  }
  return kept + text.slice(from);
}

/** For each run, the index of the next one of the same length; undefined if there is none. */
function nextRuns(lengths: readonly number[]): (number | undefined)[] {
  const latest = new Map<number, number>();
  const next: (number | undefined)[] = Array.from({ length: lengths.length });
  for (let index = lengths.length - 1; index >= 0; index -= 1) {
    next[index] = latest.get(lengths[index]);
    latest.set(lengths[index], index);
  }
  return next;
}
