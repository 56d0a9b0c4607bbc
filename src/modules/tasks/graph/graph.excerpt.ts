import { taskGraphOf, type TaskGraph, type GraphEdge, type GraphTask } from './graph.rules.js';

/** The maximum size of a graph in a report page, in columns and boxes per column. */
const MOST_LEVELS = 5;
const MOST_IN_LEVEL = 10;

/** A graph that fits into a page, and the number of tasks of the whole graph. */
export interface GraphExcerpt {
  graph: TaskGraph;
  total: number;
}

const isOpen = ({ status }: GraphTask): boolean => status === 'planned' || status === 'active';

const fits = ({ levels }: TaskGraph): boolean =>
  levels.length <= MOST_LEVELS && levels.every((ids) => ids.length <= MOST_IN_LEVEL);

/**
 * The whole graph where it fits. Of a larger one, what is open and can be done first: of each of the first levels, the
 * tasks of the critical path and then those that most others wait for.
 */
export function graphExcerptOf(tasks: readonly GraphTask[], edges: readonly GraphEdge[]): GraphExcerpt {
  const total = tasks.length;
  const whole = taskGraphOf(tasks, edges);
  if (fits(whole)) return { graph: inReadingOrder(whole), total };
  const open = connected(tasks.filter(isOpen), edges);
  const graph = taskGraphOf(open.tasks, open.edges);
  return { graph: inReadingOrder(fits(graph) ? graph : beginningOf(graph)), total };
}

/** The excerpt of the graph of a task. If it does not fit, only direct dependencies and dependents are shown. */
export function excerptAround(id: string, tasks: readonly GraphTask[], edges: readonly GraphEdge[]): GraphExcerpt {
  const total = tasks.length;
  const whole = taskGraphOf(tasks, edges);
  if (fits(whole)) return { graph: inReadingOrder(whole), total };
  const isNear = ({ from, to }: GraphEdge): boolean => from === id || to === id;
  const near = connected(tasks, edges.filter(isNear));
  const critical = new Set(whole.critical_path.task_ids);
  const { nodes, ...graph } = taskGraphOf(near.tasks, near.edges);
  const marked = nodes.map((node) => ({ ...node, is_critical: critical.has(node.id) }));
  const shown = beginningOf({ ...graph, nodes: marked, critical_path: whole.critical_path });
  return { graph: inReadingOrder(shown), total };
}

/** Drops tasks without edges, and edges with a missing end. */
function connected<T extends GraphTask>(
  tasks: readonly T[],
  edges: readonly GraphEdge[],
): { tasks: T[]; edges: GraphEdge[] } {
  const ids = new Set(tasks.map(({ id }) => id));
  const kept = edges.filter(({ from, to }) => ids.has(from) && ids.has(to));
  const ends = new Set(kept.flatMap(({ from, to }) => [from, to]));
  return { tasks: tasks.filter(({ id }) => ends.has(id)), edges: kept };
}

/** Levels and critical path are those of the whole graph. */
function beginningOf({ nodes, edges, levels, critical_path }: TaskGraph): TaskGraph {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const waiting = countBy(edges.map(({ from }) => from));
  const weight = (id: string): number => (byId.get(id)?.is_critical === true ? Infinity : (waiting.get(id) ?? 0));
  const chosen = levels
    .slice(0, MOST_LEVELS)
    .flatMap((ids) => ids.toSorted((a, b) => compare(weight(b), weight(a))).slice(0, MOST_IN_LEVEL));
  const wanted = new Set(chosen);
  const kept = connected(
    nodes.filter(({ id }) => wanted.has(id)),
    edges,
  );
  const shown = new Set(kept.tasks.map(({ id }) => id));
  return {
    nodes: kept.tasks,
    edges: kept.edges,
    levels: levels.slice(0, MOST_LEVELS).map((ids) => ids.filter((id) => shown.has(id))),
    critical_path: { ...critical_path, task_ids: critical_path.task_ids.filter((id) => shown.has(id)) },
  };
}

/** A stable sort that can compare infinite weights. */
const compare = (a: number, b: number): number => (a === b ? 0 : a - b);

function countBy(ids: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/** Places the critical path in the first row; the tasks are in reading order, column by column. */
function inReadingOrder(graph: TaskGraph): TaskGraph {
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));
  const rank = (id: string): number => (byId.get(id)?.is_critical === true ? 0 : 1);
  const levels = graph.levels.map((ids) => ids.toSorted((a, b) => rank(a) - rank(b)));
  return { ...graph, levels, nodes: levels.flat().flatMap((id) => byId.get(id) ?? []) };
}
