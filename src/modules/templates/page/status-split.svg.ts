import { TASK_STATUSES, type TaskStatus } from '../../../common/statuses.js';
import { escapeXml } from '../../../common/texts/xml.js';
import { shadesOf } from '../../tasks/progress/stage-shades.js';
import type { StatusNames } from '../../tasks/status-names.js';

export type CountsByStatus = Readonly<Record<TaskStatus, number>>;

/** The order from left to right: closed tasks, then open ones. */
const ORDER: readonly TaskStatus[] = ['done', 'active', 'planned', 'canceled'];
const HEIGHT = 6;

export const totalOf = (counts: CountsByStatus): number =>
  TASK_STATUSES.reduce((sum, status) => sum + counts[status], 0);

const share = (count: number, total: number): number => Math.round((count / total) * 10_000) / 100;

/** A part of a bar: the tasks in a status or a stage. */
export interface SplitPart {
  color: TaskStatus;
  opacity: number;
  name: string;
  count: number;
}

/** The tasks in a stage of an endeavour. */
export interface StageCount {
  name: string;
  status: TaskStatus;
  tasks: number;
}

export const statusParts = (counts: CountsByStatus, names: StatusNames): SplitPart[] =>
  ORDER.map((status) => ({ color: status, opacity: 1, name: names[status], count: counts[status] }));

/** The stages from the last to the first, as closed tasks come first in a bar, and the canceled tasks, which are in none. */
export function stageParts(
  stages: readonly StageCount[],
  { canceled }: CountsByStatus,
  names: StatusNames,
): SplitPart[] {
  const shades = shadesOf(stages);
  const parts = stages.map(({ name, status, tasks }, n) => ({
    color: status,
    opacity: shades[n],
    name,
    count: tasks,
  }));
  return [...parts.toReversed(), { color: 'canceled', opacity: 1, name: names.canceled, count: canceled }];
}

const shade = (color: string, opacity: number): string =>
  `class="${color}"${opacity === 1 ? '' : ` opacity="${opacity}"`}`;

/** The tasks by status or stage as one bar. It is stretched to the width of the page, so it contains no text. */
export function splitBar(title: string, split: readonly SplitPart[]): string {
  const total = split.reduce((sum, { count }) => sum + count, 0);
  let x = 0;
  const parts = split
    .filter(({ count }) => count > 0)
    .map(({ color, opacity, name, count }) => {
      const width = share(count, total);
      const part = `<rect ${shade(color, opacity)} x="${x}" width="${width}" height="${HEIGHT}"><title>${escapeXml(name)}: ${count}</title></rect>`;
      x = Math.round((x + width) * 100) / 100;
      return part;
    });
  return `<svg class="chart bar" role="img" viewBox="0 0 100 ${HEIGHT}" preserveAspectRatio="none"><title>${escapeXml(title)}</title>${parts.join('')}</svg>`;
}

/** The meanings of the colors, with numbers if given. */
export function legend(entries: readonly (readonly [color: string, label: string, opacity?: number])[]): string {
  const items = entries.map(
    ([color, label, opacity = 1]) =>
      `<li><svg class="chart swatch" viewBox="0 0 1 1" aria-hidden="true"><rect ${shade(color, opacity)} width="1" height="1"/></svg>${escapeXml(label)}</li>`,
  );
  return `<ul class="legend">${items.join('')}</ul>`;
}

/** The legend of the bar: each status or stage with its number. */
export const splitLegend = (split: readonly SplitPart[], number: (count: number) => string): string =>
  legend(split.map(({ color, opacity, name, count }) => [color, `${name} ${number(count)}`, opacity] as const));

/** A legend without numbers, for several bars or stacked areas. */
export const plainLegend = (names: StatusNames): string =>
  legend(ORDER.map((status) => [status, names[status]] as const));

/** The same by stage. */
export function stageLegend(stages: readonly { name: string; status: string }[]): string {
  const shades = shadesOf(stages);
  return legend(stages.map(({ name, status }, n) => [status, name, shades[n]] as const).toReversed());
}
