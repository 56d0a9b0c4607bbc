import { Injectable } from '@nestjs/common';
import { isVisibleTo } from '../../access/visibility/access-statements.js';
import type { Caller } from '../../access/authentication/caller.js';
import { containerJoins } from '../../access/authorized-resource.js';
import { Database } from '../../platform/database/database.js';
import { EDGE_TYPES, MAX_LEVELS, type DependencyGraph, type Step } from './dependency.rules.js';

const OPEN = `('planned', 'active')`;

/**
 * SQL: whether the row is in that endeavour. `IS TRUE` prevents the use of an index on the endeavour, with which a plan
 * would read all rows of the endeavour instead of following relations.
 */
const isIn = (row: string, endeavour: string): string => `(${row}.endeavour_id = ${endeavour}) IS TRUE`;

/**
 * SQL: the entities that can be reached from `$1` within the endeavour `$5`, each with its predecessor; `$2` is the goal.
 * The entity is found by a subquery and not by a join: a plan that PostgreSQL made and kept while the tables were small
 * would join all entities with each relation.
 */
const REACHED = `WITH RECURSIVE reached (id, via) AS (
   SELECT $1::text, NULL::text
   UNION
   SELECT next.id, reached.id FROM reached JOIN LATERAL (
     SELECT l.target_entity_id AS id FROM current_relations l
     WHERE l.source_entity_id = reached.id AND l.relationship_type = ANY($3)
     UNION ALL
     SELECT l.source_entity_id FROM current_relations l
     WHERE l.target_entity_id = reached.id AND l.relationship_type = ANY($4)
   ) next ON reached.via IS NULL OR reached.id <> $2
   WHERE (SELECT x.deleted_at IS NULL AND (x.endeavour_id IS NOT DISTINCT FROM $5 OR x.id = $2)
     FROM entities x WHERE x.id = next.id)
)`;

/** A search that finds more edges than this is too large to be kept. */
const MAX_KNOWN_EDGES = 200_000;

/** SQL: the edges within the endeavour `$4` that can be reached from the entities `$1`, in any number of steps. */
const EDGES_FROM = `WITH RECURSIVE reached (id) AS (
   SELECT unnest($1::text[])
   UNION
   SELECT next.id FROM reached JOIN LATERAL (${nextOf('reached')}) next ON true
   WHERE (SELECT x.deleted_at IS NULL AND x.endeavour_id = $4 FROM entities x WHERE x.id = next.id)
 ) SELECT r.id AS "from", next.id AS "to" FROM reached r JOIN LATERAL (${nextOf('r')}) next ON true LIMIT $5`;

/** SQL: the blockers of the entity of the row, by relations of the types `$2` and, in the other direction, `$3`. */
function nextOf(row: string): string {
  return `SELECT l.target_entity_id AS id FROM current_relations l
     WHERE l.source_entity_id = ${row}.id AND l.relationship_type = ANY($2)
     UNION ALL
     SELECT l.source_entity_id FROM current_relations l
     WHERE l.target_entity_id = ${row}.id AND l.relationship_type = ANY($3)`;
}

const PARENTS = ` UNION SELECT l.source_entity_id FROM current_relations l
    WHERE l.target_entity_id = own.id AND l.relationship_type = 'parent_of'`;

/**
 * SQL that locks the task `own` and the tasks of its endeavour that depend on it or, `withParents`, contain it, in the
 * order of their ids, if the condition on `own` holds. It is evaluated before `own` is locked, so that clients that close
 * dependent tasks do not deadlock.
 */
export const lockDependents = (
  condition: string,
  { withParents = false } = {},
): string => `CROSS JOIN LATERAL (SELECT count(*) AS held FROM (
  SELECT 1 FROM task_states p WHERE ${condition} AND (p.endeavour_id = own.endeavour_id) IS TRUE AND p.id = ANY(ARRAY(
    SELECT own.id UNION SELECT d.task_id FROM task_dependencies d WHERE d.blocker_id = own.id${withParents ? PARENTS : ''}))
  ORDER BY p.id FOR NO KEY UPDATE) locked) dependents`;

