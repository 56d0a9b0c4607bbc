import { pictureResponse, SVG_TYPE } from '../../../platform/http/picture-response.js';
import type { RawResponse } from '../../../platform/http/raw-response.js';
import type { TaskGraph, GraphNode } from './graph.rules.js';
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

const RENDERERS: Readonly<Record<PictureFormat, (graph: TaskGraph) => string>> = {
  mermaid: mermaidOf,
  dot: dotOf,
  svg: svgOf,
};

/** Renders a graph as Mermaid, Graphviz or SVG. */
export const asPicture = (graph: TaskGraph, format: PictureFormat): RawResponse =>
  pictureResponse(GRAPH_TYPES[format], RENDERERS[format](graph));

/** Short names for the nodes, because ids are long. */
const namesOf = ({ nodes }: TaskGraph): Map<string, string> => new Map(nodes.map(({ id }, n) => [id, `n${n}`]));

const edgesOf = (graph: TaskGraph, line: (from: string, to: string, isParent: boolean) => string): string[] => {
  const names = namesOf(graph);
  return graph.edges.map(({ from, to, type }) => line(names.get(from) ?? '', names.get(to) ?? '', type === 'parent'));
};

const label = ({ title, status }: GraphNode): string => `${title} (${status})`;

/** Escapes characters that have a meaning in Mermaid. */
const escapeMermaid = (text: string): string =>
  text.replaceAll(/[^\p{L}\p{N} ,.!?:/()+_-]/gu, (sign) => `#${sign.codePointAt(0)};`);

function mermaidOf(graph: TaskGraph): string {
  const critical = graph.nodes.flatMap(({ is_critical }, n) => (is_critical ? [`n${n}`] : []));
  return [
    'flowchart LR',
    ...graph.nodes.map((node, n) => `  n${n}["${escapeMermaid(label(node))}"]`),
    ...edgesOf(graph, (from, to, isParent) => `  ${from} ${isParent ? '-.->' : '-->'} ${to}`),
    ...(critical.length === 0
      ? []
      : ['  classDef critical stroke-width:3px', `  class ${critical.join(',')} critical`]),
    '',
  ].join('\n');
}

const escapeDot = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');

function dotOf(graph: TaskGraph): string {
  return [
    'digraph dependencies {',
    '  rankdir=LR;',
    '  node [shape=box];',
    ...graph.nodes.map(
      (node, n) => `  n${n} [label="${escapeDot(label(node))}"${node.is_critical ? ', penwidth=3' : ''}];`,
    ),
    ...edgesOf(graph, (from, to, isParent) => `  ${from} -> ${to}${isParent ? ' [style=dashed]' : ''};`),
    '}',
    '',
  ].join('\n');
}
