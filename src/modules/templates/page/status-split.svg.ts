import { TASK_STATUSES, type TaskStatus } from '../../../common/statuses.js';
import { escapeXml } from '../../../common/xml.js';
import type { StatusNames } from '../../tasks/status-names.js';

export type CountsByStatus = Readonly<Record<TaskStatus, number>>;

/** The order from left to right: closed tasks, then open ones. */
const ORDER: readonly TaskStatus[] = ['done', 'active', 'planned', 'canceled'];
const HEIGHT = 6;

export const totalOf = (counts: CountsByStatus): number =>
  TASK_STATUSES.reduce((sum, status) => sum + counts[status], 0);

const share = (count: number, total: number): number => Math.round((count / total) * 10_000) / 100;

/** The tasks by status as one bar. It is stretched to the width of the page, so it contains no text. */
export function statusBar(title: string, counts: CountsByStatus, names: StatusNames): string {
  const total = totalOf(counts);
  let x = 0;
  const parts = ORDER.filter((status) => counts[status] > 0).map((status) => {
    const width = share(counts[status], total);
    const part = `<rect class="${status}" x="${x}" width="${width}" height="${HEIGHT}"><title>${escapeXml(names[status])}: ${counts[status]}</title></rect>`;
    x = Math.round((x + width) * 100) / 100;
    return part;
  });
  return `<svg class="chart bar" role="img" viewBox="0 0 100 ${HEIGHT}" preserveAspectRatio="none"><title>${escapeXml(title)}</title>${parts.join('')}</svg>`;
}

/** The meanings of the colors, with numbers if given. */
export function legend(entries: readonly (readonly [colour: string, label: string])[]): string {
  const items = entries.map(
    ([colour, label]) =>
      `<li><svg class="chart swatch" viewBox="0 0 1 1" aria-hidden="true"><rect class="${colour}" width="1" height="1"/></svg>${escapeXml(label)}</li>`,
  );
  return `<ul class="legend">${items.join('')}</ul>`;
}

/** The legend of the bar: each status with its number. */
export const statusLegend = (counts: CountsByStatus, names: StatusNames, number: (count: number) => string): string =>
  legend(ORDER.map((status) => [status, `${names[status]} ${number(counts[status])}`] as const));

/** A legend without numbers, for several bars or stacked areas. */
export const plainLegend = (names: StatusNames): string =>
  legend(ORDER.map((status) => [status, names[status]] as const));