/** SQL: the number of levels of tasks of the endeavour `$2` that contain the task `$1` or, the other way, are parts of it. */
const levels = (own: 'source' | 'target', other: 'source' | 'target'): string => `(WITH RECURSIVE chain (id, level) AS (
    SELECT $1::text, 0 UNION SELECT step.id, chain.level + 1 FROM chain
    CROSS JOIN LATERAL (SELECT l.${other}_entity_id AS id FROM current_relations l
      WHERE l.${own}_entity_id = chain.id AND l.relationship_type = 'parent_of' OFFSET 0) step
    CROSS JOIN LATERAL (SELECT 1 FROM task_states t WHERE t.id = step.id AND ${isIn('t', '$2')} LIMIT 1) here
    WHERE chain.level <= ${MAX_LEVELS}) SELECT max(chain.level) FROM chain)`;

/** Where a task is among the parts of others: the number of its parents, and of the levels above and below it. */
export interface PartPlace {
  parents: number;
  above: number;
  below: number;
}

/** The locked dependent task, with the number of tasks that blocked it before the change. */
export interface LockedDependent {
  id: string;
  blockers: number;
}

/** Reads and locks dependency graphs; triggers maintain the counts of blocking tasks. */
@Injectable()
export class DependenciesRepository {
  constructor(private readonly database: Database) {}

  /** Locks the dependent task after its container and before any entity row, in the same order as a patch. */
  lockDependent(me: Caller, id: string): Promise<LockedDependent | undefined> {
    return this.database.one<LockedDependent>(
      `SELECT own.id, own.blocked_by_count AS blockers, c.status FROM entities x JOIN task_states own ON own.id = x.id
       ${containerJoins('FOR KEY SHARE')} WHERE x.id = $2 AND ${isVisibleTo(me, 'task')} FOR NO KEY UPDATE OF own`,
      [me.userId, id],
    );
  }

