import { Turns } from '../../../common/turns.js';
import type { TaskStatus } from '../task.lifecycle.js';

/** The maximum size of a graph. */
export const MAX_NODES = 2_000;
export const MAX_GRAPH_EDGES = 10_000;

export const EDGE_KINDS = ['dependency', 'parent'] as const;

/** In a dependency, `to` waits for `from`; in a parent edge, `to` is a part of `from`. */
export interface GraphEdge {
  from: string;
  to: string;
  type: (typeof EDGE_KINDS)[number];
  relation_id: string;
}

/** The columns of a task that a graph needs. */
export interface GraphTask {
  id: string;
  key: string | null;
  title: string;
  status: TaskStatus;
  estimate: number | null;
  due_date: string | null;
  assignee_id: string | null;
  assignee_name: string | null;
  blocked_by_count: number;
  blocked_by: string[];
}

/** A task with its level and whether it is on the critical path. */
export interface GraphNode extends GraphTask {
  level: number;
  is_critical: boolean;
}

/** A graph of tasks. */
export interface TaskGraph {
  nodes: GraphNode[];
  edges: GraphEdge[];
  /** The ids by level; tasks of the first level wait for no other task of the graph. */
  levels: string[][];
  critical_path: { task_ids: string[]; hours: number };
}

/** The longest chain that ends with a task. */
interface Chain {
  hours: number;
  length: number;
  before: string | null;
}

const isOpen = ({ status }: GraphTask): boolean => status === 'planned' || status === 'active';

/**
 * Computes levels and the critical path in time that is linear in tasks and edges, in turns with other requests, because
 * the largest graph takes longer than they should wait.
 */
export async function taskGraphOf(
  tasks: readonly GraphTask[],
  edges: readonly GraphEdge[],
  turns: Pick<Turns, 'isOver' | 'next'> = new Turns(),
): Promise<TaskGraph> {
  const dependents = new Map<string, string[]>();
  const blockers = new Map<string, string[]>();
  for (const { from, to, type } of edges) {
    if (type !== 'dependency') continue;
    listIn(dependents, from).push(to);
    listIn(blockers, to).push(from);
    if (turns.isOver) await turns.next();
  }
  const levels = await levelsOf(tasks, dependents, blockers, turns);
  const path = await criticalPath(tasks, levels, blockers, turns);
  if (turns.isOver) await turns.next();
  const critical = new Set(path.task_ids);
  const levelOf = new Map(levels.flatMap((ids, level) => ids.map((id) => [id, level] as const)));
  const nodes = tasks.map((task) => ({
    ...task,
    level: levelOf.get(task.id) ?? 0,
    is_critical: critical.has(task.id),
  }));
  return { nodes, edges: [...edges], levels, critical_path: path };
}

function listIn(lists: Map<string, string[]>, key: string): string[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

type Neighbours = ReadonlyMap<string, readonly string[]>;

/** Tasks of a level wait only for tasks of earlier levels. */
async function levelsOf(
  tasks: readonly GraphTask[],
  dependents: Neighbours,
  blockers: Neighbours,
  turns: Pick<Turns, 'isOver' | 'next'>,
): Promise<string[][]> {
  const waiting = new Map(tasks.map(({ id }) => [id, blockers.get(id)?.length ?? 0]));
  const levels: string[][] = [];
  let level = tasks.filter(({ id }) => waiting.get(id) === 0).map(({ id }) => id);
  while (level.length > 0) {
    levels.push(level);
    const freed: string[] = [];
    for (const dependent of level.flatMap((id) => dependents.get(id) ?? [])) {
      const left = (waiting.get(dependent) ?? 0) - 1;
      waiting.set(dependent, left);
      if (left === 0) freed.push(dependent);
      if (turns.isOver) await turns.next();
    }
    level = freed;
  }
  return levels;
}

/** The chain of open tasks with the most estimated hours; among equal ones, the one with more tasks. */
async function criticalPath(
  tasks: readonly GraphTask[],
  levels: readonly string[][],
  blockers: Neighbours,
  turns: Pick<Turns, 'isOver' | 'next'>,
): Promise<TaskGraph['critical_path']> {
  const open = new Map(tasks.filter(isOpen).map((task) => [task.id, task]));
  const chains = new Map<string, Chain>();
  let last: string | null = null;
  for (const id of levels.flat()) {
    if (turns.isOver) await turns.next();
    const task = open.get(id);
    if (task === undefined) continue;
    const before = longest(blockers.get(id) ?? [], chains);
    const { hours, length } = chains.get(before ?? '') ?? { hours: 0, length: 0 };
    chains.set(id, { hours: hours + (task.estimate ?? 0), length: length + 1, before });
    last = longest([...(last === null ? [] : [last]), id], chains);
  }
  const path: string[] = [];
  for (let id = last; id !== null; id = chains.get(id)?.before ?? null) path.unshift(id);
  const hours = last === null ? 0 : (chains.get(last)?.hours ?? 0);
  return { task_ids: path, hours: Math.round(hours * 10_000) / 10_000 };
}

function longest(ids: readonly string[], chains: ReadonlyMap<string, Chain>): string | null {
  let best: string | null = null;
  for (const id of ids) {
    const chain = chains.get(id);
    if (chain === undefined) continue;
    const other = best === null ? undefined : chains.get(best);
    const isLonger =
      other === undefined || chain.hours > other.hours || (chain.hours === other.hours && chain.length > other.length);
    if (isLonger) best = id;
  }
  return best;
}

/** The key and the title of a task, as pictures show it. */
export const displayedName = ({ key, title }: Pick<GraphTask, 'key' | 'title'>): string =>
  key === null ? title : `${key} ${title}`;
