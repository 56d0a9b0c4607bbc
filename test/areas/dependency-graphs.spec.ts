import { TestApp, type Person } from '../support/test-app.js';

interface Node {
  id: string;
  level: number;
  is_critical: boolean;
  blocked_by: string[];
}

describe('a dependency graph', () => {
  let app: TestApp;
  let ann: Person;
  let garden: string;
  let [foundation, wall, roof, door, garage, lone]: string[] = [];

  beforeAll(async () => {
    app = await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000' });
    ann = await app.person('Ann', { tier: 3 });
    garden = await app.endeavour(ann);
    const task = (title: string, estimate?: number) => app.task(ann, garden, { title, estimate });
    foundation = await task('Foundation', 8);
    wall = await task('Wall <script>alert("1")</script> & more than fits', 5);
    roof = await task('Roof', 3);
    door = await task('Door', 4);
    garage = await task('Garage');
    lone = await task('Lone');
    await relate(wall, 'depends_on', foundation);
    await relate(foundation, 'blocks', wall);
    await relate(roof, 'depends_on', wall);
    await relate(wall, 'blocks', door);
    await relate(garage, 'parent_of', door);
  });

  afterAll(() => app.close());

  const relate = async (source: string, relationship_type: string, target: string): Promise<void> => {
    const ends = { source_entity_type: 'task', target_entity_type: 'task' };
    const sent = { relationship_type, source_entity_id: source, target_entity_id: target, ...ends };
    await app.as(ann).post('/relations').send(sent).expect(201);
  };
  const graph = async (path: string) => (await app.as(ann).get(path).expect(200)).body.data;
  const ids = ({ nodes }: { nodes: Node[] }) => nodes.map(({ id }) => id);
  const text = async (format: string): Promise<[type: string, text: string]> => {
    const {
      headers,
      text: body,
      body: buffer,
    } = await app.as(ann).get(`/endeavours/${garden}/dependencies?format=${format}`).expect(200);
    return [headers['content-type'], body ?? String(buffer)];
  };

  it('contains tasks, each edge once, levels and the critical path of an endeavour', async () => {
    const { nodes, edges, levels, critical_path } = await graph(`/endeavours/${garden}/dependencies`);
    expect(ids({ nodes })).toEqual([foundation, wall, roof, door, garage]);
    expect(nodes[1]).toEqual({
      id: wall,
      key: 'GARD-2',
      title: 'Wall <script>alert("1")</script> & more than fits',
      status: 'planned',
      estimate: 5,
      due_date: null,
      assignee_id: null,
      assignee_name: null,
      blocked_by_count: 1,
      blocked_by: [foundation],
      level: 1,
      is_critical: true,
    });
    const shown = edges.map(({ from, to, type }: Record<string, string>) => [from, to, type]);
    expect(shown.sort()).toEqual(
      [
        [foundation, wall, 'dependency'],
        [wall, roof, 'dependency'],
        [wall, door, 'dependency'],
        [garage, door, 'parent'],
      ].sort(),
    );
    expect(levels).toEqual([[foundation, garage], [wall], expect.arrayContaining([roof, door])]);
    expect(critical_path).toEqual({ task_ids: [foundation, wall, door], hours: 17 });
  });

  it('of a task contains all its direct and indirect blockers and dependents, or the task alone', async () => {
    expect(ids(await graph(`/tasks/${roof}/dependencies`))).toEqual([foundation, wall, roof]);
    expect(ids(await graph(`/tasks/${foundation}/dependencies`))).toEqual([foundation, wall, roof, door]);
    expect(await graph(`/tasks/${lone}/dependencies`)).toMatchObject({
      nodes: [{ id: lone, level: 0 }],
      edges: [],
      levels: [[lone]],
      critical_path: { task_ids: [lone], hours: 0 },
    });
  });

  it('accepts the filters of the task list, and rejects other parameters', async () => {
    const narrow = await graph(`/endeavours/${garden}/dependencies?search=Foundation`);
    expect(narrow).toEqual({ nodes: [], edges: [], levels: [], critical_path: { task_ids: [], hours: 0 } });
    expect(ids(await graph(`/endeavours/${garden}/dependencies?blocked=true`))).toEqual([wall, roof, door]);
    expect(ids(await graph(`/tasks/${roof}/dependencies?ready=true`))).toEqual([roof]);
    for (const query of ['format=pdf', 'status=odd', 'limit=3', 'endeavour_id=x', 'archived=any']) {
      await app.as(ann).get(`/endeavours/${garden}/dependencies?${query}`).expect(400);
    }
    await app.as(ann).get(`/tasks/${roof}/dependencies?format=pdf`).expect(400);
  });

  it('is the same in an archived endeavour', async () => {
    const shed = await app.endeavour(ann);
    const [floor, shelf] = [await app.task(ann, shed), await app.task(ann, shed)];
    await relate(shelf, 'depends_on', floor);
    const paths = [`/endeavours/${shed}/dependencies`, `/tasks/${shelf}/dependencies`];
    await app.as(ann).post(`/endeavours/${shed}/archive`).send({ reason: 'Built' }).expect(200);
    for (const person of [ann, await app.admin()]) {
      for (const path of paths) {
        const { nodes, edges } = (await app.as(person).get(path).expect(200)).body.data;
        expect(ids({ nodes })).toEqual([floor, shelf]);
        expect(edges).toMatchObject([{ from: floor, to: shelf }]);
      }
    }
  });

  it('leaves closed tasks out of the critical path', async () => {
    const [first, second] = [
      await app.task(ann, garden, { estimate: 90 }),
      await app.task(ann, garden, { estimate: 1 }),
    ];
    await relate(second, 'depends_on', first);
    await app.as(ann).patch(`/tasks/${first}`).send({ status: 'canceled', canceled_reason: 'No' }).expect(200);
    const { nodes, critical_path } = await graph(`/tasks/${second}/dependencies`);
    expect(ids({ nodes })).toEqual([first, second]);
    expect(critical_path).toEqual({ task_ids: [second], hours: 1 });
    await app.as(ann).patch(`/tasks/${second}`).send({ status: 'canceled', canceled_reason: 'No' }).expect(200);
    expect((await graph(`/tasks/${second}/dependencies`)).critical_path).toEqual({ task_ids: [], hours: 0 });
  });

  it('is available as Mermaid, with special characters of titles escaped', async () => {
    const [type, drawn] = await text('mermaid');
    expect(type).toBe('text/vnd.mermaid; charset=utf-8');
    expect(drawn.split('\n')[0]).toBe('flowchart LR');
    expect(drawn).toContain(
      'n1["GARD-2 Wall #60;script#62;alert(#34;1#34;)#60;/script#62; #38; more than fits (planned)"]',
    );
    expect(drawn).toContain('n0 --> n1');
    expect(drawn).toContain('n4 -.-> n3');
    expect(drawn).toContain('class n0,n1,n3 critical');
  });

  it('is available as Graphviz text', async () => {
    const [type, drawn] = await text('dot');
    expect(type).toBe('text/vnd.graphviz; charset=utf-8');
    expect(drawn).toContain(
      String.raw`n1 [label="GARD-2 Wall <script>alert(\"1\")</script> & more than fits (planned)", penwidth=3];`,
    );
    expect(drawn).toContain('n0 -> n1;');
    expect(drawn).toContain('n4 -> n3 [style=dashed];');
  });

  it('is available as SVG without scripts, with all text escaped', async () => {
    const [type, drawn] = await text('svg');
    expect(type).toBe('image/svg+xml; charset=utf-8');
    expect(drawn).toMatch(/^<svg xmlns/);
    expect(drawn).not.toMatch(/<script|onload|href=/);
    expect(drawn).toContain(
      '<title>GARD-2 Wall &lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; more than fits</title>',
    );
    expect(drawn.match(/<g class="node/g)?.length).toBeGreaterThanOrEqual(5);
  });

  it('does not contain tasks of other endeavours', async () => {
    const shed = await app.endeavour(ann);
    const secret = await app.task(ann, shed);
    await relate(lone, 'depends_on', secret);
    expect(ids(await graph(`/tasks/${lone}/dependencies`))).toEqual([lone]);
  });

  it('is rejected above 2,000 tasks, unless filters reduce them', async () => {
    const field = await app.endeavour(ann);
    const hub = await app.task(ann, field, { title: 'Hub' });
    await app.database.query(
      `WITH numbers AS (SELECT 'tsk_' || lpad(to_hex(n), 32, '0') AS id, 'rel_' || lpad(to_hex(n), 32, '0') AS edge
         FROM generate_series(1, 2000) n),
       placed AS (INSERT INTO entities (id, kind, endeavour_id, title)
         SELECT id, 'task', $1, 'Many' FROM numbers UNION ALL SELECT edge, 'relation', $1, 'blocks' FROM numbers RETURNING id)
       INSERT INTO tasks (id, title, endeavour_id, owner_id, creator_id) SELECT id, 'Many', $1, $2, $2 FROM numbers`,
      [field, ann.resourceId],
    );
    // Disables the triggers, one of which locks and counts both tasks of each relation.
    await app.database.query(
      `BEGIN; SET LOCAL session_replication_role = replica;
       INSERT INTO relations (id, relationship_type, source_entity_type, source_entity_id, target_entity_type,
         target_entity_id, created_by)
       SELECT 'rel_' || substr(t.id, 5), 'depends_on', 'task', t.id, 'task', '${hub}', '${ann.resourceId}'
         FROM tasks t WHERE t.title = 'Many';
       UPDATE tasks SET blocked_by_count = 1 WHERE title = 'Many';
       COMMIT`,
    );
    for (const path of [`/endeavours/${field}/dependencies`, `/tasks/${hub}/dependencies`]) {
      const { body } = await app.as(ann).get(path).expect(409);
      expect(body.error.details.reason).toBe('too_large');
    }
    expect(ids(await graph(`/tasks/${hub}/dependencies?ready=true`))).toEqual([hub]);
  });
});
