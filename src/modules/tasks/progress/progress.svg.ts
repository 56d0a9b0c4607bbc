import { clipped } from '../../../common/texts/clipped.js';
import type { TaskStatus } from '../../../common/statuses.js';
import { escapeXml } from '../../../common/texts/xml.js';
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
import type { Measure, ProgressDay, StageFlow } from './progress.rules.js';
import { shadesOf } from './stage-shades.js';

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

/** An area of the chart: the size of the tasks in a status or a stage at the end of each interval. */
interface Band {
  color: string;
  opacity: number;
  name: string;
  sizes: readonly number[];
}

/** What a chart shows: by status or, with stages, by stage. Canceled tasks are in no stage. */
export interface Flow {
  intervals: readonly ProgressDay[];
  stages?: readonly StageFlow[] | null;
}

const statusBands = (intervals: readonly ProgressDay[], names: StatusNames): Band[] =>
  BANDS.map((status) => ({
    color: status,
    opacity: 1,
    name: names[status],
    sizes: intervals.map((day) => day[status]),
  }));

/** From the bottom up, the last stage first. */
function stageBands(stages: readonly StageFlow[], length: number): Band[] {
  const shades = shadesOf(stages);
  const bands = stages.map(({ status, name, sizes }, n) => ({
    color: status,
    opacity: shades[n],
    name,
    sizes: sizes.slice(sizes.length - length),
  }));
  return bands.toReversed();
}

const bandsOf = ({ intervals, stages }: Flow, names: StatusNames): Band[] =>
  stages && stages.length > 0 ? stageBands(stages, intervals.length) : statusBands(intervals, names);

const shade = ({ color, opacity }: Pick<Band, 'color' | 'opacity'>): string =>
  `class="${color}"${opacity === 1 ? '' : ` opacity="${opacity}"`}`;

function areas(bands: readonly Band[], { y }: Scale, layout: ChartLayout): string[] {
  const isSingle = bands[0].sizes.length === 1;
  const points = bands.map(({ sizes }) => (isSingle ? [sizes[0], sizes[0]] : sizes));
  const xs = positionsOf(points[0].length, layout);
  let floor = xs.map(() => 0);
  return bands.map((band, index) => {
    const ceiling = floor.map((tasks, n) => tasks + points[index][n]);
    const upper = xs.map((x, n) => `${x} ${y(ceiling[n])}`);
    const lower = xs.map((x, n) => `${x} ${y(floor[n])}`).toReversed();
    floor = ceiling;
    return `<path ${shade(band)} d="M${[...upper, ...lower].join('L')}Z"><title>${escapeXml(band.name)}</title></path>`;
  });
}

const LEGEND_WIDTH = 100;
const LEGEND_HEIGHT = 20;
const IN_A_ROW = 6;
const MAX_NAME_LETTERS = 12;

function legend(bands: readonly Band[], { plot }: ChartLayout): string[] {
  return bands.toReversed().map((band, n) => {
    const [x, y] = [plot.left + (n % IN_A_ROW) * LEGEND_WIDTH, 40 + Math.floor(n / IN_A_ROW) * LEGEND_HEIGHT];
    const name = escapeXml(clipped(band.name, MAX_NAME_LETTERS));
    return `<rect ${shade(band)} x="${x}" y="${y}" width="12" height="12"/><text x="${x + 18}" y="${y + 10}">${name}</text>`;
  });
}

/** The layout with room for as many rows of the legend as the bands need. */
function withLegend({ width, height, plot, mostDates }: ChartLayout, bands: readonly Band[]): ChartLayout {
  const more = (Math.ceil(bands.length / IN_A_ROW) - 1) * LEGEND_HEIGHT;
  const moved = { ...plot, top: plot.top + more, bottom: plot.bottom + more };
  return { width, height: height + more, plot: moved, mostDates };
}

/** The stacked areas with scale and dates. */
function renderPlot(intervals: readonly ProgressDay[], bands: readonly Band[], layout: ChartLayout): string {
  const most = Math.max(...intervals.map((_, n) => bands.reduce((sum, { sizes }) => sum + sizes[n], 0)));
  const scale = scaleFor(most, layout);
  const dates = intervals.map(({ date }) => date);
  return [
    ...areas(bands, scale, layout),
    ...gridLines(scale, layout),
    ...dateLabels(dates, positionsOf(dates.length, layout), layout),
  ].join('\n');
}

/** The cumulative flow as a stand-alone SVG without scripts or external resources. */
export function progressSvg(name: string, flow: Flow, measure: Measure): string {
  const bands = bandsOf(flow, ENGLISH_STATUSES);
  const layout = withLegend(STANDALONE, bands);
  const { width, height, plot } = layout;
  const title = `Cumulative flow of ${name}`;
  const middle = (plot.top + plot.bottom) / 2;
  return `<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>${escapeXml(title)}</title>
<style>${CHART_STYLE}
</style>
<text class="title" x="${plot.left}" y="26">${escapeXml(clipped(title, MAX_TITLE_LETTERS))}</text>
${legend(bands, layout).join('\n')}
${renderPlot(flow.intervals, bands, layout)}
<text x="${(plot.left + plot.right) / 2}" y="${height - 16}" text-anchor="middle">Date</text>
<text transform="translate(18 ${middle}) rotate(-90)" text-anchor="middle">${UNITS[measure]}</text>
</svg>
`;
}

/** The cumulative flow as SVG for a page that includes {@link CHART_STYLE} and a legend. */
export function inlineProgressSvg(title: string, flow: Flow, names: StatusNames): string {
  const { width, height } = IN_PAGE;
  return `<svg class="chart part" role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>${escapeXml(title)}</title>
${renderPlot(flow.intervals, bandsOf(flow, names), IN_PAGE)}
</svg>`;
}
