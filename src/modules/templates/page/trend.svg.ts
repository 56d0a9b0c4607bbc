import { escapeXml } from '../../../common/texts/xml.js';
import { dateLabels, gridLines, IN_PAGE, scaleFor, toTenth } from '../../tasks/progress/chart.svg.js';

/** A day of the trend. */
export interface TrendDay {
  day: string;
  created: number;
  done: number;
}

const SERIES = ['created', 'done'] as const;
/** The share of a day's width that its bars take. */
const FILLED = 0.7;

/** The numbers of created and done tasks on each day, as pairs of bars. */
export function trendSvg(title: string, days: readonly TrendDay[], names: Record<'created' | 'done', string>): string {
  const { width, height, plot } = IN_PAGE;
  const scale = scaleFor(Math.max(...days.flatMap(({ created, done }) => [created, done])), IN_PAGE);
  const room = (plot.right - plot.left) / days.length;
  const barWidth = toTenth((room * FILLED) / SERIES.length);
  const bars = days.flatMap((day, n) =>
    SERIES.filter((series) => day[series] > 0).map((series) => {
      const x = toTenth(plot.left + n * room + (room * (1 - FILLED)) / 2 + SERIES.indexOf(series) * barWidth);
      const y = scale.y(day[series]);
      const label = `${day.day}, ${names[series]}: ${day[series]}`;
      return `<rect class="${series}" x="${x}" y="${y}" width="${barWidth}" height="${toTenth(plot.bottom - y)}"><title>${escapeXml(label)}</title></rect>`;
    }),
  );
  const centres = days.map((_, n) => toTenth(plot.left + (n + 0.5) * room));
  const labels = dateLabels(
    days.map(({ day }) => day),
    centres,
    IN_PAGE,
  );
  return `<svg class="chart part" role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>${escapeXml(title)}</title>
${[...gridLines(scale, IN_PAGE), ...bars, ...labels].join('\n')}
</svg>`;
}
