import { race } from '../support/races.js';
import { fieldErrorsOf } from '../support/refusals.js';
import { TestApp, type Person } from '../support/test-app.js';

interface Item {
  id: string;
  text: string;
  checked?: boolean;
}

const ID = expect.stringMatching(/^[0-9a-f]{12}$/);

describe('checklists', () => {
  let app: TestApp;
  let ann: Person;
  let bob: Person;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open();
    ann = await app.person('Ann', { tier: 3 });
    bob = await app.person('Bob');
    garden = await app.endeavour(ann);
    await app.join(garden, bob, 'viewer');
  });

  afterAll(() => app.close());

  const made = (checklist: unknown): Promise<string> => app.task(ann, garden, { metadata: { checklist } });
  const read = async (id: string) => (await app.as(ann).get(`/tasks/${id}`).expect(200)).body.data;
  const itemsOf = async (id: string): Promise<Item[]> => (await read(id)).metadata.checklist;
  const patch = (id: string, checklist: unknown) => app.as(ann).patch(`/tasks/${id}`).send({ metadata: { checklist } });
  const change = (id: string, item: string, body: object, by = ann) =>
    app.as(by).patch(`/tasks/${id}/checklist/${item}`).send(body);

  it('have items with ids that are different even for the same text', async () => {
    const id = await made([{ text: 'Sand', checked: false }, { text: 'Paint' }, { text: 'Paint' }, 'Dry', { done: 1 }]);
    const items = await itemsOf(id);
    expect(items).toEqual([
      { id: ID, text: 'Sand', checked: false },
      { id: ID, text: 'Paint' },
      { id: ID, text: 'Paint' },
      'Dry',
      { done: 1 },
    ]);
    expect(new Set(items.slice(0, 3).map((item) => item.id)).size).toBe(3);
  });

  it('keep the ids of items whose texts are the same when clients replace them without ids', async () => {
    const id = await made([{ text: 'Sand' }, { text: 'Paint' }, { text: 'Dry' }]);
    const [sand, paint, dry] = await itemsOf(id);
    await patch(id, [{ text: 'Dry' }, { text: 'Wait' }, { text: 'Sand', checked: true }]).expect(200);
    const items = await itemsOf(id);
    expect(items).toEqual([dry, { id: ID, text: 'Wait' }, { ...sand, checked: true }]);
    expect(items.map((item) => item.id)).not.toContain(paint.id);
    const { revision } = await read(id);
    await patch(id, [{ text: 'Dry' }, { text: 'Wait' }, { text: 'Sand', checked: true }]).expect(200);
    await patch(id, items).expect(200);
    await app
      .as(ann)
      .patch(`/tasks/${id}`)
      .send({ metadata: { colour: 'red' } })
      .expect(200);
    expect(await read(id)).toMatchObject({ revision: revision + 1, metadata: { checklist: items } });
  });

  it('keep the id of an item that is renamed, and give no id twice', async () => {
    const id = await made([{ text: 'Sand' }]);
    const [sand] = await itemsOf(id);
    const { body } = await change(id, sand.id, { text: 'Sand twice', checked: true }).expect(200);
    const renamed = { id: sand.id, text: 'Sand twice', checked: true };
    expect(body.data.metadata.checklist).toEqual([renamed]);
    await patch(id, [renamed, { text: 'Sand' }]).expect(200);
    const [, second] = await itemsOf(id);
    expect(second.id).not.toBe(sand.id);
  });

  it('of imports call the text title, which stays', async () => {
    const id = await made([{ title: 'Sand', checked: false }]);
    const [sand] = await itemsOf(id);
    expect(sand).toEqual({ id: ID, title: 'Sand', checked: false });
    await change(id, sand.id, { checked: true, text: 'Sand it' }).expect(200);
    expect(await itemsOf(id)).toEqual([{ id: sand.id, title: 'Sand it', checked: true }]);
    await patch(id, [{ title: 'Sand it' }]).expect(200);
    expect((await itemsOf(id))[0].id).toBe(sand.id);
  });

  it('take ids of clients, which can be those of only one item each', async () => {
    const id = await made([{ id: 'sand', text: 'Sand' }]);
    await change(id, 'sand', { checked: true }).expect(200);
    expect(await itemsOf(id)).toEqual([{ id: 'sand', text: 'Sand', checked: true }]);
    const { body } = await patch(id, [
      { id: 'sand', text: 'Sand' },
      { id: 'sand', text: 'Paint' },
    ]).expect(400);
    expect(fieldErrorsOf(body)).toEqual(['metadata.checklist invalid_value']);
  });

  it('do not count the given ids among the limits of metadata', async () => {
    const id = await made(Array.from({ length: 1_900 }, (_, n) => ({ text: `${n}` })));
    await app
      .as(ann)
      .patch(`/tasks/${id}`)
      .send({ metadata: { colour: 'red' } })
      .expect(200);
    const items = await itemsOf(id);
    expect(items.at(-1)).toEqual({ id: ID, text: '1899' });
    await change(id, items[0].id, { checked: true, text: 'first' }).expect(200);
    const { revision } = await read(id);
    await patch(id, await itemsOf(id)).expect(200);
    expect(await read(id)).toMatchObject({
      revision,
      metadata: { checklist: [{ id: items[0].id, text: 'first', checked: true }, ...items.slice(1)] },
    });
  });

  it('can be changed item by item, by members, at the expected revision', async () => {
    const id = await made([{ text: 'Sand' }, 'Dry']);
    const [sand] = await itemsOf(id);
    await change(id, sand.id, { checked: true }, bob).expect(403);
    await change(id, 'absent', { checked: true }).expect(404);
    await change(id, '%00', { checked: true }).expect(404);
    const { body } = await change(id, sand.id, { checked: 'yes', text: '', done: true }).expect(400);
    expect(fieldErrorsOf(body)).toEqual(['checked invalid_type', 'text too_short', 'done unknown_field']);
    await change(id, sand.id, { checked: true }).set('If-Match', '"7"').expect(412);
    const ticked = await change(id, sand.id, { checked: true }).expect(200);
    const { revision } = ticked.body.data;
    expect((await change(id, sand.id, { checked: true }).expect(200)).body.data.revision).toBe(revision);
    const { body: history } = await app.as(ann).get(`/tasks/${id}/changes`).expect(200);
    expect(history.data[0]).toMatchObject({ type: 'task.updated', changed: ['metadata'] });
  });

  it('of archived endeavours cannot be changed', async () => {
    const shed = await app.endeavour(ann);
    const id = await app.task(ann, shed, { metadata: { checklist: [{ id: 'a', text: 'Sand' }] } });
    await app.as(ann).post(`/endeavours/${shed}/archive`).send({ reason: 'Season over' }).expect(200);
    const { body } = await change(id, 'a', { checked: true }).expect(409);
    expect(body.error.code).toBe('archived');
  });

  it('are no other content when their items get ids or are ticked, but when a text changes', async () => {
    const id = await made([{ text: 'Sand' }]);
    const [sand] = await itemsOf(id);
    const changes = async (): Promise<string[]> => {
      const sql = 'SELECT ARRAY(SELECT jsonb_object_keys(content_changes)) AS parts FROM tasks WHERE id = $1';
      return (await app.database.query<{ parts: string[] }>(sql, [id]))[0].parts;
    };
    await change(id, sand.id, { checked: true }).expect(200);
    expect(await changes()).toEqual([]);
    await change(id, sand.id, { text: 'Sell' }).expect(200);
    expect(await changes()).toEqual(['metadata.checklist']);
  });

  race('keep every tick of people who tick at once', 3, async () => {
    const id = await made(Array.from({ length: 12 }, (_, n) => ({ text: `Step ${n}`, checked: false })));
    const items = await itemsOf(id);
    await Promise.all(items.map((item) => change(id, item.id, { checked: true }).expect(200)));
    expect(await itemsOf(id)).toEqual(items.map((item) => ({ ...item, checked: true })));
  });
});
