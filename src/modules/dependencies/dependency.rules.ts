/** A relation in a dependency graph: its type and its two ends. */
export interface Edge {
  type: string;
  source: string;
  target: string;
}

/** Types of relations that must not form a cycle together. An edge leads from a dependent entity to its blocker. */
export interface DependencyGraph {
  /** Types whose source depends on their target. */
  forward: readonly string[];
  /** Types whose target depends on their source. */
  backward: readonly string[];
}

/** `A depends_on B` and `B blocks A` are the same edge. */
const DEPENDENCIES: DependencyGraph = { forward: ['depends_on'], backward: ['blocks'] };
const PARENTS: DependencyGraph = { forward: ['parent_of'], backward: [] };

export const GRAPHS: readonly DependencyGraph[] = [DEPENDENCIES, PARENTS];

/** All types of relations that are edges of a graph. */
export const EDGE_TYPES: readonly string[] = GRAPHS.flatMap(({ forward, backward }) => [...forward, ...backward]);

/** The maximum number of edges of a task to tasks of the same endeavour. */
export const MAX_EDGES_PER_TASK = 500;

/** The most levels of parts below a task that is itself no part. */
export const MAX_LEVELS = 5;

/** Returns the graph of a relation type; undefined if cycles are allowed. */
export const dependencyGraphOf = (type: string): DependencyGraph | undefined =>
  GRAPHS.find(({ forward, backward }) => forward.includes(type) || backward.includes(type));

/** Returns the direction of an edge in its graph: `from` depends on `to`. */
export const directed = ({ type, source, target }: Edge): { from: string; to: string } =>
  type === 'blocks' ? { from: target, to: source } : { from: source, to: target };

/** An entity that a search has reached, and its predecessor; null for the start. */
export interface Step {
  id: string;
  via: string | null;
}

/** Returns the path of a search from its start to the goal. */
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

/** The edges of one graph that are reachable from some entities, kept up to date while edges are added. */
export class KnownEdges {
  private readonly targets = new Map<string, string[]>();

  add(from: string, to: string): void {
    const known = this.targets.get(from);
    if (known === undefined) this.targets.set(from, [to]);
    else known.push(to);
  }

  /** Whether the goal can be reached from the start, which is reached itself. */
  reaches(start: string, goal: string): boolean {
    const seen = new Set([start]);
    for (const id of seen) {
      if (id === goal) return true;
      for (const next of this.targets.get(id) ?? []) seen.add(next);
    }
    return false;
  }
}
