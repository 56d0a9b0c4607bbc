/** The layout of a chart, in pixels. */
export interface ChartLayout {
  width: number;
  height: number;
  plot: { left: number; top: number; right: number; bottom: number };
  mostDates: number;
}

/** A chart in a page, half as wide as the page or as wide as a phone. */
export const IN_PAGE: ChartLayout = {
  width: 480,
  height: 300,
  plot: { left: 52, top: 12, right: 438, bottom: 262 },
  mostDates: 4,
};

/** The CSS of charts; a page that contains one must include it. */
export const CHART_STYLE = `
  .chart { color-scheme: light dark; font: 12px system-ui, sans-serif; background: #fff; }
  .chart.part { font-size: 14px; }
  .chart text { fill: #1c1e21; }
  .chart .title { font-size: 16px; font-weight: 600; }
  .chart .grid { stroke: #d5d9de; }
  .chart .axis { stroke: #5f666d; }
  .chart .done { fill: #2e7d4f; } .chart .canceled { fill: #9aa1a9; }
  .chart .active { fill: #1f6feb; } .chart .planned { fill: #e3a008; } .chart .created { fill: #8250df; }
  @media screen and (prefers-color-scheme: dark) {
    .chart { background: #16181b; }
    .chart text { fill: #e4e6e9; }
    .chart .grid { stroke: #3a4047; }
    .chart .axis { stroke: #a0a7af; }
    .chart .done { fill: #57ab7a; } .chart .canceled { fill: #6b727a; }
    .chart .active { fill: #539bf5; } .chart .planned { fill: #daaa3f; } .chart .created { fill: #b083f0; }
  }`;

const LINES = 4;

export const toTenth = (value: number): number => Math.round(value * 10) / 10;

/** The vertical scale: a grid line at every `step`, the highest at the top of the plot. */
export interface Scale {
  step: number;
  top: number;
  /** The vertical position of a count. */
  y: (count: number) => number;
}

/** The smallest step (1, 2 or 5 times a power of ten) with which `LINES` grid lines reach the value. */
function stepFor(value: number): number {
  const least = Math.max(value, 1) / LINES;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= least) ?? least;
  return Math.max(step, 1);
}

/** The scale for counts up to the given maximum. */
export function scaleFor(most: number, { plot }: ChartLayout): Scale {
  const step = stepFor(most);
  const top = Math.max(Math.ceil(most / step), 1) * step;
  return { step, top, y: (count) => toTenth(plot.bottom - (count / top) * (plot.bottom - plot.top)) };
}

/** The grid lines with their labels. */
export function gridLines({ step, top, y }: Scale, { plot }: ChartLayout): string[] {
  return Array.from({ length: Math.round(top / step) + 1 }, (_, n) => {
    const at = y(n * step);
    const label = `<text x="${plot.left - 8}" y="${at + 4}" text-anchor="end">${n * step}</text>`;
    return `<path class="${n === 0 ? 'axis' : 'grid'}" d="M${plot.left} ${at}H${plot.right}"/>${label}`;
  });
}

/** The labels of as many dates as fit below the plot. */
export function dateLabels(dates: readonly string[], xs: readonly number[], layout: ChartLayout): string[] {
  const every = Math.ceil(dates.length / layout.mostDates);
  return dates.flatMap((date, n) =>
    n % every === 0 ? [`<text x="${xs[n]}" y="${layout.plot.bottom + 18}" text-anchor="middle">${date}</text>`] : [],
  );
}
