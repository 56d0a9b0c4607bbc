/** The metrics of a worker in the OpenMetrics format. */
export interface MeasuredWorker {
  number: number;
  text: string;
}

const END = '# EOF';
const COMMENT = /^# (?:TYPE|HELP|UNIT) (\w+) /;
const SAMPLE = /^(\w+)(\{)?/;

/** A metric: its comments, and its samples of all workers, which the format keeps together. */
interface Family {
  comments: string[];
  samples: string[];
}

/**
 * Unites the metrics of workers: their samples get a label `worker`. They are not added up, because a counter would then
 * jump when a worker is replaced.
 */
export function uniteMetrics(workers: readonly MeasuredWorker[]): string {
  const families = new Map<string, Family>();
  for (const { number, text } of workers) addTo(families, number, text);
  const lines = [...families.values()].flatMap(({ comments, samples }) => [...comments, ...samples]);
  return [...lines, END, ''].join('\n');
}

function addTo(families: Map<string, Family>, number: number, text: string): void {
  const seen = new Set(families.keys());
  let family: Family = { comments: [], samples: [] };
  for (const line of text.split('\n')) {
    const [, name] = COMMENT.exec(line) ?? [];
    if (name !== undefined) {
      family = families.get(name) ?? { comments: [], samples: [] };
      families.set(name, family);
      if (!seen.has(name)) family.comments.push(line);
    } else if (line !== '' && line !== END) {
      family.samples.push(labelled(line, number));
    }
  }
}

/** The sample with the label first; an exemplar at its end has labels of its own. */
const labelled = (sample: string, number: number): string =>
  sample.replace(SAMPLE, (_, name: string, brace?: string) =>
    brace === undefined ? `${name}{worker="${number}"}` : `${name}{worker="${number}",`,
  );
