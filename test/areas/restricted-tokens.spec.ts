import { createEntityFixtures, type EntityFixtures } from '../access/references/entity-fixtures.js';
import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

const GENEROUS = { LIMIT_WRITES_PER_MINUTE: '100000' };

let app: TestApp;
/** The owner's organization and endeavour that the tokens are restricted to; `beside` are others of the same owner. */
let inside: EntityFixtures;
let owner: Person;
let beside: { organization: string; endeavour: string; homeless: string; task: string };
let forOrganization: Person;
let forEndeavour: Person;

const idOf = async (person: Person, path: string, body: object): Promise<string> =>
  (await app.as(person).post(path).send(body).expect(201)).body.data.id;

beforeAll(async () => {
  app = await TestApp.open({ ...GENEROUS, ERASURE_DAYS: '0' });
  inside = await createEntityFixtures(app, 'Ann');
  ({ owner } = inside);
  const organization = await app.organization(owner, { name: 'Beside' });
  const endeavour = await app.endeavour(owner, { organization_id: organization, name: 'Cellar' });
  const homeless = await app.endeavour(owner, { name: 'Attic' });
  beside = { organization, endeavour, homeless, task: await app.task(owner, endeavour) };
  forOrganization = await tokenOf(app, owner, { organization_id: inside.things.organization });
  forEndeavour = await tokenOf(app, owner, { endeavour_id: inside.things.endeavour });
});
afterAll(() => app.close());

const reasonOf = (body: { error: { details: { reason?: string } } }) => body.error.details.reason;
const everyToken = (): [string, Person][] => [
  ['organization', forOrganization],
  ['endeavour', forEndeavour],
];

interface Operation {
  operationId: string;
  parameters?: { in: string; name: string }[];
}

