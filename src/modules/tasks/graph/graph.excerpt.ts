import { taskGraphOf, type TaskGraph, type GraphEdge, type GraphTask } from './graph.rules.js';

/** The maximum size of a graph in a report page, in columns and boxes per column. */
const MAX_LEVELS = 5;
const MAX_IN_LEVEL = 10;

/** A graph that fits into a page, and the number of tasks of the whole graph. */
export interface GraphExcerpt {
  graph: TaskGraph;
  total: number;
}

const isOpen = ({ status }: GraphTask): boolean => status === 'planned' || status === 'active';

const fits = ({ levels }: TaskGraph): boolean =>
  levels.length <= MAX_LEVELS && levels.every((ids) => ids.length <= MAX_IN_LEVEL);

/**
 * Returns the whole graph if it fits; otherwise the first levels of the open tasks. Of each level, the tasks of the
 * critical path come first, then the tasks that most other tasks wait for.
 */
export async function graphExcerptOf(tasks: readonly GraphTask[], edges: readonly GraphEdge[]): Promise<GraphExcerpt> {
  const total = tasks.length;
  const whole = await taskGraphOf(tasks, edges);
  if (fits(whole)) return { graph: inReadingOrder(whole), total };
  const open = connected(tasks.filter(isOpen), edges);
  const graph = await taskGraphOf(open.tasks, open.edges);
  return { graph: inReadingOrder(fits(graph) ? graph : firstLevelsOf(graph)), total };
}

/** Returns the graph of a task if it fits; otherwise only its direct dependencies and dependents. */
export async function excerptAround(
  id: string,
  tasks: readonly GraphTask[],
  edges: readonly GraphEdge[],
): Promise<GraphExcerpt> {
  const total = tasks.length;
  const whole = await taskGraphOf(tasks, edges);
  if (fits(whole)) return { graph: inReadingOrder(whole), total };
  const isNear = ({ from, to }: GraphEdge): boolean => from === id || to === id;
  const near = connected(tasks, edges.filter(isNear));
  const critical = new Set(whole.critical_path.task_ids);
  const { nodes, ...graph } = await taskGraphOf(near.tasks, near.edges);
  const marked = nodes.map((node) => ({ ...node, is_critical: critical.has(node.id) }));
  const firstLevels = firstLevelsOf({ ...graph, nodes: marked, critical_path: whole.critical_path });
  return { graph: inReadingOrder(firstLevels), total };
}

/** Drops the edges that do not connect two of the tasks, and then the tasks without edges. */
function connected<T extends GraphTask>(
  tasks: readonly T[],
  edges: readonly GraphEdge[],
): { tasks: T[]; edges: GraphEdge[] } {
  const ids = new Set(tasks.map(({ id }) => id));
  const inner = edges.filter(({ from, to }) => ids.has(from) && ids.has(to));
  const ends = new Set(inner.flatMap(({ from, to }) => [from, to]));
  return { tasks: tasks.filter(({ id }) => ends.has(id)), edges: inner };
}

/** Cuts the graph to its first levels; levels and critical path are not computed again. */
function firstLevelsOf({ nodes, edges, levels, critical_path }: TaskGraph): TaskGraph {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const waiting = countBy(edges.map(({ from }) => from));
  const weight = (id: string): number => (byId.get(id)?.is_critical === true ? Infinity : (waiting.get(id) ?? 0));
  const selectedIds = levels
    .slice(0, MAX_LEVELS)
    .flatMap((ids) => ids.toSorted((a, b) => compare(weight(b), weight(a))).slice(0, MAX_IN_LEVEL));
  const selected = new Set(selectedIds);
  const excerpt = connected(
    nodes.filter(({ id }) => selected.has(id)),
    edges,
  );
  const included = new Set(excerpt.tasks.map(({ id }) => id));
  return {
    nodes: excerpt.tasks,
    edges: excerpt.edges,
    levels: levels.slice(0, MAX_LEVELS).map((ids) => ids.filter((id) => included.has(id))),
    critical_path: { ...critical_path, task_ids: critical_path.task_ids.filter((id) => included.has(id)) },
  };
}

/** Compares weights that can be infinite, where a difference would be NaN. */
const compare = (a: number, b: number): number => (a === b ? 0 : a - b);

function countBy(ids: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/** Moves the critical path to the first row and sorts the tasks column by column. */
function inReadingOrder(graph: TaskGraph): TaskGraph {
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));
  const rank = (id: string): number => (byId.get(id)?.is_critical === true ? 0 : 1);
  const levels = graph.levels.map((ids) => ids.toSorted((a, b) => rank(a) - rank(b)));
  return { ...graph, levels, nodes: levels.flat().flatMap((id) => byId.get(id) ?? []) };
}