  /** Prevents other transactions from adding edges in that endeavour (null: outside of endeavours) until this one ends. */
  async lockGraphs(endeavourId: string | null): Promise<void> {
    await this.database.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 11))', [`edges ${endeavourId ?? ''}`]);
  }

  /** Returns the steps of a search for the goal; empty if the goal cannot be reached. */
  async findPath(start: string, goal: string, graph: DependencyGraph, endeavourId: string | null): Promise<Step[]> {
    const values = [start, goal, graph.forward, graph.backward, endeavourId];
    const isReached = `${REACHED} SELECT 1 FROM reached WHERE id = $2 AND via IS NOT NULL LIMIT 1`;
    if ((await this.database.one(isReached, values)) === undefined) return [];
    return this.database.query<Step>(`${REACHED} SELECT id, via FROM reached`, values);
  }

  /** Returns the edges that can be reached from these entities; undefined if there are too many to keep. */
  async edgesFrom(
    ids: readonly string[],
    { forward, backward }: DependencyGraph,
    endeavourId: string,
  ): Promise<{ from: string; to: string }[] | undefined> {
    const values = [ids, forward, backward, endeavourId, MAX_KNOWN_EDGES + 1];
    const edges = await this.database.query<{ from: string; to: string }>(EDGES_FROM, values);
    return edges.length > MAX_KNOWN_EDGES ? undefined : edges;
  }

  /** Returns the largest number of edges of one of the tasks; only edges to tasks in that endeavour count. */
  async countEdges(taskIds: readonly string[], endeavourId: string): Promise<number> {
    const towards = (own: string, other: string): string => `SELECT 1 FROM current_relations l
      JOIN task_states o ON o.id = l.${other}_entity_id AND ${isIn('o', '$2')}
      WHERE l.${own}_entity_id = own.id AND l.relationship_type = ANY($3)`;
    const row = await this.database.one<{ most: number }>(
      `SELECT max(counted.edges)::integer AS most FROM unnest($1::text[]) AS own (id) CROSS JOIN LATERAL (
         SELECT count(*) AS edges FROM (${towards('source', 'target')} UNION ALL ${towards('target', 'source')}) edge
       ) counted`,
      [taskIds, endeavourId, EDGE_TYPES],
    );
    return row?.most ?? 0;
  }

  /** The place of a task among the parts of the endeavour; one of its parents can be left out. */
  async placeOf(taskId: string, endeavourId: string, exceptParent = ''): Promise<PartPlace> {
    const row = await this.database.one<PartPlace>(
      `SELECT ${levels('target', 'source')} AS above, ${levels('source', 'target')} AS below,
         (SELECT count(*)::integer FROM current_relations l JOIN task_states t ON t.id = l.source_entity_id
          WHERE l.target_entity_id = $1 AND l.relationship_type = 'parent_of' AND l.source_entity_id <> $3 AND ${isIn('t', '$2')}) AS parents`,
      [taskId, endeavourId, exceptParent],
    );
    return row ?? { parents: 0, above: 0, below: 0 };
  }

  /** Whether a task with a part in that endeavour would not be the only parent of the part there. */
  async sharesParts(taskId: string, endeavourId: string): Promise<boolean> {
    const within = (own: string): string =>
      `EXISTS (SELECT 1 FROM task_states t WHERE t.id = ${own} AND ${isIn('t', '$2')})`;
    const row = await this.database.one(
      `SELECT 1 FROM current_relations l JOIN current_relations other ON other.target_entity_id = l.target_entity_id
         AND other.relationship_type = 'parent_of' AND other.source_entity_id <> l.source_entity_id
       WHERE l.source_entity_id = $1 AND l.relationship_type = 'parent_of'
         AND ${within('l.target_entity_id')} AND ${within('other.source_entity_id')} LIMIT 1`,
      [taskId, endeavourId],
    );
    return row !== undefined;
  }

  async hasEdges(taskId: string): Promise<boolean> {
    const row = await this.database.one(
      `SELECT 1 FROM current_relations l WHERE (l.source_entity_id = $1 OR l.target_entity_id = $1)
         AND l.relationship_type = ANY($2) LIMIT 1`,
      [taskId, EDGE_TYPES],
    );
    return row !== undefined;
  }

  /** Returns the tasks in that endeavour that share an edge with the task. */
  async findNeighbours(taskId: string, endeavourId: string): Promise<string[]> {
    const towards = (own: string, other: string): string => `SELECT l.${other}_entity_id FROM current_relations l
      WHERE l.${own}_entity_id = $1 AND l.relationship_type = ANY($3)`;
    const rows = await this.database.query<{ id: string }>(
      `SELECT t.id FROM task_states t WHERE ${isIn('t', '$2')}
         AND t.id = ANY(ARRAY(${towards('source', 'target')} UNION ALL ${towards('target', 'source')}))`,
      [taskId, endeavourId, EDGE_TYPES],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Locks the tasks in the endeavour that block the task, so that they are neither closed nor moved until the transaction
   * ends.
   */
  async lockBlockers(taskId: string, endeavourId: string): Promise<void> {
    await this.database.query(
      `SELECT 1 FROM entities x WHERE ${isIn('x', '$2')}
         AND x.id = ANY(ARRAY(SELECT d.blocker_id FROM task_dependencies d WHERE d.task_id = $1)) ORDER BY x.id FOR SHARE`,
      [taskId, endeavourId],
    );
  }

  /** Returns the open tasks in that endeavour that depend on these tasks and are no longer blocked. */
  async findUnblockedBy(taskIds: readonly string[], endeavourId: string): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT t.id FROM task_states t
       WHERE t.id = ANY(ARRAY(SELECT d.task_id FROM task_dependencies d WHERE d.blocker_id = ANY($1::text[])))
         AND ${isIn('t', '$2')} AND t.blocked_by_count = 0 AND t.status IN ${OPEN}`,
      [taskIds, endeavourId],
    );
    return rows.map(({ id }) => id);
  }

  /** Whether the task is open and not blocked. */
  async isUnblocked(taskId: string): Promise<boolean> {
    const row = await this.database.one(
      `SELECT 1 FROM task_states t WHERE t.id = $1 AND t.blocked_by_count = 0 AND t.status IN ${OPEN}`,
      [taskId],
    );
    return row !== undefined;
  }
}
