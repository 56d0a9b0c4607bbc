import { resourcesOf } from '../../src/access/visibility/visibility.js';
import { Database } from '../../src/platform/database/database.js';
import { InProcessApp } from '../support/in-process-app.js';
import { rowsRead } from '../support/rows-read.js';

describe('the resources that a user can see', () => {
  let app: InProcessApp;

  beforeAll(async () => {
    app = await InProcessApp.open();
  });

  afterAll(() => app.close());

  it('are found without reading the tasks of the endeavours', async () => {
    const [ann, mia] = [await app.person('Ann'), await app.person('Mia')];
    const organization = await app.organization(ann);
    const garden = await app.endeavour(ann, { organization_id: organization });
    await app.join(garden, mia, 'member');
    const crew = { name: 'Crew', type: 'team', organization_id: organization };
    const { body } = await app.as(ann).post('/resources').send(crew).expect(201);
    for (let n = 0; n < 30; n += 1) await app.task(ann, garden);
    await app.task(ann, garden, { assignee_id: body.data.id });
    const database = app.nest.get(Database);
    let found: { resource_id: string }[] = [];
    const read = await rowsRead(app, 'tasks', async () => {
      found = await database.query(`SELECT resource_id FROM (${resourcesOf()}) seen`, [mia.id]);
    });
    expect(found.map(({ resource_id }) => resource_id)).toContain(body.data.id);
    expect(read).toBeLessThan(5);
  });
});
