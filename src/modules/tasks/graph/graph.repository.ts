import { Injectable } from '@nestjs/common';
import { timezoneOfEndeavour } from '../../../access/visibility/containers.view.js';
import { keyOfWork } from '../../../access/references/work-keys.view.js';
import { leftJoinResource } from '../../../access/visibility/people.view.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { wireDate } from '../../../platform/database/views/view.js';
import { Database } from '../../../platform/database/database.js';
import type { ListRequest } from '../../../platform/listing/definition.js';
import { conditionOf, ListStatement } from '../../../platform/listing/list-condition.js';
import { BLOCKED_BY } from '../parts/task-neighbours.view.js';
import { graphList } from './graph.list.js';
import { MAX_GRAPH_EDGES, MAX_NODES, type GraphEdge, type GraphTask } from './graph.rules.js';

/** The tasks and edges of a graph. */
export interface GraphRows {
  tasks: GraphTask[];
  edges: GraphEdge[];
}

/** SQL: the tasks that can be reached from a task. Each step is an index lookup, so the cost is that of the result. */
const reachableFrom = (
  name: string,
  task: string,
  endeavour: string,
  [from, to]: readonly string[],
): string => `${name} (id) AS (
  SELECT ${task} UNION SELECT step.id FROM ${name}
  CROSS JOIN LATERAL (SELECT d.${to} AS id FROM task_dependencies d WHERE d.${from} = ${name}.id OFFSET 0) step
  CROSS JOIN LATERAL (SELECT 1 FROM tasks x WHERE x.id = step.id AND (x.endeavour_id = ${endeavour}) IS TRUE LIMIT 1) here)`;

/** Reads graphs of tasks, with one row more than the limits allow, so that the caller can detect larger graphs. */
@Injectable()
export class GraphRepository {
  constructor(private readonly database: Database) {}

  /** The tasks of the endeavour that match the filters and have edges to each other. */
  readAll(me: Caller, endeavourId: string, request: ListRequest): Promise<GraphRows> {
    const p = new ListStatement(me);
    const condition = conditionOf(graphList, request, me, p);
    const isChosen = `(t.endeavour_id = ${p.bind(endeavourId)}) AND ${condition}`;
    return this.read(p, '', { chosen: `SELECT t.id FROM tasks t WHERE ${isChosen}`, isChosen });
  }

  /** The task with its direct and indirect dependencies and dependents that match the filters. */
  readAround(
    me: Caller,
    { id, endeavourId }: { id: string; endeavourId: string },
    request: ListRequest,
  ): Promise<GraphRows> {
    const p = new ListStatement(me);
    const condition = conditionOf(graphList, request, me, p);
    const [task, endeavour] = [`${p.bind(id)}::text`, p.bind(endeavourId)];
    const steps = [
      reachableFrom('needed', task, endeavour, ['task_id', 'blocker_id']),
      reachableFrom('waiting', task, endeavour, ['blocker_id', 'task_id']),
      'near AS (SELECT id FROM needed UNION SELECT id FROM waiting)',
    ];
    const isChosen = `(t.id = ${task} OR (t.id IN (SELECT id FROM near) AND ${condition}))`;
    const chosen = `SELECT own.id FROM near CROSS JOIN LATERAL
      (SELECT t.id FROM tasks t WHERE t.id = near.id AND ${isChosen} LIMIT 1) own`;
    return this.read(p, `${steps.join(', ')},`, { chosen, isChosen, alone: `UNION SELECT ${task}` });
  }

  private async read(
    p: ListStatement,
    steps: string,
    { chosen, isChosen, alone = '' }: { chosen: string; isChosen: string; alone?: string },
  ): Promise<GraphRows> {
    const row = await this.database.one<GraphRows>(
      `WITH RECURSIVE ${steps} chosen AS MATERIALIZED (${chosen}),
       edges AS MATERIALIZED (${edgesBetween(isChosen)} LIMIT ${MAX_GRAPH_EDGES + 1}),
       ends AS (SELECT "from" AS id FROM edges UNION SELECT "to" FROM edges ${alone}),
       nodes AS (SELECT ${NODE}, t.created_at FROM ends
         CROSS JOIN LATERAL (SELECT * FROM tasks t WHERE t.id = ends.id LIMIT 1) t
         ${leftJoinResource('assignee', 't.assignee_id')} ORDER BY t.created_at, t.id LIMIT ${MAX_NODES + 1})
       SELECT (SELECT coalesce(json_agg(row_to_json(edges)), '[]') FROM edges) AS edges,
         (SELECT coalesce(json_agg(to_jsonb(nodes) - 'created_at' ORDER BY nodes.created_at, nodes.id), '[]') FROM nodes) AS tasks
       WHERE ${p.anchor}`,
      p.values,
    );
    return row ?? { tasks: [], edges: [] };
  }
}

/** Relations with the same meaning become one edge. */
const edgesBetween = (isChosen: string): string => `SELECT DISTINCT ON (1, 2, 3)
    CASE l.relationship_type WHEN 'depends_on' THEN l.target_entity_id ELSE l.source_entity_id END AS "from",
    CASE l.relationship_type WHEN 'depends_on' THEN l.source_entity_id ELSE l.target_entity_id END AS "to",
    CASE l.relationship_type WHEN 'parent_of' THEN 'parent' ELSE 'dependency' END AS type,
    l.id AS relation_id
  FROM chosen
  CROSS JOIN LATERAL (SELECT * FROM current_relations l WHERE l.source_entity_id = chosen.id
    AND l.relationship_type IN ('depends_on', 'blocks', 'parent_of') OFFSET 0) l
  CROSS JOIN LATERAL (SELECT 1 FROM tasks t WHERE t.id = l.target_entity_id AND ${isChosen} LIMIT 1) other
  ORDER BY 1, 2, 3, 4`;

const DUE_DATE = wireDate({
  instant: 't.due_date',
  day: 't.due_day',
  timezone: timezoneOfEndeavour('t.endeavour_id'),
});

const NODE = `t.id, ${keyOfWork('t')} AS key, t.title, t.status, t.estimate, ${DUE_DATE} AS due_date, t.assignee_id,
  assignee.name AS assignee_name, t.blocked_by_count, ${BLOCKED_BY} AS blocked_by`;
