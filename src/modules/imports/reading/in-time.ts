import type { StoredLine } from '../imports.repository.js';

/** The time that a step takes at most, if its first lines tell: a request to cancel waits until it is over. */
const STEP_MS = 2_000;

interface Work {
  /** How much is done before it is measured how much more there is time for. */
  first: number;
  /** How much work a line is. */
  weightOf?: (line: StoredLine) => number;
  run: (lines: readonly StoredLine[]) => Promise<void>;
}

/** Processes the first lines, at least one, and as many more as the rest of the time is enough for; returns their number. */
export async function inTime(lines: readonly StoredLine[], { first, weightOf = () => 1, run }: Work): Promise<number> {
  const start = performance.now();
  let done = 0;
  let weight = 0;
  for (let most = first; done < lines.length;) {
    const next = leading(lines.slice(done), most, weightOf);
    if (next.length === 0 && done > 0) break;
    const chosen = next.length > 0 ? next : lines.slice(0, 1);
    await run(chosen);
    done += chosen.length;
    weight += chosen.reduce((sum, line) => sum + weightOf(line), 0);
    const elapsed = performance.now() - start;
    most = Math.floor(((STEP_MS - elapsed) / elapsed) * weight);
  }
  return done;
}

/** The first lines whose work together is not more. */
function leading(lines: readonly StoredLine[], most: number, weightOf: (line: StoredLine) => number): StoredLine[] {
  let weight = 0;
  const end = lines.findIndex((line) => (weight += weightOf(line)) > most);
  return lines.slice(0, end === -1 ? lines.length : end);
}
