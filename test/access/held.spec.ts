import type pg from 'pg';
import { House, type Person } from '../support/house.js';

let house: House;
let ann: Person;
let task: string;
let outside: pg.Client;
beforeAll(async () => {
  house = await House.open();
  ann = await house.person('Ann');
  task = await house.task(ann, await house.endeavour(ann));
});
beforeEach(async () => {
  outside = await house.outside();
  await outside.query('BEGIN');
});
afterEach(() => outside.end());
afterAll(() => house.close());

it('lets one of two with the same If-Match through, when both came before either had written', async () => {
  await outside.query('SELECT 1 FROM tasks WHERE id = $1 FOR UPDATE', [task]);
  const patch = async (title: string) => house.as(ann).patch(`/tasks/${task}`).set('If-Match', '"1"').send({ title });
  const answers = [patch('One'), patch('Two')];
  await house.untilWaiting(answers.length);
  await outside.query('COMMIT');
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(statuses.sort((a, b) => a - b)).toEqual([200, 412]);
});

it('puts a comment where the thing lies by the time that it is written', async () => {
  const elsewhere = await house.endeavour(ann);
  await outside.query('UPDATE entities SET endeavour_id = $2 WHERE id = $1', [task, elsewhere]);
  const body = { entity_type: 'task', entity_id: task, content: 'Where am I?' };
  const said = (async () => house.as(ann).post('/comments').send(body).expect(201))();
  await Promise.race([said, house.untilWaiting(1)]);
  await outside.query('COMMIT');
  const { id } = (await said).body.data;
  const place = await house.database.one('SELECT endeavour_id FROM entities WHERE id = $1', [id]);
  expect(place).toEqual({ endeavour_id: elsewhere });
});
