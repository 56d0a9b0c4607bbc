import { escapeXml } from '../../../common/texts/xml.js';
import type { GraphExcerpt } from '../../tasks/graph/graph.excerpt.js';
import { MAX_NODES } from '../../tasks/graph/graph.rules.js';
import { inlineGraphSvg } from '../../tasks/graph/graph.svg.js';
import type { Progress, ProgressDay } from '../../tasks/progress/progress.rules.js';
import { inlineProgressSvg } from '../../tasks/progress/progress.svg.js';
import type { TemplateScope } from '../template.lifecycle.js';
import { fillIn, textsFor, type PageTexts } from './page-texts.js';
import {
  legend,
  plainLegend,
  splitBar,
  splitLegend,
  stageLegend,
  stageParts,
  statusParts,
  totalOf,
  type CountsByStatus,
  type StageCount,
} from './status-split.svg.js';
import { trendSvg, type TrendDay } from './trend.svg.js';

/** The data of the pictures in a page, besides the variables of its template. */
export interface PageSources {
  scope: TemplateScope;
  /** Whether the page has pictures; only report templates do. */
  hasPictures: boolean;
  lang: string;
  progress?: Progress;
  /** Null if there are more tasks than a graph can have. */
  graph?: GraphExcerpt | null;
}

/** The variables that are rendered as pictures; which of them exist depends on the scope. */
interface PictureVariables {
  demand?: { progress: CountsByStatus };
  counts?: { tasks: CountsByStatus };
  stages?: StageCount[];
  trend?: TrendDay[];
  endeavours?: { name: string; progress: CountsByStatus }[];
  endeavour_total?: number;
}

interface Drawing extends PageSources {
  texts: PageTexts;
  number: (count: number) => string;
}

const MAX_ENDEAVOURS = 20;
const FEWEST_DAYS = 7;

/** The pictures of a page as HTML, with escaped texts; empty if there is nothing to show. */
export function picturesOf(sources: PageSources, variables: PictureVariables): string {
  const texts = textsFor(sources.lang);
  const numbers = new Intl.NumberFormat(texts.lang);
  const drawing = { ...sources, texts, number: (count: number) => numbers.format(count) };
  const figures = [
    ...splitFigures(drawing, variables),
    ...progressFigures(drawing, variables),
    ...graphFigures(drawing),
  ];
  return figures.length === 0 ? '' : `<div class="pictures" lang="${texts.lang}">\n${figures.join('\n')}\n</div>\n`;
}

/** A figure with a caption; wide ones fill the width of the page. */
function figure(caption: string, content: string, { notes = [] as string[], isWide = false } = {}): string {
  const below = notes.map((note) => `<p class="note">${escapeXml(note)}</p>`).join('');
  return `<figure${isWide ? ' class="wide"' : ''}><figcaption>${escapeXml(caption)}</figcaption>${content}${below}</figure>`;
}

function splitFigures(
  drawing: Drawing,
  { demand, counts, stages = [], endeavours, endeavour_total }: PictureVariables,
): string[] {
  const { scope, texts, number } = drawing;
  if (scope === 'organization') return endeavourFigures(drawing, endeavours ?? [], endeavour_total ?? 0);
  const tasks = scope === 'demand' ? demand?.progress : counts?.tasks;
  if (tasks === undefined || totalOf(tasks) === 0) return [];
  const hasStages = scope === 'endeavour' && stages.length > 0;
  const split = hasStages ? stageParts(stages, tasks, texts.statuses) : statusParts(tasks, texts.statuses);
  const caption = hasStages ? texts.splitByStage : texts.split;
  return [figure(caption, splitBar(caption, split) + splitLegend(split, number), { isWide: true })];
}

/** One bar for each endeavour with tasks, most tasks first. */
function endeavourFigures(
  { texts, number }: Drawing,
  endeavours: readonly { name: string; progress: CountsByStatus }[],
  total: number,
): string[] {
  const withTasks = endeavours.filter(({ progress }) => totalOf(progress) > 0);
  const largest = withTasks.toSorted((a, b) => totalOf(b.progress) - totalOf(a.progress)).slice(0, MAX_ENDEAVOURS);
  if (largest.length === 0) return [];
  const bars = largest.map(
    ({ name, progress }) =>
      `<li><span>${escapeXml(name)}</span><span>${number(progress.done)} / ${number(totalOf(progress))}</span>${splitBar(name, statusParts(progress, texts.statuses))}</li>`,
  );
  const isCut = withTasks.length > largest.length || endeavours.length < total;
  const notes = isCut ? [fillIn(texts.excerpt, { shown: number(largest.length), total: number(total) })] : [];
  const content = `<ul class="bars">${bars.join('')}</ul>${plainLegend(texts.statuses)}`;
  return [figure(texts.split, content, { notes, isWide: true })];
}

function progressFigures({ texts, progress, number }: Drawing, { trend = [] }: PictureVariables): string[] {
  if (progress === undefined || progress.intervals.every((day) => totalOf(day) === 0)) return [];
  const { cycle_time, forecast } = progress;
  const hours = { median: number(cycle_time.median_hours ?? 0), p85: number(cycle_time.p85_hours ?? 0) };
  const dates = { p50: forecast.p50_date ?? '', p85: forecast.p85_date ?? '' };
  const notes = [
    ...((cycle_time.p85_hours ?? 0) === 0 ? [] : [fillIn(texts.cycleTime, hours)]),
    ...(forecast.p85_date === null ? [] : [fillIn(texts.forecast, dates)]),
  ];
  const { stages } = progress;
  const flow = { intervals: sinceFirstTasks(progress.intervals), stages };
  const key = stages && stages.length > 0 ? stageLegend(stages) : plainLegend(texts.statuses);
  const figures = [figure(texts.flow, inlineProgressSvg(texts.flow, flow, texts.statuses) + key, { notes })];
  if (trend.length === 0) return figures;
  const names = { created: texts.created, done: texts.statuses.done };
  const series = legend([
    ['created', names.created],
    ['done', names.done],
  ]);
  return [...figures, figure(texts.trend, trendSvg(texts.trend, trend, names) + series)];
}

/** Omits the days before the first task, but shows at least a week. */
function sinceFirstTasks(intervals: readonly ProgressDay[]): readonly ProgressDay[] {
  const first = intervals.findIndex((day) => totalOf(day) > 0);
  return intervals.slice(Math.max(0, Math.min(first - 1, intervals.length - FEWEST_DAYS)));
}

function graphFigures({ texts, graph, number }: Drawing): string[] {
  const caption = texts.dependencies;
  if (graph === null) {
    const note = fillIn(texts.tooLarge, { total: number(MAX_NODES) });
    return [figure(caption, '', { notes: [note], isWide: true })];
  }
  if (graph === undefined || graph.total < 2) return [];
  const { nodes, critical_path } = graph.graph;
  const notes = [
    ...(critical_path.task_ids.length > 1 ? [texts.critical] : []),
    ...(nodes.length < graph.total
      ? [fillIn(texts.excerpt, { shown: number(nodes.length), total: number(graph.total) })]
      : []),
  ];
  const picture = inlineGraphSvg(graph.graph, { title: caption, statuses: texts.statuses });
  const content =
    nodes.length === 0
      ? ''
      : `<div class="scroll" role="region" aria-label="${escapeXml(caption)}" tabindex="0">${picture}</div>`;
  return [figure(caption, content, { notes, isWide: true })];
}