describe('a token that is restricted to a container', () => {
  it('can read and change what is in it', async () => {
    const { task, endeavour, organization } = inside.things;
    for (const [, token] of everyToken()) {
      await app.as(token).get(`/tasks/${task}`).expect(200);
      await app.as(token).get(`/endeavours/${endeavour}`).expect(200);
      await app
        .as(token)
        .patch(`/tasks/${task}`)
        .send({ title: `Paint ${token.token.slice(-3)}` })
        .expect(200);
      const more = await app.task(token, endeavour, { assignee_id: 'me' });
      await app.as(token).get(`/tasks/${more}`).expect(200);
      const onTask = { entity_type: 'task', entity_id: more, content: 'Done?' };
      await app.as(token).post('/comments').send(onTask).expect(201);
    }
    await app.as(forOrganization).get(`/organizations/${organization}`).expect(200);
    await app.as(forEndeavour).get(`/organizations/${organization}`).expect(404);
  });

  it('derives the notifications of all when it lists its own', async () => {
    const mia = await app.person('Mia');
    await app.join(beside.endeavour, mia, 'member');
    for (const [, token] of everyToken()) {
      const task = await app.task(owner, beside.endeavour, { assignee_id: mia.id });
      await app.as(token).get('/notifications').expect(200);
      const { body } = await app.as(mia).get('/notifications').expect(200);
      expect(body.data).toContainEqual(expect.objectContaining({ entity_id: task, kinds: ['assigned'] }));
    }
  });

  it('cannot access anything else by id, by reference or in whoami', async () => {
    const { organization, endeavour, homeless, task } = beside;
    for (const [, token] of everyToken()) {
      for (const path of [`organizations/${organization}`, `endeavours/${endeavour}`, `tasks/${task}`]) {
        await app.as(token).get(`/${path}`).expect(404);
        await app.as(token).patch(`/${path}`).send({}).expect(404);
      }
      for (const id of [endeavour, homeless]) {
        const { body } = await app.as(token).post('/tasks').send({ title: 'Out', endeavour_id: id }).expect(400);
        expect(body.error.details.fields).toMatchObject([{ field: 'endeavour_id', code: 'reference_not_found' }]);
      }
      const moved = { endeavour_id: endeavour };
      await app.as(token).patch(`/tasks/${inside.things.task}`).send(moved).expect(400);
      const { body } = await app.as(token).get('/auth/whoami').expect(200);
      expect(Object.keys(body.data.endeavours)).toEqual([inside.things.endeavour]);
      expect(Object.keys(body.data.organizations)).not.toContain(organization);
    }
  });

  it('lists and finds nothing else in any list', async () => {
    const known = [beside.organization, beside.endeavour, beside.homeless, beside.task];
    await idOf(owner, '/rituals', { name: 'Personal round' }).then((id) => known.push(id));
    await idOf(owner, '/resources', { name: 'Own mower', type: 'service' }).then((id) => known.push(id));
    await idOf(owner, '/templates', { name: 'Mine', scope: 'task', body: '# {{ task.title }}' }).then((id) =>
      known.push(id),
    );
    const letter = { recipient_ids: [inside.companion.id], content: 'Between us' };
    await idOf(owner, '/messages', letter).then((id) => known.push(id));
    await idOf(inside.companion, '/messages', { ...letter, recipient_ids: [owner.id] }).then((id) => known.push(id));
    const lists = Object.entries(app.document.paths).flatMap(([path, { get }]) => {
      const { operationId, parameters = [] } = (get ?? {}) as Operation;
      const isList = parameters.some(({ name }) => name === 'limit') && !path.includes('{') && !path.includes('/auth/');
      return isList ? [{ operationId, path, isSearched: parameters.some(({ name }) => name === 'search') }] : [];
    });
    expect(lists.length).toBeGreaterThan(12);
    for (const [kind, token] of everyToken()) {
      for (const { operationId, path, isSearched } of lists) {
        for (const query of ['', '?count=false', ...(isSearched ? ['?search=e', '?search=Paint'] : [])]) {
          const { status, body } = await app.as(token).get(`${path}${query}`);
          expect([operationId, [200, 400, 403].includes(status)]).toEqual([operationId, true]);
          const shown = JSON.stringify(body);
          expect([kind, operationId, query, known.filter((id) => shown.includes(id))]).toEqual([
            kind,
            operationId,
            query,
            [],
          ]);
        }
      }
      const { body } = await app.as(token).get('/tasks').expect(200);
      expect(body.data.length).toBeGreaterThan(1);
      expect(body.meta.total).toBe(body.data.length);
    }
  });

  it('cannot read private replies in the thread of a message to its container', async () => {
    const letter = { scope_type: 'endeavour', scope_id: inside.things.endeavour, content: 'To all' };
    const message = await idOf(owner, '/messages', letter);
    const toAll = await idOf(inside.companion, `/messages/${message}/reply`, { content: 'Agreed', all: true });
    const aside = await idOf(inside.companion, `/messages/${message}/reply`, { content: 'Between us' });
    const threadOf = async (person: Person): Promise<[string[], number]> => {
      const { body } = await app.as(person).get(`/messages/${message}/thread`).expect(200);
      return [body.data.messages.map(({ id }: { id: string }) => id), body.data.total];
    };
    expect(await threadOf(owner)).toEqual([[message, toAll, aside], 3]);
    for (const [, token] of everyToken()) expect(await threadOf(token)).toEqual([[message, toAll], 2]);
  });

  it('cannot write anywhere else', async () => {
    const recipient = [inside.companion.id];
    for (const [kind, token] of everyToken()) {
      const before = await app.count('entities');
      const asked: [string, object][] = [
        ['/organizations', { name: 'Another' }],
        ['/endeavours', { name: 'Another' }],
        ['/endeavours', { name: 'Another', organization_id: beside.organization }],
        ['/resources', { name: 'Mower', type: 'service' }],
        ['/rituals', { name: 'Personal' }],
        ['/templates', { name: 'Personal', scope: 'task', body: '# {{ task.title }}' }],
        ['/views', { name: 'Personal', kind: 'task', query: {} }],
        ['/dod-policies', { name: 'Personal', conditions: [{ type: 'manual_attestation' }] }],
        ['/messages', { recipient_ids: recipient, content: 'Well?' }],
        ['/messages/read', { all: true }],
      ];
      for (const [path, body] of asked) {
        const { status } = await app.as(token).post(path).send(body);
        expect([kind, path, body, [400, 403].includes(status)]).toEqual([kind, path, body, true]);
      }
      const self = await app.as(token).patch(`/users/${owner.id}`).send({ name: 'Bot' }).expect(403);
      expect(reasonOf(self.body)).toBe('token_restricted');
      await app.as(token).patch(`/resources/${owner.resourceId}`).send({ name: 'Bot' }).expect(403);
      expect(await app.count('entities')).toBe(before);
    }
  });

  it('can create in it what belongs there', async () => {
    const { organization, endeavour } = inside.things;
    const made = await idOf(forOrganization, '/endeavours', { name: 'Orchard', organization_id: organization });
    await app.task(forOrganization, made);
    await idOf(forOrganization, '/resources', { name: 'Press', type: 'service', organization_id: organization });
    for (const [kind, token] of everyToken()) {
      const scope = kind === 'organization' ? organization : endeavour;
      const letter = { scope_type: kind, scope_id: scope, content: 'To all' };
      const message = await idOf(token, '/messages', letter);
      await app.as(token).get(`/messages/${message}`).expect(200);
      await idOf(token, '/rituals', { name: 'Round', endeavour_id: endeavour });
    }
    await app.as(forEndeavour).get(`/endeavours/${made}`).expect(404);
  });

  it('does not replay responses to requests of its user elsewhere under the same idempotency key', async () => {
    const ask = (person: Person) =>
      app.as(person).post('/organizations').set('Idempotency-Key', 'shared').send({ name: 'Elsewhere' });
    await ask(owner).expect(201);
    for (const [, token] of everyToken()) {
      const { body } = await ask(token).expect(422);
      expect(body.error.code).toBe('idempotency_key_reused');
    }
    expect((await ask(owner).expect(201)).headers['idempotent-replayed']).toBe('true');
  });

  it('has no administrator rights, even if an administrator created it', async () => {
    const ada = await app.admin();
    const { organization, task } = inside.things;
    const token = await tokenOf(app, ada, { organization_id: organization });
    await app.as(token).get(`/tasks/${task}`).expect(404);
    await app.as(token).get('/users').expect(403);
    expect((await app.as(token).get('/auth/whoami').expect(200)).body.data.user_id).toBe(ada.id);
  });

  it('of an administrator shows people, resources and audit entries only as the role there allows', async () => {
    const ada = await app.admin();
    const { organization: organization_id, endeavour, resource } = inside.things;
    await app.join(organization_id, ada, 'guest');
    await app.join(endeavour, ada, 'viewer');
    const token = await tokenOf(app, ada, { organization_id });
    const { companion } = inside;
    for (const container of [`organizations/${organization_id}`, `endeavours/${endeavour}`]) {
      const { body } = await app.as(token).get(`/${container}/members`).expect(200);
      const shown = new Set(body.data.map(({ email }: { email: string | null }) => email));
      expect(shown).toEqual(new Set([null, ada.email]));
    }
    const { body: user } = await app.as(token).get(`/users/${companion.id}`).expect(200);
    expect(user.data).toMatchObject({ name: companion.name, email: null, metadata: null, tier: null, is_admin: null });
    const { body: mower } = await app.as(token).get(`/resources/${resource}`).expect(200);
    expect(mower.data).toMatchObject({ name: 'Mower', metadata: null, skills: null, capacity_value: null });
    const { body: all } = await app.as(ada).get(`/users/${companion.id}`).expect(200);
    expect(all.data).toMatchObject({ email: companion.email, is_admin: false });
    await app.database.query(`UPDATE organization_resources SET role = 'owner' WHERE user_id = $1`, [ada.id]);
    await app.as(owner).patch(`/organizations/${organization_id}/members/${companion.id}`).send({ role: 'admin' });
    const path = `/audit?organization_id=${organization_id}&actor_id=${owner.resourceId}`;
    const addressesBy = async (person: Person) => {
      const { body } = await app.as(person).get(path).expect(200);
      return new Set(body.data.map(({ address }: { address: string | null }) => address === null));
    };
    expect(await addressesBy(token)).toEqual(new Set([true]));
    expect(await addressesBy(ada)).toContain(false);
  });

  it('does not affect requests of its owner that use the same database connections', async () => {
    const asked = Array.from({ length: 60 }, (_, n) => {
      const person = [owner, forOrganization, forEndeavour][n % 3];
      return app
        .as(person)
        .get('/endeavours?limit=200')
        .then(({ body }) => [n % 3, body.data.length]);
    });
    const counts = new Set((await Promise.all(asked)).map(([who, many]) => `${who}: ${many}`));
    expect(counts.size).toBe(3);
  });

  it('is deleted with its container', async () => {
    const ann = await app.person('Ann');
    const gone = await app.endeavour(ann, { name: 'Gone' });
    const token = await tokenOf(app, ann, { endeavour_id: gone });
    await app.as(ann).post(`/endeavours/${gone}/archive`).send({ reason: 'Over' }).expect(200);
    await app.as(token).get(`/endeavours/${gone}`).expect(200);
    await app.as(token).post('/tasks').send({ title: 'Late', endeavour_id: gone }).expect(409);
    await app.as(ann).delete(`/endeavours/${gone}?confirm=Gone`).expect(202);
    const worker = await TestApp.open({ WORKERS: 'true' }, app);
    while ((await app.as(token).get('/auth/whoami')).status !== 401) await new Promise((go) => setTimeout(go, 50));
    await worker.close();
    expect(await app.count(`access_tokens WHERE endeavour_id = '${gone}'`)).toBe(0);
  });
});
