import { Turns } from '../../../common/turns.js';
import { pictureResponse, SVG_TYPE } from '../../../platform/http/responses/picture-response.js';
import type { RawResponse } from '../../../platform/http/responses/raw-response.js';
import { displayedName, type GraphNode, type TaskGraph } from './graph.rules.js';
import { svgOf } from './graph.svg.js';

export const GRAPH_FORMATS = ['json', 'mermaid', 'dot', 'svg'] as const;
export type GraphFormat = (typeof GRAPH_FORMATS)[number];
type PictureFormat = Exclude<GraphFormat, 'json'>;

/** The media types of the formats other than JSON. */
export const GRAPH_TYPES: Readonly<Record<PictureFormat, string>> = {
  mermaid: 'text/vnd.mermaid',
  dot: 'text/vnd.graphviz',
  svg: SVG_TYPE,
};

const RENDERERS: Readonly<Record<PictureFormat, (graph: TaskGraph) => Generator<string>>> = {
  mermaid: mermaidOf,
  dot: dotOf,
  svg: svgOf,
};

/** Renders a graph as Mermaid, Graphviz or SVG, in turns with other requests. */
export async function asPicture(graph: TaskGraph, format: PictureFormat): Promise<RawResponse> {
  const turns = new Turns();
  const parts: string[] = [];
  for (const part of RENDERERS[format](graph)) {
    parts.push(part);
    if (turns.isOver) await turns.next();
  }
  return pictureResponse(GRAPH_TYPES[format], parts.join(''));
}

/** Short names for the nodes, because ids are long. */
const namesOf = ({ nodes }: TaskGraph): Map<string, string> => new Map(nodes.map(({ id }, n) => [id, `n${n}`]));

function* edgesOf(graph: TaskGraph, line: (from: string, to: string, isParent: boolean) => string): Generator<string> {
  const names = namesOf(graph);
  for (const { from, to, type } of graph.edges) {
    yield `${line(names.get(from) ?? '', names.get(to) ?? '', type === 'parent')}\n`;
  }
}

const label = (node: GraphNode): string => `${displayedName(node)} (${node.status})`;

/** Escapes characters that have a meaning in Mermaid. */
const escapeMermaid = (text: string): string =>
  text.replaceAll(/[^\p{L}\p{N} ,.!?:/()+_-]/gu, (sign) => `#${sign.codePointAt(0)};`);

function* mermaidOf(graph: TaskGraph): Generator<string> {
  const critical = graph.nodes.flatMap(({ is_critical }, n) => (is_critical ? [`n${n}`] : []));
  yield 'flowchart LR\n';
  for (const [n, node] of graph.nodes.entries()) yield `  n${n}["${escapeMermaid(label(node))}"]\n`;
  yield* edgesOf(graph, (from, to, isParent) => `  ${from} ${isParent ? '-.->' : '-->'} ${to}`);
  if (critical.length > 0) yield `  classDef critical stroke-width:3px\n  class ${critical.join(',')} critical\n`;
}

const escapeDot = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');

function* dotOf(graph: TaskGraph): Generator<string> {
  yield 'digraph dependencies {\n  rankdir=LR;\n  node [shape=box];\n';
  for (const [n, node] of graph.nodes.entries()) {
    yield `  n${n} [label="${escapeDot(label(node))}"${node.is_critical ? ', penwidth=3' : ''}];\n`;
  }
  yield* edgesOf(graph, (from, to, isParent) => `  ${from} -> ${to}${isParent ? ' [style=dashed]' : ''};`);
  yield '}\n';
}
