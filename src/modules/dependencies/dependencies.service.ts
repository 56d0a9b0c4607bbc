import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller.js';
import { conflict } from '../../common/errors.js';
import { isId } from '../../common/ids.js';
import { describeDetails } from '../../platform/http/document/refusals.js';
import { DependenciesRepository, type HeldDependent } from './dependencies.repository.js';
import { directed, graphOf, GRAPHS, MOST_EDGES, pathTo, type Edge, type Graph } from './dependency.rules.js';

describeDetails('conflict', {
  path: {
    type: 'array',
    items: { type: 'string' },
    description:
      'With `cycle`: the ids on the path that would close the cycle, from the target of the dependency to its source.',
  },
  limit: {
    type: 'integer',
    description: 'With `too_many_dependencies`: the maximum number of dependencies and parts of a task.',
  },
});

const isBetweenTasks = ({ source, target }: Edge): boolean => isId('task', source) && isId('task', target);

/** Which tasks wait for which: no cycles and not too many edges within an endeavour, and who is unblocked by a change. */
@Injectable()
export class DependenciesService {
  constructor(private readonly repository: DependenciesRepository) {}

  /**
   * Locks the task whose count a relation changes. Comes before the locks of the ends, because patches lock the row of a
   * task before its entity row. Undefined where the relation is no dependency between tasks, or the task is not visible.
   */
  async hold(me: Caller, edge: Edge): Promise<HeldDependent | undefined> {
    const isDependency = ['depends_on', 'blocks'].includes(edge.type) && isBetweenTasks(edge);
    return isDependency ? this.repository.holdDependent(me, directed(edge).from) : undefined;
  }

  /**
   * Refuses the relation that would close a cycle, or be one too many. Only edges within one endeavour count. Clients who
   * add edges there wait for each other, so that two which only together close a cycle are not both let through.
   *
   * @param places - the endeavours of source and target
   */
  async assertMayAdd(edge: Edge, places: readonly [source: string | null, target: string | null]): Promise<void> {
    const graph = graphOf(edge.type);
    const [endeavourId] = places;
    if (graph === undefined || endeavourId !== places[1]) return;
    await this.repository.lockGraphs(endeavourId);
    const { from, to } = directed(edge);
    await this.assertUnreachable(to, from, graph, endeavourId);
    if (endeavourId === null || !isBetweenTasks(edge)) return;
    await this.assertFewEdges([edge.source, edge.target], endeavourId, MOST_EDGES - 1);
  }

  /** Refuses a move by which edges that did not count until now would close a cycle or be too many. */
  async assertMayMove(taskId: string, destination: string, { isLocked = true } = {}): Promise<void> {
    if (!(await this.repository.hasEdges(taskId))) return;
    if (isLocked) await this.repository.lockGraphs(destination);
    if (isLocked) await this.repository.holdBlockers(taskId, destination);
    for (const graph of GRAPHS) await this.assertUnreachable(taskId, taskId, graph, destination);
    await this.assertFewEdges([taskId], destination, MOST_EDGES);
    const neighbours = await this.repository.findNeighbours(taskId, destination);
    await this.assertFewEdges(neighbours, destination, MOST_EDGES - 1);
  }

  /** The open tasks of that endeavour that waited for these, which have been closed or have left it, and for no other. */
  unblockedBy(taskIds: readonly string[], endeavourId: string): Promise<string[]> {
    return this.repository.findUnblockedBy(taskIds, endeavourId);
  }

  /** Whether a task that waited for others is open and waits for nothing any more. */
  async isUnblocked({ id, blockers }: HeldDependent): Promise<boolean> {
    return blockers > 0 && (await this.repository.isUnblocked(id));
  }

  private async assertUnreachable(
    start: string,
    goal: string,
    graph: Graph,
    endeavourId: string | null,
  ): Promise<void> {
    const steps = await this.repository.findPath(start, goal, graph, endeavourId);
    if (steps.length === 0) return;
    // Outside of endeavours there may be things on the way that the caller does not see.
    const details = endeavourId === null ? {} : { path: pathTo(goal, steps) };
    throw conflict('cycle', 'This relation would close a cycle.', details);
  }

  private async assertFewEdges(taskIds: readonly string[], endeavourId: string, allowed: number): Promise<void> {
    if ((await this.repository.countEdges(taskIds, endeavourId)) <= allowed) return;
    const message = `A task can have at most ${MOST_EDGES} dependencies, parents and parts in its endeavour.`;
    throw conflict('too_many_dependencies', message, { limit: MOST_EDGES });
  }
}
