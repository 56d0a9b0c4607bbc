import { asPicture } from './graph.formats.js';
import { MAX_GRAPH_EDGES, MAX_NODES, taskGraphOf, type GraphEdge, type GraphTask } from './graph.rules.js';

describe('the picture of the largest graph', () => {
  const idOf = (n: number): string => `tsk_${String(n).padStart(32, '0')}`;
  const title = 'Paint the gate of the garden '.repeat(17);
  const tasks = Array.from({ length: MAX_NODES }, (_, n): GraphTask => ({
    id: idOf(n),
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
  ] as const)('as %s is rendered in turns with other requests', async (format, edge, end) => {
    let others = 0;
    let isRendered = false;
    const count = (): void => {
      others += 1;
      if (!isRendered) setImmediate(count);
    };
    setImmediate(count);
    const { body } = await asPicture(taskGraphOf(tasks, edges), format);
    isRendered = true;
    expect(others).toBeGreaterThan(0);
    expect(body.split(edge)).toHaveLength(MAX_GRAPH_EDGES + 1);
    expect(body.endsWith(end)).toBe(true);
  });
});
