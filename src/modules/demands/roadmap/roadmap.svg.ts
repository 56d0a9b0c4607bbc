import { clipped } from '../../../common/texts/clipped.js';
import { escapeXml } from '../../../common/texts/xml.js';
import type { Roadmap } from './roadmap.rules.js';

const ROW = 24;
const TOP = 64;
const WIDTH = 960;
const PLOT = { left: 300, right: 930 };
const LABEL_LETTERS = 38;
const MAX_TITLE_LETTERS = 90;
const TICKS = 7;
const DAY_MS = 86_400_000;

const STYLE = `
  .roadmap { color-scheme: light dark; font: 13px system-ui, sans-serif; }
  .roadmap text { fill: #1c1e21; }
  .roadmap .title { font-size: 16px; font-weight: 600; }
  .roadmap line { stroke: #d5d9dd; }
  .roadmap .goal { fill: #b3261e; }
  .roadmap .iteration { fill: #9aa5b1; }
  .roadmap .demand { fill: #2f6fb3; }
  .roadmap .over { opacity: .5; }
  @media screen and (prefers-color-scheme: dark) {
    .roadmap text { fill: #e4e6e9; }
    .roadmap line { stroke: #3c434a; }
  }`;

/** A line of the picture: from its first day to its last one; without days it has only its label. */
interface Line {
  kind: 'goal' | 'iteration' | 'demand';
  label: string;
  first: string | null;
  last: string | null;
  /** Whether it is achieved, fulfilled, canceled or closed. */
  isOver: boolean;
}

const numberOf = (day: string): number => Date.parse(day) / DAY_MS;
const dayOf = (number: number): string => new Date(Math.round(number) * DAY_MS).toISOString().slice(0, 10);

function linesOf({ goals, iterations, demands }: Roadmap): Line[] {
  return [
    ...goals.map(({ title, status, due_day: day, tasks, demands: served }): Line => {
      const [open, done] = [tasks.open + served.open, tasks.done + served.done];
      const label = `${title} (${done} of ${open + done})`;
      return { kind: 'goal', label, first: day, last: day, isOver: status !== 'open' };
    }),
    ...iterations.map(({ name, status, start_day: first, end_day: last }): Line => {
      return { kind: 'iteration', label: name, first, last, isOver: status === 'closed' };
    }),
    ...demands.map(({ key, title, status, start_date: start, due_day: due }): Line => {
      const label = key === null ? title : `${key} ${title}`;
      const isOver = status === 'fulfilled' || status === 'canceled';
      return { kind: 'demand', label, first: start ?? due, last: due ?? start, isOver };
    }),
  ];
}

/** The horizontal position of days; the last day ends at the right edge. */
function scaleOf(lines: readonly Line[]): { first: number; days: number; x: (day: number) => number } {
  const days = lines.flatMap(({ first, last }) => [first, last].filter((day) => day !== null).map(numberOf));
  const first = days.length === 0 ? 0 : Math.min(...days);
  const length = days.length === 0 ? 1 : Math.max(...days) - first + 1;
  const x = (day: number): number =>
    Math.round((PLOT.left + ((day - first) / length) * (PLOT.right - PLOT.left)) * 10) / 10;
  return { first, days: days.length === 0 ? 0 : length, x };
}

function shapeOf({ kind, first, last, isOver }: Line, y: number, x: (day: number) => number): string {
  if (first === null || last === null) return '';
  const classes = isOver ? `${kind} over` : kind;
  const [left, right] = [x(numberOf(first)), x(numberOf(last) + 1)];
  if (kind === 'goal') {
    const middle = (left + right) / 2;
    return `<path class="${classes}" d="M${middle} ${y - 8}L${middle + 8} ${y}L${middle} ${y + 8}L${middle - 8} ${y}Z"/>`;
  }
  const width = Math.max(3, Math.round((right - left) * 10) / 10);
  return `<rect class="${classes}" x="${left}" y="${y - 7}" width="${width}" height="14" rx="3"/>`;
}

/** The roadmap as a stand-alone SVG without scripts or external resources: a line for each goal, iteration and demand. */
export function roadmapSvg(name: string, roadmap: Roadmap): string {
  const lines = linesOf(roadmap);
  const { first, days, x } = scaleOf(lines);
  const height = TOP + lines.length * ROW + 40;
  const count = Math.min(TICKS, days);
  const ticks = Array.from({ length: count }, (_, n) => first + Math.floor((days * n) / count)).map((day) => {
    const at = x(day);
    return `<line x1="${at}" y1="${TOP - 8}" x2="${at}" y2="${height - 32}"/><text x="${at}" y="${TOP - 14}">${dayOf(day)}</text>`;
  });
  const rows = lines.map((line, n) => {
    const y = TOP + n * ROW + ROW / 2;
    const label = `<text x="16" y="${y + 4}">${escapeXml(clipped(line.label, LABEL_LETTERS))}</text>`;
    return `<g><title>${escapeXml(line.label)}</title>${label}${shapeOf(line, y, x)}</g>`;
  });
  const title = `Roadmap of ${name}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" class="roadmap" role="img" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}">
<title>${escapeXml(title)}</title>
<style>${STYLE}
</style>
<text class="title" x="16" y="26">${escapeXml(clipped(title, MAX_TITLE_LETTERS))}</text>
${[...ticks, ...rows].join('\n')}
<text x="16" y="${height - 12}">${omittedText(roadmap)}</text>
</svg>
`;
}

function omittedText({ omitted }: Roadmap): string {
  const left = Object.entries(omitted).filter(([, count]) => count > 0);
  return left.length === 0 ? '' : `Left out: ${left.map(([kind, count]) => `${count} ${kind}`).join(', ')}`;
}
