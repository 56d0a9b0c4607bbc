/** Variables of other programs resemble shorter settings by chance. */
const MIN_LENGTH = 6;
const PREFIX = 'WORKSMITH_';

/** Environment variables that resemble a setting without being one, each as a sentence. */
export function misspeltNames(environment: NodeJS.ProcessEnv, known: string[]): string[] {
  return Object.keys(environment)
    .filter((name) => !known.includes(name) && !/^npm_/i.test(name))
    .flatMap((name) => {
      const meant = known.find((setting) => resembles(name, setting));
      if (meant !== undefined) return [`${name} is not a setting; use ${meant} instead`];
      return name.startsWith('LIMIT_') || name.startsWith(PREFIX) ? [`${name} is not a setting`] : [];
    });
}

function resembles(name: string, setting: string): boolean {
  if (name === PREFIX + setting) return true;
  if (setting.length < MIN_LENGTH) return false;
  const [actual, expected] = [name, setting].map((text) => text.replaceAll(/[_-]/g, '').toUpperCase());
  if (actual === expected) return true;
  const max = setting.length < 8 ? 1 : 2;
  return Math.abs(actual.length - expected.length) <= max && distance(actual, expected) <= max;
}

/** The edit distance of two texts: insertions, deletions, substitutions, and swaps of neighbouring letters. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, changed, isSwapped ? before[j - 2] + 1 : Infinity);
    }
    [before, row] = [row, next];
  }
  return row[b.length];
}
