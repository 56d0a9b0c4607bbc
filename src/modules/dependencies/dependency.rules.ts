/** A relation as far as the graphs care: its type and its two ends. */
export interface Edge {
  type: string;
  source: string;
  target: string;
}

/** Relations that together must not form a cycle; an edge goes from what waits to what it waits for. */
export interface Graph {
  /** Types whose source waits for their target. */
  forward: readonly string[];
  /** Types whose target waits for their source. */
  backward: readonly string[];
}

/** `A depends_on B` and `B blocks A` are the same edge. */
const WAITING: Graph = { forward: ['depends_on'], backward: ['blocks'] };
const PARENTS: Graph = { forward: ['parent_of'], backward: [] };

export const GRAPHS: readonly Graph[] = [WAITING, PARENTS];

/** All types of relations that are edges of a graph. */
export const EDGE_TYPES: readonly string[] = GRAPHS.flatMap(({ forward, backward }) => [...forward, ...backward]);

/** How many edges a task may have to tasks of its own endeavour. */
export const MOST_EDGES = 500;

/** The graph that a type of relation belongs to; undefined where cycles do no harm. */
export const graphOf = (type: string): Graph | undefined =>
  GRAPHS.find(({ forward, backward }) => forward.includes(type) || backward.includes(type));

/** The edge in its graph: `from` waits for `to`. */
export const directed = ({ type, source, target }: Edge): { from: string; to: string } =>
  type === 'blocks' ? { from: target, to: source } : { from: source, to: target };

/** One edge on which the search came to a thing, and from where; null where it began. */
export interface Step {
  id: string;
  via: string | null;
}

/** The way that the search took to its goal: every thing on it, from the beginning to the goal. */
export function pathTo(goal: string, steps: readonly Step[]): string[] {
  const cameFrom = new Map<string, string>();
  for (const { id, via } of steps) if (via !== null && !cameFrom.has(id)) cameFrom.set(id, via);
  const [start] = steps;
  const path = [goal];
  for (let at = cameFrom.get(goal); at !== undefined; at = at === start.id ? undefined : cameFrom.get(at)) {
    path.unshift(at);
  }
  return path;
}
