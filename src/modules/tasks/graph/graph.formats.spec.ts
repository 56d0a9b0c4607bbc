import { asPicture } from './graph.formats.js';
import { MAX_GRAPH_EDGES, MAX_NODES, taskGraphOf, type GraphEdge, type GraphTask } from './graph.rules.js';

describe('the largest graph', () => {
  const idOf = (n: number): string => `tsk_${String(n).padStart(32, '0')}`;
  const title = 'Paint the gate of the garden '.repeat(17);
  const tasks = Array.from({ length: MAX_NODES }, (_, n): GraphTask => ({
    id: idOf(n),
    key: null,
    title,
    status: 'planned',
    estimate: 1,
    due_date: null,
    assignee_id: null,
    assignee_name: null,
    blocked_by_count: 0,
    blocked_by: [],
  }));
  const half = MAX_NODES / 2;
  const edges = Array.from({ length: MAX_GRAPH_EDGES }, (_, n): GraphEdge => ({
    from: idOf(n % half),
    to: idOf(half + ((n * 7) % half)),
    type: 'dependency',
    relation_id: idOf(n),
  }));

  it.each([
    ['svg', '<path class="dependency', '</svg>\n'],
    ['mermaid', ' --> ', '\n'],
    ['dot', ' -> ', '}\n'],
  ] as const)('as a picture (%s) is rendered in turns with other requests', async (format, edge, end) => {
    let others = 0;
    let isRendered = false;
    const count = (): void => {
      others += 1;
      if (!isRendered) setImmediate(count);
    };
    setImmediate(count);
    const { body } = await asPicture(await taskGraphOf(tasks, edges), format);
    isRendered = true;
    expect(others).toBeGreaterThan(0);
    expect(body.split(edge)).toHaveLength(MAX_GRAPH_EDGES + 1);
    expect(body.endsWith(end)).toBe(true);
  });

  it('is computed in turns with other requests', async () => {
    let count = 0;
    const turns = { isOver: true, next: () => Promise.resolve(void (count += 1)) };
    const graph = await taskGraphOf(tasks, edges, turns);
    expect(count).toBeGreaterThan(MAX_NODES + 2 * MAX_GRAPH_EDGES);
    expect(graph).toEqual(await taskGraphOf(tasks, edges));
    expect(graph.levels.map((ids) => ids.length)).toEqual([half, half]);
    expect(graph.critical_path).toEqual({ task_ids: [idOf(0), idOf(half)], hours: 2 });
  });
});
