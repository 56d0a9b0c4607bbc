import { escapeXml } from '../../../common/xml.js';
import type { TaskStatus } from '../../../common/statuses.js';
import type { ProgressDay } from './progress.rules.js';

const SIZE = { width: 760, height: 400 };
const PLOT = { left: 76, top: 64, right: 720, bottom: 340 };
const MOST_LABELS = 7;
const LINES = 4;

/** From the bottom up, as they are stacked: what is over lies at the bottom, and only grows unless it is reopened. */
const BANDS: readonly TaskStatus[] = ['done', 'canceled', 'active', 'planned'];

const STYLE = `
  svg { color-scheme: light dark; font: 12px system-ui, sans-serif; background: #fff; }
  text { fill: #1c1e21; }
  .title { font-size: 16px; font-weight: 600; }
  .grid { stroke: #d5d9de; }
  .axis { stroke: #5f666d; }
  .done { fill: #2e7d4f; } .canceled { fill: #9aa1a9; } .active { fill: #1f6feb; } .planned { fill: #e3a008; }
  @media (prefers-color-scheme: dark) {
    svg { background: #16181b; }
    text { fill: #e4e6e9; }
    .grid { stroke: #3a4047; }
    .axis { stroke: #a0a7af; }
    .done { fill: #57ab7a; } .canceled { fill: #6b727a; } .active { fill: #539bf5; } .planned { fill: #daaa3f; }
  }`;

/** The least of 1, 2 and 5 times a power of ten by which so many lines reach the value. */
function stepFor(value: number): number {
  const least = Math.max(value, 1) / LINES;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= least) ?? least;
  return Math.max(step, 1);
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** Where a number of tasks is, from the top. */
const heights = (top: number) => (tasks: number) => round(PLOT.bottom - (tasks / top) * (PLOT.bottom - PLOT.top));

/** Where intervals are, from the left; a single one is as wide as the picture. */
const placesOf = (count: number): number[] =>
  Array.from({ length: count }, (_, n) => round(PLOT.left + ((PLOT.right - PLOT.left) * n) / Math.max(count - 1, 1)));

function bands(intervals: readonly ProgressDay[], y: (tasks: number) => number): string[] {
  const shown = intervals.length === 1 ? [intervals[0], intervals[0]] : intervals;
  const xs = placesOf(shown.length);
  let floor = shown.map(() => 0);
  return BANDS.map((status) => {
    const ceiling = floor.map((tasks, n) => tasks + shown[n][status]);
    const upper = xs.map((x, n) => `${x} ${y(ceiling[n])}`);
    const lower = xs.map((x, n) => `${x} ${y(floor[n])}`).toReversed();
    floor = ceiling;
    return `<path class="${status}" d="M${[...upper, ...lower].join('L')}Z"><title>${status}</title></path>`;
  });
}

function lines(step: number, top: number, y: (tasks: number) => number): string[] {
  return Array.from({ length: Math.round(top / step) + 1 }, (_, n) => {
    const at = y(n * step);
    const label = `<text x="${PLOT.left - 8}" y="${at + 4}" text-anchor="end">${n * step}</text>`;
    return `<path class="${n === 0 ? 'axis' : 'grid'}" d="M${PLOT.left} ${at}H${PLOT.right}"/>${label}`;
  });
}

function dates(intervals: readonly ProgressDay[]): string[] {
  const xs = placesOf(intervals.length);
  const every = Math.ceil(intervals.length / MOST_LABELS);
  return intervals.flatMap(({ date }, n) =>
    n % every === 0 ? [`<text x="${xs[n]}" y="${PLOT.bottom + 18}" text-anchor="middle">${date}</text>`] : [],
  );
}

function legend(): string[] {
  return BANDS.toReversed().map((status, n) => {
    const x = PLOT.left + n * 100;
    return `<rect class="${status}" x="${x}" y="40" width="12" height="12"/><text x="${x + 18}" y="50">${status}</text>`;
  });
}

/** The cumulative flow as a picture of its own: no script, nothing from elsewhere, every text escaped. */
export function progressSvg(name: string, intervals: readonly ProgressDay[]): string {
  const most = Math.max(...intervals.map((day) => BANDS.reduce((sum, status) => sum + day[status], 0)));
  const step = stepFor(most);
  const top = Math.max(Math.ceil(most / step), 1) * step;
  const y = heights(top);
  const title = `Cumulative flow of ${name}`;
  const middle = (PLOT.top + PLOT.bottom) / 2;
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="title" width="${SIZE.width}" height="${SIZE.height}" viewBox="0 0 ${SIZE.width} ${SIZE.height}">
<title id="title">${escapeXml(title)}</title>
<style>${STYLE}
</style>
<text class="title" x="${PLOT.left}" y="26">${escapeXml(shortened(title))}</text>
${legend().join('\n')}
${bands(intervals, y).join('\n')}
${lines(step, top, y).join('\n')}
${dates(intervals).join('\n')}
<text x="${(PLOT.left + PLOT.right) / 2}" y="${SIZE.height - 16}" text-anchor="middle">Date</text>
<text transform="translate(18 ${middle}) rotate(-90)" text-anchor="middle">Tasks</text>
</svg>
`;
}

const LETTERS = 70;

function shortened(text: string): string {
  const letters = Array.from(text);
  return letters.length <= LETTERS ? text : `${letters.slice(0, LETTERS - 1).join('')}…`;
}
