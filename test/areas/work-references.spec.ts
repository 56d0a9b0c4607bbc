import { Importing } from '../support/importing.js';
import { TestApp, type Person } from '../support/test-app.js';

interface ReferencedBy {
  total: number;
  items: { entity_type: string; entity_id: string; key: string | null; title: string }[];
}

const NOTHING: ReferencedBy = { total: 0, items: [] };

let app: TestApp;
let ann: Person;
let home: string;
let shop: string;

beforeAll(async () => {
  app = await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000', WORKERS: 'true' });
});
afterAll(() => app.close());
beforeEach(async () => {
  ann = await app.person('Ann');
  home = await app.organization(ann);
  shop = await endeavour('Shop');
});

const endeavour = async (name: string, more: object = { organization_id: home }, by = ann): Promise<string> =>
  app.endeavour(by, { name, ...more });
const pathOf = (id: string): string => `/${id.startsWith('tsk') ? 'tasks' : 'demands'}/${id}`;
const read = async (id: string, by = ann) => (await app.as(by).get(pathOf(id)).expect(200)).body.data;
const keyOf = async (id: string): Promise<string> => (await read(id)).key;
const referencesOf = async (id: string, by = ann): Promise<ReferencedBy> => (await read(id, by)).referenced_by;
const idsOf = async (id: string, by = ann): Promise<string[]> =>
  (await referencesOf(id, by)).items.map(({ entity_id }) => entity_id);
const setDescription = (id: string, description: string | null, by = ann) =>
  app.as(by).patch(pathOf(id)).send({ description }).expect(200);
const comment = async (entity_id: string, content: string, by = ann): Promise<string> => {
  const kinds: Record<string, string> = { tsk: 'task', dmd: 'demand', edv: 'endeavour', art: 'artifact' };
  const entity_type = kinds[entity_id.slice(0, 3)];
  const { body } = await app.as(by).post('/comments').send({ entity_type, entity_id, content }).expect(201);
  return body.data.id;
};
const stored = (): Promise<unknown[]> =>
  app.database.query(
    'SELECT 1 FROM work_references r JOIN entities x ON x.id = r.entity_id WHERE x.organization_id = $1 OR x.endeavour_id = $2',
    [home, shop],
  );

