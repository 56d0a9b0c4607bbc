import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

let app: TestApp;
let ann: Person;
let ben: Person;
let garden: string;
let task: string;

beforeAll(async () => {
  app = await TestApp.open();
  [ann, ben] = [await app.person('Ann'), await app.person('Ben')];
  garden = await app.endeavour(ann);
  task = await app.task(ann, garden);
  await app.join(garden, ben, 'viewer');
});
afterAll(() => app.close());

const can = async (person: Person, action: string, entity?: string) => {
  const id = entity === undefined ? '' : `&entity_id=${entity}`;
  return (await app.as(person).get(`/auth/can?action=${action}${id}`).expect(200)).body.data;
};

describe('a question about permissions', () => {
  it('is answered with the granting roles, or with the errors of the request', async () => {
    expect(await can(ann, 'tasks_update', task)).toEqual({
      action: 'tasks_update',
      entity_id: task,
      allowed: true,
      via: [{ role: 'owner', container_id: garden, through: null }],
      reasons: [],
    });
    expect(await can(ben, 'tasks_update', task)).toMatchObject({
      allowed: false,
      via: [],
      reasons: [{ code: 'forbidden', reason: null }],
    });
    expect(await can(await app.person('Eve'), 'tasks_get', task)).toMatchObject({ reasons: [{ code: 'not_found' }] });
    expect(await can(ben, 'users_list')).toMatchObject({ allowed: false, reasons: [{ code: 'forbidden' }] });
    const ada = await app.admin();
    expect(await can(ada, 'tasks_update', task)).toMatchObject({ allowed: true, via: [{ role: 'administrator' }] });
  });

  it('is answered for operations outside of the prefix of the API', async () => {
    for (const action of ['health_live_get', 'version_get', 'home']) {
      expect([action, await can(ann, action)]).toMatchObject([action, { allowed: true, reasons: [] }]);
    }
  });

  it('names the organization through which a role comes', async () => {
    const organization = await app.organization(ann);
    const shed = await app.endeavour(ann, { organization_id: organization, name: 'Shed' });
    await app.join(organization, ben, 'member');
    const { via } = await can(ben, 'endeavours_get', shed);
    expect(via).toEqual([{ role: 'member', container_id: shed, through: organization }]);
    expect((await can(ben, 'organizations_get', organization)).via).toEqual([
      { role: 'member', container_id: organization, through: null },
    ]);
  });

  it('is answered for the container of a creation, and with a body for the whole request', async () => {
    expect((await can(ann, 'tasks_create', garden)).allowed).toBe(true);
    expect((await can(ben, 'tasks_create', garden)).allowed).toBe(false);
    const questions = [
      { action: 'tasks_create', body: { title: 'Paint', endeavour_id: garden } },
      { action: 'tasks_create', body: { title: 'Paint' } },
      { action: 'tasks_update', entity_id: task, body: { status: 'canceled' } },
      { action: 'tasks_update', entity_id: task, body: { status: 'canceled', canceled_reason: 'Rain' } },
    ];
    const before = await app.count('events');
    const { body } = await app.as(ann).post('/auth/can').send({ questions }).expect(200);
    expect(body.data.map(({ allowed }: { allowed: boolean }) => allowed)).toEqual([true, false, false, true]);
    expect(await app.count('events')).toBe(before);
  });

  it('is answered for operations that do not return JSON', async () => {
    expect(await can(ben, 'endeavours_calendar_get', garden)).toMatchObject({ allowed: true, reasons: [] });
    expect(await can(await app.person('Joe'), 'endeavours_calendar_get', garden)).toMatchObject({
      allowed: false,
      reasons: [{ code: 'not_found' }],
    });
  });

  it('takes the state of the entity into account', async () => {
    const shed = await app.endeavour(ann, { name: 'Old shed' });
    const old = await app.task(ann, shed);
    await app.as(ann).post(`/endeavours/${shed}/archive`).send({ reason: 'Over' }).expect(200);
    expect(await can(ann, 'tasks_update', old)).toMatchObject({ allowed: false, reasons: [{ code: 'archived' }] });
  });

  it('takes the scopes of a token into account', async () => {
    const token = await tokenOf(app, ann, { scopes: ['tasks:read'] });
    expect((await can(token, 'tasks_get', task)).allowed).toBe(true);
    expect((await can(token, 'tasks_update', task)).reasons).toMatchObject([{ reason: 'scope_required' }]);
    expect((await can(token, 'auth_profile_update')).reasons).toMatchObject([{ reason: 'session_required' }]);
    expect((await can(token, 'auth_change_password')).reasons).toMatchObject([{ reason: 'session_required' }]);
  });

  it('is rejected for unknown operations and too many questions', async () => {
    const { body } = await app.as(ann).get('/auth/can?action=tasks_fly').expect(400);
    expect(body.error.details.fields).toMatchObject([{ field: 'action', code: 'invalid_value' }]);
    await app.as(ann).get('/auth/can').expect(400);
    const questions = Array.from({ length: 101 }, () => ({ action: 'tasks_list' }));
    await app.as(ann).post('/auth/can').send({ questions }).expect(400);
    const wrong = [{ action: 'tasks_list' }, { action: 'constructor' }];
    const response = await app.as(ann).post('/auth/can').send({ questions: wrong }).expect(400);
    expect(response.body.error.details.fields).toMatchObject([{ field: 'questions.1.action' }]);
  });

  it('cannot be asked with a request header: the request takes effect', async () => {
    const before = await app.count('tasks');
    await app
      .as(ann)
      .post('/tasks')
      .set('X-Dry-Run-Secret', 'true')
      .send({ title: 'Real', endeavour_id: garden })
      .expect(201);
    expect(await app.count('tasks')).toBe(before + 1);
  });
});
