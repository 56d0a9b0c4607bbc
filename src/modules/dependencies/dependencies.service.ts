import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { conflict, type ApiError } from '../../common/errors.js';
import { isId } from '../../common/ids.js';
import { describeDetails } from '../../platform/http/openapi/refusals.js';
import { DependenciesRepository, type LockedDependent } from './dependencies.repository.js';
import {
  directed,
  dependencyGraphOf,
  GRAPHS,
  KnownEdges,
  MAX_EDGES_PER_TASK,
  MAX_LEVELS,
  pathTo,
  type Edge,
  type DependencyGraph,
} from './dependency.rules.js';

describeDetails('conflict', {
  path: {
    type: 'array',
    items: { type: 'string' },
    description:
      'With `cycle`: the ids on the path that would close the cycle, from the target of the dependency to its source.',
  },
  limit: {
    type: 'integer',
    description:
      'With `too_many_dependencies`: the maximum number of dependencies and parts of a task; with `too_deep`: of levels of parts.',
  },
});

/** The edges that several new relations can close a cycle with, by graph; each graph that is too large is absent. */
export type CycleSearch = ReadonlyMap<DependencyGraph, KnownEdges>;

const isBetweenTasks = ({ source, target }: Edge): boolean => isId('task', source) && isId('task', target);

/** Rejects dependencies that form a cycle or exceed the limit, and finds tasks that a change unblocks. */
@Injectable()
export class DependenciesService {
  constructor(private readonly repository: DependenciesRepository) {}

  /**
   * Locks the task whose count of blocking tasks a relation changes. Called before the ends of the relation are locked,
   * because a patch locks the row of a task before its entity row. Returns undefined if the relation is not a dependency
   * between tasks, or the task is not visible.
   */
  async lockDependent(me: Caller, edge: Edge): Promise<LockedDependent | undefined> {
    const isDependency = ['depends_on', 'blocks'].includes(edge.type) && isBetweenTasks(edge);
    return isDependency ? this.repository.lockDependent(me, directed(edge).from) : undefined;
  }

  /** Locks the task that a relation gives a part, so that it is not closed meanwhile without regard to the part. */
  async lockParent(me: Caller, edge: Edge): Promise<void> {
    if (edge.type === 'parent_of' && isBetweenTasks(edge)) await this.repository.lockDependent(me, edge.source);
  }

  /**
   * Rejects a relation that would close a cycle or exceed the limit. Only edges within one endeavour count. Transactions
   * that add edges in the same endeavour wait for each other, so that two edges cannot close a cycle together.
   *
   * @param places - the endeavours of source and target
   */
  async assertMayAdd(
    edge: Edge,
    places: readonly [source: string | null, target: string | null],
    search?: CycleSearch,
  ): Promise<void> {
    const graph = dependencyGraphOf(edge.type);
    const [endeavourId] = places;
    if (graph === undefined || endeavourId !== places[1]) return;
    await this.repository.lockGraphs(endeavourId);
    const { from, to } = directed(edge);
    const known = search?.get(graph);
    if (known === undefined || known.reaches(to, from)) await this.assertUnreachable(to, from, graph, endeavourId);
    if (endeavourId === null || !isBetweenTasks(edge)) return;
    await this.assertEdgeLimit([edge.source, edge.target], endeavourId, MAX_EDGES_PER_TASK - 1);
    if (edge.type === 'parent_of') await this.assertMayContain(edge, endeavourId);
    known?.add(from, to);
  }

  /**
   * Searches once for the cycles that any of these relations between tasks of the endeavour could close. The result is
   * valid until the end of the transaction, which no other one that adds edges there can overtake.
   */
  async searchCycles(edges: readonly Edge[], endeavourId: string): Promise<CycleSearch> {
    await this.repository.lockGraphs(endeavourId);
    const search = new Map<DependencyGraph, KnownEdges>();
    for (const graph of GRAPHS) {
      const own = edges.filter(({ type }) => dependencyGraphOf(type) === graph);
      if (own.length === 0) continue;
      const starts = [...new Set(own.map((edge) => directed(edge).to))];
      const found = await this.repository.edgesFrom(starts, graph, endeavourId);
      if (found === undefined) continue;
      const known = new KnownEdges();
      for (const { from, to } of found) known.add(from, to);
      search.set(graph, known);
    }
    return search;
  }

  /** Rejects a move that would make existing edges form a cycle or exceed the limit. */
  async assertMayMove(taskId: string, destination: string, { isLocked = true } = {}): Promise<void> {
    if (!(await this.repository.hasEdges(taskId))) return;
    if (isLocked) await this.repository.lockGraphs(destination);
    if (isLocked) await this.repository.lockBlockers(taskId, destination);
    for (const graph of GRAPHS) await this.assertUnreachable(taskId, taskId, graph, destination);
    await this.assertEdgeLimit([taskId], destination, MAX_EDGES_PER_TASK);
    const neighbours = await this.repository.findNeighbours(taskId, destination);
    await this.assertEdgeLimit(neighbours, destination, MAX_EDGES_PER_TASK - 1);
    const { parents, above, below } = await this.repository.placeOf(taskId, destination);
    assertOneParent(parents);
    if (await this.repository.sharesParts(taskId, destination)) throw secondParent();
    assertDepth(above + below);
  }

  /** Returns the open tasks in that endeavour that were blocked only by these tasks, which have been closed or moved. */
  unblockedBy(taskIds: readonly string[], endeavourId: string): Promise<string[]> {
    return this.repository.findUnblockedBy(taskIds, endeavourId);
  }

  /** Whether a task that was blocked is open and no longer blocked. */
  async isUnblocked({ id, blockers }: LockedDependent): Promise<boolean> {
    return blockers > 0 && (await this.repository.isUnblocked(id));
  }

  private async assertUnreachable(
    start: string,
    goal: string,
    graph: DependencyGraph,
    endeavourId: string | null,
  ): Promise<void> {
    const steps = await this.repository.findPath(start, goal, graph, endeavourId);
    if (steps.length === 0) return;
    // Outside of endeavours, the path can contain entities that the caller cannot see.
    const details = endeavourId === null ? {} : { path: pathTo(goal, steps) };
    throw conflict('cycle', 'This relation would close a cycle.', details);
  }

  /** Rejects a second parent, and more levels of parts than {@link MAX_LEVELS}. */
  private async assertMayContain({ source, target }: Edge, endeavourId: string): Promise<void> {
    const [parent, part] = [
      await this.repository.placeOf(source, endeavourId),
      // That it is a part of this task already is reported as a duplicate.
      await this.repository.placeOf(target, endeavourId, source),
    ];
    assertOneParent(part.parents + 1);
    assertDepth(parent.above + 1 + part.below);
  }

  private async assertEdgeLimit(taskIds: readonly string[], endeavourId: string, allowed: number): Promise<void> {
    if ((await this.repository.countEdges(taskIds, endeavourId)) <= allowed) return;
    const message = `A task can have at most ${MAX_EDGES_PER_TASK} dependencies, parents and parts in its endeavour.`;
    throw conflict('too_many_dependencies', message, { limit: MAX_EDGES_PER_TASK });
  }
}

const secondParent = (): ApiError => conflict('has_parent', 'A task can be a part of only one task of its endeavour.');

function assertOneParent(parents: number): void {
  if (parents > 1) throw secondParent();
}

function assertDepth(levels: number): void {
  if (levels <= MAX_LEVELS) return;
  const message = `There can be at most ${MAX_LEVELS} levels of parts below a task.`;
  throw conflict('too_deep', message, { limit: MAX_LEVELS });
}
