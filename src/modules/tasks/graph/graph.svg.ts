import { wrapped } from '../../../common/texts/clipped.js';
import { escapeXml } from '../../../common/texts/xml.js';
import { ENGLISH_STATUSES, type StatusNames } from '../status-names.js';
import { displayedName, type GraphNode, type TaskGraph } from './graph.rules.js';

const LINE = 16;

/** The layout of the boxes of a graph, in pixels; `letters` is the maximum number of characters in a line. */
interface GraphLayout {
  box: { width: number; height: number };
  gap: { x: number; y: number };
  margin: number;
  letters: number;
  titleLines: number;
}

const STANDALONE: GraphLayout = {
  box: { width: 200, height: 40 },
  gap: { x: 70, y: 16 },
  margin: 16,
  letters: 26,
  titleLines: 1,
};

/** Five levels fill the width of a page. */
const IN_PAGE: GraphLayout = {
  box: { width: 152, height: 58 },
  gap: { x: 38, y: 14 },
  margin: 8,
  letters: 18,
  titleLines: 2,
};

/** The CSS of graphs; a page that contains one must include it. */
export const GRAPH_STYLE = `
  .graph { color-scheme: light dark; font: 13px system-ui, sans-serif; }
  .graph rect { fill: #f3f5f7; stroke: #5f666d; }
  .graph text { fill: #1c1e21; }
  .graph path { fill: none; stroke: #5f666d; }
  .graph .parent { stroke-dasharray: 4 4; }
  .graph .closed rect { fill: #dde8dd; }
  .graph .critical rect, .graph path.critical { stroke: #b3261e; stroke-width: 2.5; }
  @media screen and (prefers-color-scheme: dark) {
    .graph rect { fill: #22262b; stroke: #a0a7af; }
    .graph text { fill: #e4e6e9; }
    .graph path { stroke: #a0a7af; }
    .graph .closed rect { fill: #203020; }
    .graph .critical rect, .graph path.critical { stroke: #ff8a80; }
  }`;

interface Point {
  x: number;
  y: number;
}

/** The top left corner of each box; levels are columns from left to right. */
function positionsOf({ levels }: TaskGraph, { box, gap, margin }: GraphLayout): Map<string, Point> {
  return new Map(
    levels.flatMap((ids, column) =>
      ids.map((id, row) => [id, { x: margin + column * (box.width + gap.x), y: margin + row * (box.height + gap.y) }]),
    ),
  );
}

const classOf = ({ status, is_critical }: GraphNode): string =>
  ['node', is_critical && 'critical', (status === 'done' || status === 'canceled') && 'closed']
    .filter(Boolean)
    .join(' ');

function boxOf(node: GraphNode, { x, y }: Point, status: string, { box, letters, titleLines }: GraphLayout): string {
  const title = wrapped(displayedName(node), letters, titleLines)
    .map((line, n) => `<text x="${x + 10}" y="${y + 17 + n * LINE}">${escapeXml(line)}</text>`)
    .join('');
  const state = `<text x="${x + 10}" y="${y + box.height - 7}" opacity=".7">${escapeXml(status)}</text>`;
  const shape = `<rect x="${x}" y="${y}" width="${box.width}" height="${box.height}" rx="4"/>`;
  return `<g class="${classOf(node)}"><title>${escapeXml(displayedName(node))}</title>${shape}${title}${state}</g>`;
}

function arrow(from: Point, to: Point, classes: string, { box, gap }: GraphLayout): string {
  const [x1, y1] = [from.x + box.width, from.y + box.height / 2];
  const [x2, y2] = [to.x, to.y + box.height / 2];
  const bend = gap.x / 2;
  const curve = `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  return `<path class="${classes}" d="${curve}" marker-end="url(#arrow)"/>`;
}

/** The translated texts of a picture of a graph. */
export interface GraphTexts {
  title: string;
  statuses: StatusNames;
}

const ENGLISH: GraphTexts = { title: 'Dependencies of tasks', statuses: ENGLISH_STATUSES };

/** The graph as a stand-alone SVG without scripts or external resources, in parts. */
export const svgOf = (graph: TaskGraph): Generator<string> =>
  render(graph, STANDALONE, ENGLISH, `<style>${GRAPH_STYLE}\n</style>\n`);

/** The graph as SVG for a page that includes {@link GRAPH_STYLE}. */
export const inlineGraphSvg = (graph: TaskGraph, texts: GraphTexts): string =>
  [...render(graph, IN_PAGE, texts)].join('');

function* render(
  graph: TaskGraph,
  layout: GraphLayout,
  { title, statuses }: GraphTexts,
  style = '',
): Generator<string> {
  const { box, gap, margin } = layout;
  const positions = positionsOf(graph, layout);
  const at = (id: string): Point => positions.get(id) ?? { x: margin, y: margin };
  const next = new Map(graph.critical_path.task_ids.map((id, n, all) => [id, all[n + 1]]));
  const rows = Math.max(1, ...graph.levels.map((ids) => ids.length));
  const width = 2 * margin + Math.max(1, graph.levels.length) * (box.width + gap.x) - gap.x;
  const height = 2 * margin + rows * (box.height + gap.y) - gap.y;
  yield `<svg xmlns="http://www.w3.org/2000/svg" class="graph" role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>${escapeXml(title)}</title>
${style}<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">
<path d="M0 0L8 4L0 8"/></marker></defs>
`;
  for (const { from, to, type } of graph.edges) {
    const classes = type === 'dependency' && next.get(from) === to ? `${type} critical` : type;
    yield `${arrow(at(from), at(to), classes, layout)}\n`;
  }
  for (const node of graph.nodes) yield `${boxOf(node, at(node.id), statuses[node.status], layout)}\n`;
  yield '</svg>\n';
}
