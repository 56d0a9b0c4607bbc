import { escapeXml } from '../../../common/xml.js';
import type { Graph, GraphNode } from './graph.rules.js';

const BOX = { width: 200, height: 40 };
const GAP = { x: 70, y: 16 };
const MARGIN = 16;
const LETTERS = 26;

const STYLE = `
  svg { color-scheme: light dark; font: 13px system-ui, sans-serif; }
  rect { fill: #f3f5f7; stroke: #5f666d; }
  text { fill: #1c1e21; }
  path { fill: none; stroke: #5f666d; }
  .parent { stroke-dasharray: 4 4; }
  .closed rect { fill: #dde8dd; }
  .critical rect, path.critical { stroke: #b3261e; stroke-width: 2.5; }
  @media (prefers-color-scheme: dark) {
    rect { fill: #22262b; stroke: #a0a7af; }
    text { fill: #e4e6e9; }
    path { stroke: #a0a7af; }
    .closed rect { fill: #203020; }
    .critical rect, path.critical { stroke: #ff8a80; }
  }`;

interface Point {
  x: number;
  y: number;
}

function shortened(text: string): string {
  const letters = Array.from(text);
  return letters.length <= LETTERS ? text : `${letters.slice(0, LETTERS - 1).join('')}…`;
}

/** Levels are columns from left to right. */
function placesOf({ levels }: Graph): Map<string, Point> {
  return new Map(
    levels.flatMap((ids, column) =>
      ids.map((id, row) => [id, { x: MARGIN + column * (BOX.width + GAP.x), y: MARGIN + row * (BOX.height + GAP.y) }]),
    ),
  );
}

const classOf = ({ status, is_critical }: GraphNode): string =>
  ['node', is_critical && 'critical', (status === 'done' || status === 'canceled') && 'closed']
    .filter(Boolean)
    .join(' ');

function box(node: GraphNode, { x, y }: Point): string {
  const text = `<text x="${x + 10}" y="${y + 17}">${escapeXml(shortened(node.title))}</text>`;
  const state = `<text x="${x + 10}" y="${y + 33}" opacity=".7">${node.status}</text>`;
  const shape = `<rect x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="4"/>`;
  return `<g class="${classOf(node)}"><title>${escapeXml(node.title)}</title>${shape}${text}${state}</g>`;
}

function line(from: Point, to: Point, classes: string): string {
  const [x1, y1] = [from.x + BOX.width, from.y + BOX.height / 2];
  const [x2, y2] = [to.x, to.y + BOX.height / 2];
  const bend = GAP.x / 2;
  const curve = `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  return `<path class="${classes}" d="${curve}" marker-end="url(#arrow)"/>`;
}

/** The graph as a picture of its own: no script, nothing from elsewhere, every text escaped. */
export function svgOf(graph: Graph): string {
  const places = placesOf(graph);
  const at = (id: string): Point => places.get(id) ?? { x: MARGIN, y: MARGIN };
  const next = new Map(graph.critical_path.task_ids.map((id, n, all) => [id, all[n + 1]]));
  const rows = Math.max(1, ...graph.levels.map((ids) => ids.length));
  const width = 2 * MARGIN + Math.max(1, graph.levels.length) * (BOX.width + GAP.x) - GAP.x;
  const height = 2 * MARGIN + rows * (BOX.height + GAP.y) - GAP.y;
  const lines = graph.edges.map(({ from, to, type }) =>
    line(at(from), at(to), type === 'dependency' && next.get(from) === to ? `${type} critical` : type),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>Dependencies of tasks</title>
<style>${STYLE}
</style>
<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">
<path d="M0 0L8 4L0 8"/></marker></defs>
${lines.join('\n')}
${graph.nodes.map((node) => box(node, at(node.id))).join('\n')}
</svg>
`;
}
