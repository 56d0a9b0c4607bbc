import { TestApp, type Person } from '../support/test-app.js';
import { race } from '../support/races.js';

/** The number of concurrent clients; 50 at full size (docs/testing.md). */
const CLIENTS = Number(process.env.RACE_CLIENTS ?? 12);
const TASKS = 14;

interface TaskRow {
  id: string;
  status: string;
  endeavour_id: string;
  blocked_by_count: number;
}
interface RelationRow {
  id: string;
  relationship_type: string;
  source_entity_id: string;
  target_entity_id: string;
}

const OPEN = ['planned', 'active'];

/** The tasks of the same endeavour that each task waits for, derived from the relations. */
function waits(tasks: readonly TaskRow[], relations: readonly RelationRow[]): Map<string, Set<TaskRow>> {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const found = new Map(tasks.map(({ id }) => [id, new Set<TaskRow>()]));
  for (const { relationship_type, source_entity_id, target_entity_id } of relations) {
    const isBackward = relationship_type === 'blocks';
    const [from, to] = isBackward ? [target_entity_id, source_entity_id] : [source_entity_id, target_entity_id];
    const [waiting, blocker] = [byId.get(from), byId.get(to)];
    if (waiting === undefined || blocker === undefined) throw new Error('a relation of a task that is not there');
    if (waiting.endeavour_id === blocker.endeavour_id) found.get(from)?.add(blocker);
  }
  return found;
}

/** Tasks that wait for themselves, directly or through other tasks. */
function cycles(edges: Map<string, Set<TaskRow>>): string[] {
  return [...edges.keys()].filter((start) => {
    const seen = new Set<string>();
    const next = [start];
    for (let id = next.pop(); id !== undefined; id = next.pop()) {
      for (const { id: blocker } of edges.get(id) ?? []) {
        if (blocker === start) return true;
        if (!seen.has(blocker)) next.push(blocker);
        seen.add(blocker);
      }
    }
    return false;
  });
}

describe('dependencies under concurrency', () => {
  let app: TestApp;
  let ann: Person;
  let places: string[];
  let ids: string[];

  beforeAll(async () => {
    app = await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '1000000', LIMIT_REQUESTS_AT_ONCE: '1000' });
    ann = await app.admin('Ann');
    places = [await app.endeavour(ann), await app.endeavour(ann)];
    ids = [];
    for (let n = 0; n < TASKS; n += 1) ids.push(await app.task(ann, places[n % 5 === 0 ? 1 : 0]));
  });

  afterAll(() => app.close());

  const any = <T>(among: readonly T[]): T => among[Math.floor(Math.random() * among.length)];
  const tasks = () => app.database.query<TaskRow>('SELECT id, status, endeavour_id, blocked_by_count FROM tasks');
  const relations = () => app.database.query<RelationRow>('SELECT * FROM relations WHERE deleted_at IS NULL');
  const patch = (body: object) =>
    app
      .as(ann)
      .patch(`/tasks/${any(ids)}`)
      .send(body);
  const link = () => {
    const ends = { source_entity_type: 'task', target_entity_type: 'task' };
    const [source_entity_id, target_entity_id] = [any(ids), any(ids)];
    const relationship_type = any(['depends_on', 'blocks']);
    return app
      .as(ann)
      .post('/relations')
      .send({ relationship_type, source_entity_id, target_entity_id, ...ends });
  };

  const act = (links: readonly RelationRow[]) => {
    const choice = Math.random();
    if (choice < 0.4 || links.length === 0) return link();
    if (choice < 0.55) return app.as(ann).delete(`/relations/${any(links).id}`);
    if (choice < 0.7) return patch({ status: 'canceled', canceled_reason: 'Raced' });
    if (choice < 0.8) return patch({ status: 'planned' });
    if (choice < 0.87) return patch({ status: 'active' });
    if (choice < 0.93) return patch({ status: 'done' });
    return patch({ endeavour_id: any(places) });
  };

  race('keep blocked_by_count correct and never form a cycle', 25, async () => {
    const links = await relations();
    const responses = await Promise.all(Array.from({ length: CLIENTS }, () => act(links)));
    expect(
      responses.filter(({ status }) => ![200, 201, 400, 404, 409].includes(status)).map(({ body }) => body),
    ).toEqual([]);
    const rows = await tasks();
    const edges = waits(rows, await relations());
    const expected = rows.map(({ id }) => [
      id,
      [...(edges.get(id) ?? [])].filter(({ status }) => OPEN.includes(status)).length,
    ]);
    expect(rows.map((row) => [row.id, row.blocked_by_count])).toEqual(expected);
    expect(cycles(edges)).toEqual([]);
  });
});