describe('a key in a text', () => {
  it('shows what a description names, at the task and the demand that it names', async () => {
    const [task, demand] = [await app.task(ann, shop), await app.demand(ann, shop)];
    expect([await referencesOf(task), await referencesOf(demand)]).toEqual([NOTHING, NOTHING]);
    const description = `After ${await keyOf(task)}, for ${await keyOf(demand)}.`;
    const other = await app.task(ann, shop, { title: 'Print the cards', description });
    const wish = await app.demand(ann, shop, { title: 'Gift cards', description });
    const expected = [
      { entity_type: 'demand', entity_id: wish, key: await keyOf(wish), title: 'Gift cards' },
      { entity_type: 'task', entity_id: other, key: await keyOf(other), title: 'Print the cards' },
    ];
    for (const id of [task, demand]) expect(await referencesOf(id)).toEqual({ total: 2, items: expected });
  });

  it('shows what comments on other things name, as the thing that the comment is on', async () => {
    const task = await app.task(ann, shop);
    const key = await keyOf(task);
    const other = await app.task(ann, shop);
    await comment(other, `Like ${key}`);
    await comment(other, `Again ${key}`);
    await comment(shop, `All about ${key}`);
    expect(await referencesOf(task)).toMatchObject({
      total: 2,
      items: [
        { entity_type: 'endeavour', entity_id: shop, key: null, title: 'Shop' },
        { entity_type: 'task', entity_id: other },
      ],
    });
    await comment(task, `This is ${key} itself`);
    expect((await referencesOf(task)).total).toBe(2);
  });

  it('does not count in code and quotes, in titles, and in lower case', async () => {
    const task = await app.task(ann, shop);
    const key = await keyOf(task);
    const other = await app.task(ann, shop, { title: `As ${key}`, description: `\`${key}\`\n> ${key}` });
    await app
      .as(ann)
      .patch(pathOf(other))
      .send({ title: `Then ${key}` })
      .expect(200);
    await comment(other, `\`\`\`\n${key}\n\`\`\`\n${key.toLowerCase()}`);
    expect(await referencesOf(task)).toEqual(NOTHING);
    expect(await stored()).toEqual([]);
  });

  it('is forgotten with its text', async () => {
    const task = await app.task(ann, shop);
    const key = await keyOf(task);
    const other = await app.task(ann, shop, { description: `After ${key}` });
    const remark = await comment(other, `Or before ${key}`);
    await setDescription(other, 'After nothing');
    expect(await idsOf(task)).toEqual([other]);
    await app.as(ann).patch(`/comments/${remark}`).send({ content: 'Or never' }).expect(200);
    expect(await referencesOf(task)).toEqual(NOTHING);
    await app
      .as(ann)
      .patch(`/comments/${remark}`)
      .send({ content: `No, ${key}` })
      .expect(200);
    expect(await idsOf(task)).toEqual([other]);
    await app.as(ann).delete(`/comments/${remark}`).expect(200);
    expect(await referencesOf(task)).toEqual(NOTHING);
    await setDescription(other, `After ${key}`);
    await setDescription(other, null);
    expect(await stored()).toEqual([]);
  });

  it('is forgotten when another release, or a job, replaces the text', async () => {
    const task = await app.task(ann, shop);
    const other = await app.task(ann, shop, { description: `After ${await keyOf(task)}` });
    await app.database.query(`UPDATE tasks SET description = 'Erased' WHERE id = $1`, [other]);
    expect(await stored()).toEqual([]);
  });

  it('leaves nothing behind when a change of the text is redacted', async () => {
    const task = await app.task(ann, shop);
    const other = await app.task(ann, shop, { description: `After ${await keyOf(task)}` });
    await setDescription(other, 'Secret');
    const { body } = await app.as(ann).get(`/tasks/${other}/changes`).expect(200);
    const redaction = { field: 'description', reason: 'A name' };
    await app.as(ann).post(`/changes/${body.data[0].id}/redact`).send(redaction).expect(200);
    expect(await stored()).toEqual([]);
  });

  it('stays with what the text says when the title changes', async () => {
    const task = await app.task(ann, shop);
    const key = await keyOf(task);
    const other = await app.task(ann, shop, { description: `After ${key}` });
    await app.as(ann).patch(pathOf(other)).send({ title: 'Renamed' }).expect(200);
    expect((await referencesOf(task)).items[0].title).toBe('Renamed');
  });

  it('leads to the task wherever it moves', async () => {
    const task = await app.task(ann, shop);
    const other = await app.task(ann, shop, { description: `After ${await keyOf(task)}` });
    const clinic = await endeavour('Clinic');
    await app.as(ann).patch(pathOf(task)).send({ endeavour_id: clinic }).expect(200);
    expect(await idsOf(task)).toEqual([other]);
  });

  it('of a former endeavour still leads to the task', async () => {
    const task = await app.task(ann, shop);
    const former = await keyOf(task);
    const clinic = await endeavour('Clinic');
    await app.as(ann).patch(pathOf(task)).send({ endeavour_id: clinic }).expect(200);
    const other = await app.task(ann, shop, { description: `After ${former}` });
    expect(await idsOf(task)).toEqual([other]);
  });

  it('is read in bulk changes, imports and comments of imports too', async () => {
    const task = await app.task(ann, shop);
    const key = await keyOf(task);
    const other = await app.task(ann, shop, { assignee_id: 'me' });
    const bulk = { filter: { endeavour_id: shop, assignee_id: 'me' }, changes: { description: `After ${key}` } };
    const { headers } = await app.as(ann).post('/tasks/bulk').send(bulk).expect(202);
    expect((await app.ended(ann, headers.location)).body.data.status).toBe('succeeded');
    expect(await idsOf(task)).toEqual([other]);
    const file = `id,title,description\nI-1,Imported,"After ${key}"\n`;
    await new Importing(app, ann, shop).run({ format: 'csv' }, file);
    expect((await referencesOf(task)).items.map(({ title }) => title)).toContain('Imported');
  });
});

describe('a key that could mean several things', () => {
  it('means that of the own endeavour, then of its home, and none of several others', async () => {
    const elsewhere = await app.organization(ann);
    const [second, third] = [
      await endeavour('Shop', { organization_id: elsewhere }),
      await endeavour('Shop', { organization_id: await app.organization(ann) }),
    ];
    const clinic = await endeavour('Clinic');
    const tasks = [await app.task(ann, shop), await app.task(ann, second), await app.task(ann, third)];
    const keys = await Promise.all(tasks.map((id) => keyOf(id)));
    expect(new Set(keys)).toEqual(new Set(['SHOP-1']));
    const inClinic = await app.task(ann, clinic, { description: 'SHOP-1' });
    const inSecond = await app.task(ann, second, { description: 'SHOP-1' });
    const homeless = await app.endeavour(ann, { name: 'Yard' });
    await app.task(ann, homeless, { description: 'SHOP-1' });
    expect(await idsOf(tasks[0])).toEqual([inClinic]);
    expect(await idsOf(tasks[1])).toEqual([inSecond]);
    expect(await idsOf(tasks[2])).toEqual([]);
  });

  it('is one of at most 50 of a text, those of the own endeavour first', async () => {
    const clinic = await endeavour('Clinic');
    const mine = await app.task(ann, clinic);
    const others: string[] = [];
    for (let n = 0; n < 51; n += 1) others.push(await app.task(ann, shop));
    const description = [...others.map((_, n) => `SHOP-${n + 1}`), await keyOf(mine)].join(' ');
    await app.task(ann, clinic, { description });
    const counts = await Promise.all([mine, ...others].map(async (id) => (await referencesOf(id)).total));
    expect(counts).toEqual([1, ...Array.from({ length: 49 }, () => 1), 0, 0]);
  });
});

