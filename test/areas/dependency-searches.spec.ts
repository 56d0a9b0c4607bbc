import type { Database } from '../../src/platform/database/database.js';
import { DependenciesRepository } from '../../src/modules/dependencies/dependencies.repository.js';
import { InProcessApp } from '../support/in-process-app.js';
import { rowsReadAfterFilling } from '../support/rows-read.js';

const GRAPH = { forward: ['depends_on'], backward: ['blocks'] };

describe('a search for a cycle of dependencies', () => {
  let app: InProcessApp;

  beforeAll(async () => {
    app = await InProcessApp.open();
  });

  afterAll(() => app.close());

  it('does not read all relations for each of them with a plan that was made while there were few', async () => {
    const ann = await app.person('Ann');
    const garden = await app.endeavour(ann);
    const [hub, goal] = [await app.task(ann, garden), await app.task(ann, garden)];
    const addDependencies = async (database: Database) => {
      await database.query(
        `WITH numbers AS (SELECT lpad(to_hex(n), 32, '0') AS n FROM generate_series(1, 100) n),
           placed AS (INSERT INTO entities (id, kind, endeavour_id, title)
             SELECT 'tsk_' || n, 'task', $1, 'Many' FROM numbers
             UNION ALL SELECT 'rel_' || n, 'relation', $1, 'depends_on' FROM numbers)
         INSERT INTO tasks (id, title, endeavour_id, owner_id, creator_id)
           SELECT 'tsk_' || n, 'Many', $1, $2, $2 FROM numbers`,
        [garden, ann.resourceId],
      );
      await database.query(
        `INSERT INTO relations (id, relationship_type, source_entity_type, source_entity_id, target_entity_type,
           target_entity_id, created_by)
         SELECT 'rel_' || substr(t.id, 5), 'depends_on', 'task', $1, 'task', t.id, $2 FROM tasks t WHERE t.title = 'Many'`,
        [hub, ann.resourceId],
      );
    };
    const dependencies = app.nest.get(DependenciesRepository, { strict: false });
    const search = () => dependencies.findPath(hub, goal, GRAPH, garden);
    expect(await rowsReadAfterFilling(app, 'relations', search, addDependencies)).toBeLessThan(100 * 10);
  });
});
