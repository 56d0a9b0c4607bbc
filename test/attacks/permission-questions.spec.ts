import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

/** `POST /auth/can` executes requests and rolls them back; it must neither leave changes nor reveal what they hide. */
describe('a hostile question about permissions', () => {
  let app: TestApp;
  let [ann, eve]: Person[] = [];
  let [garden, cellar]: string[] = [];

  beforeAll(async () => {
    app = await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000' });
    [ann, eve] = [await app.person('Ann'), await app.person('Eve')];
    [garden, cellar] = [await app.endeavour(ann), await app.endeavour(ann, { name: 'Cellar' })];
  });
  afterAll(() => app.close());

  const ask = async (person: Person, ...questions: object[]) => {
    const { body } = await app.as(person).post('/auth/can').send({ questions }).expect(200);
    return body.data as { allowed: boolean; reasons: { code: string; message: string }[] }[];
  };
  const create = { method: 'POST', path: '/api/v1/tasks', body: { title: 'Dig' } };

  it.each([{ atomic: false }, { atomic: true }, {}])('about a batch leaves no changes: %j', async (more) => {
    const operations = [{ ...create, body: { ...create.body, endeavour_id: garden } }];
    const [decision] = await ask(ann, { action: 'batch_run', body: { operations, ...more } });
    expect(decision.allowed).toBe(true);
    expect((await app.as(ann).get(`/tasks?endeavour_id=${garden}`).expect(200)).body.data).toEqual([]);
  });

  it('can have parameters that cannot be converted to text', async () => {
    const odd = { toString: 1, valueOf: 1 };
    const [listed, read] = await ask(
      ann,
      { action: 'tasks_list', parameters: { limit: odd, sort: [odd, null] } },
      { action: 'tasks_get', parameters: { id: odd } },
    );
    expect(listed).toMatchObject({ allowed: false, reasons: [{ code: 'invalid_input' }] });
    expect(read.allowed).toBe(true);
    const [set] = await ask(ann, { action: 'tasks_list', parameters: { status: ['planned', 'active'] } });
    expect(set.allowed).toBe(true);
  });

  it('gets the same decision for absent and invisible entities', async () => {
    const task = await app.task(ann, garden);
    const absent = `tsk_${'0'.repeat(32)}`;
    for (const action of ['tasks_get', 'tasks_update', 'tasks_dod_check_run', 'tasks_diff_get']) {
      const [hidden, missing] = await ask(eve, { action, entity_id: task }, { action, entity_id: absent });
      expect({ ...hidden, entity_id: null }).toEqual({ ...missing, entity_id: null });
      expect(hidden.allowed).toBe(false);
    }
  });

  it('with a restricted token reveals nothing about other containers', async () => {
    const token = await tokenOf(app, ann, { endeavour_id: garden });
    const outside = await app.task(ann, cellar);
    const body = { title: 'Forged' };
    const [there, here, grant] = await ask(
      token,
      { action: 'tasks_update', entity_id: outside, body },
      { action: 'tasks_update', entity_id: await app.task(ann, garden), body },
      { action: 'endeavours_members_add', entity_id: garden, body: { user_id: eve.id, role: 'owner' } },
    );
    expect([there.allowed, here.allowed, grant.allowed]).toEqual([false, true, false]);
    expect(there.reasons).toMatchObject([{ code: 'not_found' }]);
    const { body: task } = await app.as(ann).get(`/tasks/${outside}`).expect(200);
    expect(task.data).toMatchObject({ title: 'Paint the gate', revision: 1 });
  });
});
