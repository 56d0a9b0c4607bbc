import { escapeXml } from '../../../common/xml.js';
import type { GraphExcerpt } from '../../tasks/graph/graph.excerpt.js';
import { MOST_NODES } from '../../tasks/graph/graph.rules.js';
import { inlineGraphSvg } from '../../tasks/graph/graph.svg.js';
import type { Progress, ProgressDay } from '../../tasks/progress/progress.rules.js';
import { inlineProgressSvg } from '../../tasks/progress/progress.svg.js';
import type { TemplateScope } from '../template.lifecycle.js';
import { filledIn, wordsFor, type PageWords } from './page-words.js';
import { legend, plainLegend, statusBar, statusLegend, totalOf, type CountsByStatus } from './status-split.svg.js';
import { trendSvg, type TrendDay } from './trend.svg.js';

/** The data of the pictures in a page, besides the variables of its template. */
export interface PageSources {
  scope: TemplateScope;
  /** Undefined for templates other than reports. */
  hasPictures: boolean;
  lang: string;
  progress?: Progress;
  /** Null if there are more tasks than a graph can have. */
  graph?: GraphExcerpt | null;
}

/** The variables that are rendered as pictures, by scope. */
interface Pictured {
  demand?: { progress: CountsByStatus };
  counts?: { tasks: CountsByStatus };
  trend?: TrendDay[];
  endeavours?: { name: string; progress: CountsByStatus }[];
  endeavour_total?: number;
}

interface Drawing extends PageSources {
  words: PageWords;
  number: (count: number) => string;
}

const MOST_ENDEAVOURS = 20;
const FEWEST_DAYS = 7;

/** The pictures of a page as HTML, with escaped texts; empty if there is nothing to show. */
export function picturesOf(sources: PageSources, variables: Pictured): string {
  const words = wordsFor(sources.lang);
  const numbers = new Intl.NumberFormat(words.lang);
  const drawing = { ...sources, words, number: (count: number) => numbers.format(count) };
  const figures = [
    ...splitFigures(drawing, variables),
    ...progressFigures(drawing, variables),
    ...graphFigures(drawing),
  ];
  return figures.length === 0 ? '' : `<div class="pictures" lang="${words.lang}">\n${figures.join('\n')}\n</div>\n`;
}

/** A figure with a caption; wide ones fill the width of the page. */
function figure(caption: string, content: string, { notes = [] as string[], isWide = false } = {}): string {
  const below = notes.map((note) => `<p class="note">${escapeXml(note)}</p>`).join('');
  return `<figure${isWide ? ' class="wide"' : ''}><figcaption>${escapeXml(caption)}</figcaption>${content}${below}</figure>`;
}

function splitFigures(drawing: Drawing, { demand, counts, endeavours, endeavour_total }: Pictured): string[] {
  const { scope, words, number } = drawing;
  if (scope === 'organization') return endeavourFigures(drawing, endeavours ?? [], endeavour_total ?? 0);
  const tasks = scope === 'demand' ? demand?.progress : counts?.tasks;
  if (tasks === undefined || totalOf(tasks) === 0) return [];
  const bar = statusBar(words.split, tasks, words.statuses);
  return [figure(words.split, bar + statusLegend(tasks, words.statuses, number), { isWide: true })];
}

/** One bar for each endeavour with tasks, most tasks first. */
function endeavourFigures(
  { words, number }: Drawing,
  endeavours: readonly { name: string; progress: CountsByStatus }[],
  total: number,
): string[] {
  const busy = endeavours.filter(({ progress }) => totalOf(progress) > 0);
  const shown = busy.toSorted((a, b) => totalOf(b.progress) - totalOf(a.progress)).slice(0, MOST_ENDEAVOURS);
  if (shown.length === 0) return [];
  const bars = shown.map(
    ({ name, progress }) =>
      `<li><span>${escapeXml(name)}</span><span>${number(progress.done)} / ${number(totalOf(progress))}</span>${statusBar(name, progress, words.statuses)}</li>`,
  );
  const isCut = busy.length > shown.length || endeavours.length < total;
  const notes = isCut ? [filledIn(words.shown, { shown: number(shown.length), total: number(total) })] : [];
  const content = `<ul class="bars">${bars.join('')}</ul>${plainLegend(words.statuses)}`;
  return [figure(words.split, content, { notes, isWide: true })];
}

function progressFigures({ words, progress, number }: Drawing, { trend = [] }: Pictured): string[] {
  if (progress === undefined || progress.intervals.every((day) => totalOf(day) === 0)) return [];
  const { cycle_time, forecast } = progress;
  const hours = { median: number(cycle_time.median_hours ?? 0), p85: number(cycle_time.p85_hours ?? 0) };
  const dates = { p50: forecast.p50_date ?? '', p85: forecast.p85_date ?? '' };
  const notes = [
    ...((cycle_time.p85_hours ?? 0) === 0 ? [] : [filledIn(words.cycleTime, hours)]),
    ...(forecast.p85_date === null ? [] : [filledIn(words.forecast, dates)]),
  ];
  const flow = inlineProgressSvg(words.flow, sinceFirstTasks(progress.intervals), words.statuses);
  const figures = [figure(words.flow, flow + plainLegend(words.statuses), { notes })];
  if (trend.length === 0) return figures;
  const names = { created: words.created, done: words.statuses.done };
  const series = legend([
    ['created', names.created],
    ['done', names.done],
  ]);
  return [...figures, figure(words.trend, trendSvg(words.trend, trend, names) + series)];
}

/** Omits the days before the first task, but shows at least a week. */
function sinceFirstTasks(intervals: readonly ProgressDay[]): readonly ProgressDay[] {
  const first = intervals.findIndex((day) => totalOf(day) > 0);
  return intervals.slice(Math.max(0, Math.min(first - 1, intervals.length - FEWEST_DAYS)));
}

function graphFigures({ words, graph, number }: Drawing): string[] {
  const caption = words.dependencies;
  if (graph === null) {
    const note = filledIn(words.tooLarge, { total: number(MOST_NODES) });
    return [figure(caption, '', { notes: [note], isWide: true })];
  }
  if (graph === undefined || graph.total < 2) return [];
  const { nodes, critical_path } = graph.graph;
  const notes = [
    ...(critical_path.task_ids.length > 1 ? [words.critical] : []),
    ...(nodes.length < graph.total
      ? [filledIn(words.shown, { shown: number(nodes.length), total: number(graph.total) })]
      : []),
  ];
  const picture = inlineGraphSvg(graph.graph, { title: caption, statuses: words.statuses });
  const content =
    nodes.length === 0
      ? ''
      : `<div class="scroll" role="region" aria-label="${escapeXml(caption)}" tabindex="0">${picture}</div>`;
  return [figure(caption, content, { notes, isWide: true })];
}
