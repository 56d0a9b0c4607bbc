import type pg from 'pg';
import { TestApp, type Person } from '../support/test-app.js';

let app: TestApp;
let ann: Person;
let task: string;
let outside: pg.Client;
beforeAll(async () => {
  app = await TestApp.open();
  ann = await app.person('Ann');
  task = await app.task(ann, await app.endeavour(ann));
});
beforeEach(async () => {
  outside = await app.openConnection();
  await outside.query('BEGIN');
});
afterEach(() => outside.end());
afterAll(() => app.close());

it('lets one of two with the same If-Match through, when both came before either had written', async () => {
  await outside.query('SELECT 1 FROM tasks WHERE id = $1 FOR UPDATE', [task]);
  const patch = async (title: string) => app.as(ann).patch(`/tasks/${task}`).set('If-Match', '"1"').send({ title });
  const responses = [patch('One'), patch('Two')];
  await app.untilLockWaits(responses.length);
  await outside.query('COMMIT');
  const statuses = (await Promise.all(responses)).map(({ status }) => status);
  expect(statuses.sort((a, b) => a - b)).toEqual([200, 412]);
});

it('puts a comment into the endeavour that the entity is in when the comment is written', async () => {
  const elsewhere = await app.endeavour(ann);
  await outside.query('UPDATE entities SET endeavour_id = $2 WHERE id = $1', [task, elsewhere]);
  const body = { entity_type: 'task', entity_id: task, content: 'Where am I?' };
  const said = (async () => app.as(ann).post('/comments').send(body).expect(201))();
  await Promise.race([said, app.untilLockWaits(1)]);
  await outside.query('COMMIT');
  const { id } = (await said).body.data;
  const place = await app.database.one('SELECT endeavour_id FROM entities WHERE id = $1', [id]);
  expect(place).toEqual({ endeavour_id: elsewhere });
});
