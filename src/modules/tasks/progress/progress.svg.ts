import { clipped } from '../../../common/clipped.js';
import type { TaskStatus } from '../../../common/statuses.js';
import { escapeXml } from '../../../common/xml.js';
import {
  CHART_STYLE,
  dateLabels,
  gridLines,
  IN_PAGE,
  toTenth,
  scaleFor,
  type ChartLayout,
  type Scale,
} from './chart.svg.js';
import { ENGLISH_STATUSES, type StatusNames } from '../status-names.js';
import type { Measure, ProgressDay } from './progress.rules.js';

const STANDALONE: ChartLayout = {
  width: 760,
  height: 400,
  plot: { left: 76, top: 64, right: 720, bottom: 340 },
  mostDates: 7,
};
const MAX_TITLE_LETTERS = 70;

const UNITS: Record<Measure, string> = { count: 'Tasks', hours: 'Hours', points: 'Points' };

/** The stacking order from the bottom up: closed tasks first, because their number rarely decreases. */
const BANDS: readonly TaskStatus[] = ['done', 'canceled', 'active', 'planned'];

/** The horizontal positions of the intervals. */
const positionsOf = (count: number, { plot }: ChartLayout): number[] =>
  Array.from({ length: count }, (_, n) => toTenth(plot.left + ((plot.right - plot.left) * n) / Math.max(count - 1, 1)));

function bands(intervals: readonly ProgressDay[], names: StatusNames, { y }: Scale, layout: ChartLayout): string[] {
  const points = intervals.length === 1 ? [intervals[0], intervals[0]] : intervals;
  const xs = positionsOf(points.length, layout);
  let floor = points.map(() => 0);
  return BANDS.map((status) => {
    const ceiling = floor.map((tasks, n) => tasks + points[n][status]);
    const upper = xs.map((x, n) => `${x} ${y(ceiling[n])}`);
    const lower = xs.map((x, n) => `${x} ${y(floor[n])}`).toReversed();
    floor = ceiling;
    return `<path class="${status}" d="M${[...upper, ...lower].join('L')}Z"><title>${escapeXml(names[status])}</title></path>`;
  });
}

function legend({ plot }: ChartLayout): string[] {
  return BANDS.toReversed().map((status, n) => {
    const x = plot.left + n * 100;
    return `<rect class="${status}" x="${x}" y="40" width="12" height="12"/><text x="${x + 18}" y="50">${status}</text>`;
  });
}

/** The stacked areas with scale and dates. */
function renderPlot(intervals: readonly ProgressDay[], names: StatusNames, layout: ChartLayout): string {
  const most = Math.max(...intervals.map((day) => BANDS.reduce((sum, status) => sum + day[status], 0)));
  const scale = scaleFor(most, layout);
  const dates = intervals.map(({ date }) => date);
  return [
    ...bands(intervals, names, scale, layout),
    ...gridLines(scale, layout),
    ...dateLabels(dates, positionsOf(dates.length, layout), layout),
  ].join('\n');
}

/** The cumulative flow as a stand-alone SVG without scripts or external resources. */
export function progressSvg(name: string, intervals: readonly ProgressDay[], measure: Measure): string {
  const { width, height, plot } = STANDALONE;
  const title = `Cumulative flow of ${name}`;
  const middle = (plot.top + plot.bottom) / 2;
  return `<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>${escapeXml(title)}</title>
<style>${CHART_STYLE}
</style>
<text class="title" x="${plot.left}" y="26">${escapeXml(clipped(title, MAX_TITLE_LETTERS))}</text>
${legend(STANDALONE).join('\n')}
${renderPlot(intervals, ENGLISH_STATUSES, STANDALONE)}
<text x="${(plot.left + plot.right) / 2}" y="${height - 16}" text-anchor="middle">Date</text>
<text transform="translate(18 ${middle}) rotate(-90)" text-anchor="middle">${UNITS[measure]}</text>
</svg>
`;
}

/** The cumulative flow as SVG for a page that includes {@link CHART_STYLE} and a legend. */
export function inlineProgressSvg(title: string, intervals: readonly ProgressDay[], names: StatusNames): string {
  const { width, height } = IN_PAGE;
  return `<svg class="chart part" role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>${escapeXml(title)}</title>
${renderPlot(intervals, names, IN_PAGE)}
</svg>`;
}