describe('the things that refer to a task', () => {
  it('are those that the reader sees, and the author saw what they name', async () => {
    const bob = await app.person('Bob');
    const task = await app.task(ann, shop);
    const key = await keyOf(task);
    const secret = await endeavour('Secret', {});
    const hidden = await app.task(ann, secret, { title: 'Hidden', description: `As ${key}` });
    await app.join(shop, bob, 'viewer');
    expect(await idsOf(task)).toEqual([hidden]);
    expect(await referencesOf(task, bob)).toEqual(NOTHING);

    const eve = await app.person('Eve');
    const theirs = await app.endeavour(eve, { name: 'Elsewhere' });
    await app.task(eve, theirs, { description: `As ${key}` });
    await app.join(theirs, ann, 'viewer');
    expect(await idsOf(task)).toEqual([hidden]);
    await app.as(ann).get(pathOf(hidden)).expect(200);
  });

  it('are not named by former keys in endeavours, or of tasks, that the author does not see', async () => {
    const bob = await app.person('Bob');
    const [secret, yard] = [await endeavour('Secret', {}), await app.endeavour(bob, { name: 'Yard' })];
    await app.join(shop, bob, 'member');
    const [out, back] = [await app.task(ann, secret), await app.task(ann, shop)];
    const former = [await keyOf(out), await keyOf(back)];
    await app.as(ann).patch(pathOf(out)).send({ endeavour_id: shop }).expect(200);
    await app.as(ann).patch(pathOf(back)).send({ endeavour_id: secret }).expect(200);
    await app.task(bob, yard, { description: former.join(' ') });
    await app.join(yard, ann, 'viewer');
    expect(await Promise.all([out, back].map((id) => idsOf(id)))).toEqual([[], []]);
    const named = await app.task(bob, yard, { description: await keyOf(out) });
    expect(await idsOf(out)).toEqual([named]);
  });

  it('are those inside of the container of a restricted token', async () => {
    const task = await app.task(ann, shop);
    const clinic = await endeavour('Clinic');
    const inside = await app.task(ann, shop, { description: `As ${await keyOf(task)}` });
    const outside = await app.task(ann, clinic, { description: `As ${await keyOf(task)}` });
    expect(await idsOf(task)).toEqual([outside, inside]);
    const { body } = await app
      .as(ann)
      .post('/auth/tokens')
      .send({ name: 'Shop', scopes: ['tasks:read'], endeavour_id: shop })
      .expect(201);
    expect(await idsOf(task, { ...ann, token: body.data.token })).toEqual([inside]);
  });

  it('are shown to administrators', async () => {
    const task = await app.task(ann, shop);
    const other = await app.task(ann, shop, { description: `As ${await keyOf(task)}` });
    expect(await idsOf(task, await app.admin())).toEqual([other]);
  });

  it('are the newest 20, with their number', async () => {
    const task = await app.task(ann, shop);
    const description = `As ${await keyOf(task)}`;
    const others: string[] = [];
    for (let n = 0; n < 22; n += 1) others.push(await app.task(ann, shop, { description }));
    const { total, items } = await referencesOf(task);
    expect(total).toBe(22);
    expect(items.map(({ entity_id }) => entity_id)).toEqual(others.toReversed().slice(0, 20));
  });

  it('can be selected by fields, and are in no list, event or export', async () => {
    const task = await app.task(ann, shop);
    const other = await app.task(ann, shop, { description: `As ${await keyOf(task)}` });
    const { body } = await app.as(ann).get(`/tasks/${task}?fields=referenced_by`).expect(200);
    expect(body.data.referenced_by.items).toHaveLength(1);
    const { body: list } = await app.as(ann).get(`/tasks?endeavour_id=${shop}`).expect(200);
    expect(list.data[0]).not.toHaveProperty('referenced_by');
    const { body: relations } = await app.as(ann).get(`/relations?entity_id=${other}`).expect(200);
    expect(relations.data).toEqual([]);
    const { text } = await app.as(ann).get(`/endeavours/${shop}/export`).expect(200);
    expect(text).not.toContain('referenced_by');
  });

  it('change neither the revision nor the history of what they name', async () => {
    const task = await app.task(ann, shop);
    const before = await read(task);
    await app.task(ann, shop, { description: `As ${before.key}` });
    const { referenced_by: _, ...after } = await read(task);
    const { referenced_by: __, ...earlier } = before;
    expect(after).toEqual(earlier);
    const { body } = await app.as(ann).get(`/tasks/${task}/changes`).expect(200);
    expect(body.data).toHaveLength(1);
  });
});
