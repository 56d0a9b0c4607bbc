import { gzipSync } from 'node:zlib';
import { Agreement } from '../support/dod.js';
import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

interface Item {
  type: string;
  id: string;
  key: string | null;
  title: string;
  why: string;
  due_date: string | null;
  endeavour_id: string | null;
}

describe('the working list', () => {
  let ours: Agreement;
  let app: TestApp;
  let ann: Person;

  beforeAll(async () => {
    ours = await Agreement.open();
    ({ app, ann } = ours);
  });

  afterAll(() => app.close());

  const work = async (person: Person, query = ''): Promise<Item[]> =>
    (await app.as(person).get(`/work${query}`).expect(200)).body.data;
  const itemsOf = async (person: Person): Promise<string[]> =>
    (await work(person)).map(({ why, id }) => `${why} ${id}`);
  const ask = (task: string, resource_ids: string[], person = ann) =>
    app.as(person).post(`/tasks/${task}/review-requests`).send({ resource_ids });
  const say = (person: Person, task: string, more: object = {}) =>
    app
      .as(person)
      .post('/approvals')
      .send({ entity_type: 'task', entity_id: task, verdict: 'approved', ...more });

  it('is also available as CSV', async () => {
    const eva = await app.person('Eva');
    const task = await app.task(eva, await app.endeavour(eva), { title: '=1+1, or two', assignee_id: 'me' });
    const csv = (query = '') => app.as(eva).get(`/work${query}`).set('Accept', 'text/csv').expect(200);
    const { text, headers } = await csv();
    expect(headers['content-type']).toContain('text/csv');
    const [head, row, end] = text.split('\r\n');
    expect(head).toBe('type,id,key,title,status,due_date,why,endeavour_id');
    expect(row).toMatch(new RegExp(`^task,${task},GARD-1,"'=1\\+1, or two",planned,,assigned,edv_`));
    expect(end).toBe('');
    expect((await csv('?fields=id,title&why=verdict')).text).toBe('id,title\r\n');
  });

  it('contains unblocked tasks of the caller and their teams, by due date', async () => {
    const [mia, noa] = [await app.person('Mia'), await app.person('Noa')];
    const riverside = await app.organization(ann);
    const garden = await app.endeavour(ann);
    await app.link(riverside, garden);
    for (const person of [mia, noa]) await app.join(riverside, person, 'member');
    const made = await app
      .as(ann)
      .post('/resources')
      .send({ name: 'The gardeners', type: 'team', organization_id: riverside });
    const team = made.body.data.id;
    await app.as(ann).post(`/resources/${team}/members`).send({ resource_id: mia.resourceId }).expect(201);
    const task = (more: object) => app.task(ann, garden, more);
    const later = await task({ assignee_id: mia.id, due_date: '2027-01-02' });
    const open = await task({ assignee_id: team });
    const soon = await task({ assignee_id: mia.id, due_date: '2027-01-01', title: 'x'.repeat(300) });
    const blocked = await task({ assignee_id: mia.id });
    await app
      .as(ann)
      .post('/relations')
      .send({
        relationship_type: 'depends_on',
        source_entity_type: 'task',
        source_entity_id: blocked,
        target_entity_type: 'task',
        target_entity_id: soon,
      })
      .expect(201);
    expect(await itemsOf(mia)).toEqual([soon, later, open].map((id) => `assigned ${id}`));
    expect(await work(noa)).toEqual([]);
    const [first] = await work(mia);
    expect(first).toEqual({
      type: 'task',
      id: soon,
      key: 'GARD-3',
      title: `${'x'.repeat(99)}…`,
      status: 'planned',
      due_date: '2027-01-01T23:59:59.000Z',
      why: 'assigned',
      endeavour_id: garden,
    });
    const { body } = await app.as(mia).get('/work?limit=2').expect(200);
    expect([body.data.length, body.meta]).toEqual([2, { has_more: true }]);
    expect(await work(mia, '?why=verdict,vote')).toEqual([]);
    expect(await work(mia, '?why=!assigned')).toEqual([]);
    const part = await app.as(mia).get('/work?limit=1&fields=why,id').expect(200);
    expect(part.text).toContain(`[{"id":"${soon}","why":"assigned"}]`);
    await app.as(mia).get('/work?fields=id,surprise').expect(400);
    await app.as(mia).get('/work?why=boredom').expect(400);
    await app.as(mia).get('/work?limit=0').expect(400);
    // Tasks disappear at once when the caller leaves or the endeavour is archived.
    await app.as(ann).delete(`/organizations/${riverside}/members/${mia.id}`).expect(200);
    expect(await work(mia)).toEqual([]);
    await app.as(ann).patch(`/tasks/${open}`).send({ assignee_id: noa.id }).expect(200);
    expect(await itemsOf(noa)).toEqual([`assigned ${open}`]);
    await app.as(ann).post(`/endeavours/${garden}/archive`).send({ reason: 'Over' }).expect(200);
    expect(await work(noa)).toEqual([]);
  });

  it('contains tasks that lack only a sign-off, for users who hold the stakeholder role', async () => {
    const signOff = { type: 'stakeholder_sign_off', params: { role: 'product_owner' } };
    const garden = await ours.bound({ type: 'manual_attestation' }, signOff);
    const [pia, eve] = [await app.person('Pia'), await app.person('Eve')];
    await app.join(garden, pia, 'member', ['product_owner']);
    await app.join(garden, eve, 'member');
    const task = await ours.active(garden);
    await ours.check(task);
    expect(await work(pia)).toEqual([]);
    await ours.attest(task).expect(200);
    await ours.done(task).expect(409);
    expect(await itemsOf(pia)).toEqual([`verdict ${task}`]);
    expect(await work(eve)).toEqual([]);
    // A verdict on the current content removes the task; a change of the content adds it again.
    await say(pia, task, { role: 'product_owner', verdict: 'needs_work' }).expect(201);
    expect(await work(pia)).toEqual([]);
    await ours.patch(task, { title: 'Paint the fence' }).expect(200);
    expect(await itemsOf(pia)).toEqual([`verdict ${task}`]);
    await say(pia, task, { role: 'product_owner' }).expect(201);
    expect(await work(pia)).toEqual([]);
    await ours.attest(task).expect(200);
    await ours.done(task).expect(200);
    expect(await app.count(`awaited_verdicts WHERE task_id = '${task}'`)).toBe(0);
    // The creator cannot sign off the task, so their list does not contain it.
    const own = await app.task(pia, garden);
    await ours.attest(own).expect(200);
    await ours.check(own);
    expect(await work(pia)).toEqual([]);
  });

  it('reports review requests to the reviewers and the people of the task', async () => {
    const garden = await app.endeavour(ann);
    const [pia, mia, noa] = [await app.person('Pia'), await app.person('Mia'), await app.person('Noa')];
    for (const person of [pia, mia, noa]) await app.join(garden, person, 'member');
    const task = await app.task(pia, garden, { assignee_id: mia.id });
    await ask(task, [noa.id]).expect(200);
    const reached = async (person: Person) => {
      const { body } = await app.as(person).get('/changes?about=me&type=task.review_requested').expect(200);
      return body.data.map(({ entity_id }: { entity_id: string }) => entity_id);
    };
    expect([await reached(noa), await reached(mia), await reached(pia), await reached(ann)]).toEqual([
      [task],
      [task],
      [task],
      [],
    ]);
    const { body } = await app.as(mia).get('/notifications').expect(200);
    expect(body.data.map(({ kinds }: { kinds: string[] }) => kinds)).toEqual([['assigned']]);
  });

  it('contains requested reviews until they are given; only members can be asked, for open tasks', async () => {
    const garden = await app.endeavour(ann);
    const [mia, vic, eve] = [await app.person('Mia'), await app.person('Vic'), await app.person('Eve')];
    await app.join(garden, mia, 'member');
    await app.join(garden, vic, 'viewer');
    const task = await app.task(ann, garden);
    const { body } = await ask(task, [mia.id, 'me']).expect(200);
    expect(body.data).toEqual({ task_id: task, resource_ids: [mia.resourceId, ann.resourceId] });
    expect(await itemsOf(mia)).toEqual([`verdict ${task}`]);
    await ask(task, [mia.resourceId]).expect(200);
    const events = await app.as(ann).get(`/tasks/${task}/changes?type=task.review_requested`).expect(200);
    expect(events.body.data).toEqual([
      expect.objectContaining({ data: { resource_ids: [mia.resourceId, ann.resourceId].sort() } }),
    ]);
    const refused = await ask(task, [vic.id, eve.id, mia.id]).expect(400);
    expect(refused.body.error.details.fields.map(({ field }: { field: string }) => field)).toEqual([
      'resource_ids.0',
      'resource_ids.1',
    ]);
    await ask(task, []).expect(400);
    await ask(task, [mia.id], vic).expect(403);
    await ask(task, [mia.id], eve).expect(404);
    const pump = await app.as(ann).post('/resources').send({ name: 'Pump', type: 'service' }).expect(201);
    await ask(task, [pump.body.data.id]).expect(400);
    await say(mia, task).expect(201);
    expect(await work(mia)).toEqual([]);
    await ask(task, [mia.id]).expect(200);
    expect(await itemsOf(mia)).toEqual([`verdict ${task}`]);
    await app.as(ann).patch(`/tasks/${task}`).send({ status: 'canceled', canceled_reason: 'Rain' }).expect(200);
    expect(await work(mia)).toEqual([]);
    const { body: late } = await ask(task, [mia.id]).expect(409);
    expect(late.error.details.reason).toBe('not_active');
  });

  it('contains pending votes of teams, runs that can be claimed, and questions', async () => {
    const garden = await app.endeavour(ann);
    const members = [await app.person('Mia'), await app.person('Noa')];
    const [mia, noa] = members;
    for (const person of members) await app.join(garden, person, 'member');
    const made = await app.as(ann).post('/resources').send({ name: 'The gardeners', type: 'team' });
    const team = made.body.data.id;
    for (const { resourceId } of members) {
      await app.database.query('INSERT INTO team_members (team_id, resource_id) VALUES ($1, $2)', [team, resourceId]);
    }
    await app
      .as(ann)
      .patch(`/resources/${team}`)
      .send({ quorum: { default: 2 } })
      .expect(200);
    const task = await app.task(ann, garden, { title: 'Fell the oak' });
    await app.as(ann).patch(`/tasks/${task}`).send({ owner_id: team }).expect(200);
    await app.as(mia).patch(`/tasks/${task}`).send({ status: 'active' }).expect(409);
    const ritual = await app
      .as(ann)
      .post('/rituals')
      .send({ name: 'Round', prompt: 'Walk', endeavour_id: garden })
      .expect(201);
    const run = await app.as(ann).post('/ritual-runs').send({ ritual_id: ritual.body.data.id }).expect(201);
    // A scheduled run has no user until it is claimed.
    await app.database.query('UPDATE ritual_runs SET run_by = NULL WHERE id = $1', [run.body.data.id]);
    const asked = await app
      .as(ann)
      .post('/messages')
      .send({ recipient_ids: [noa.id], content: 'Where is\nthe saw?', intent: 'question' })
      .expect(201);
    expect(await work(noa)).toEqual([
      expect.objectContaining({ why: 'vote', type: 'task', id: task, title: 'Fell the oak', endeavour_id: garden }),
      expect.objectContaining({ why: 'claim', type: 'ritual_run', id: run.body.data.id, title: 'Round' }),
      expect.objectContaining({ why: 'question', type: 'message', title: 'Where is the saw?', endeavour_id: null }),
    ]);
    const keyOf = async (id: string): Promise<string> =>
      (await app.as(ann).get(`/tasks/${id}`).expect(200)).body.data.key;
    const keys = (await work(noa)).map(({ type, key }) => [type, key]);
    expect(keys).toEqual([
      ['task', await keyOf(task)],
      ['ritual_run', null],
      ['message', null],
    ]);
    expect(await itemsOf(mia)).toEqual([`claim ${run.body.data.id}`]);
    // A token for one container shows neither messages between people nor anything in other containers.
    const shed = await app.endeavour(ann);
    await app.join(shed, noa, 'member');
    const here = await tokenOf(app, noa, { endeavour_id: garden, scopes: ['*:read'] });
    const there = await tokenOf(app, noa, { endeavour_id: shed });
    expect(await itemsOf(here)).toEqual([`vote ${task}`, `claim ${run.body.data.id}`]);
    expect(await work(there)).toEqual([]);
    await app
      .as(await tokenOf(app, noa, { scopes: ['tasks:read'] }))
      .get('/work')
      .expect(403);
    await app.as(noa).patch(`/messages/${asked.body.data.id}`).send({}).expect(200);
    await app.as(noa).patch(`/ritual-runs/${run.body.data.id}`).send({ claim: true }).expect(200);
    await app.as(noa).patch(`/tasks/${task}`).send({ status: 'active' }).expect(200);
    expect(await work(noa)).toEqual([]);
  });

  it('is limited to what the manager of an agent sees, and to the organization of a token', async () => {
    const eve = await app.person('Eve');
    const [riverside, lakeside] = [await app.organization(ann), await app.organization(eve)];
    const yard = await app.endeavour(ann, { organization_id: riverside });
    const dock = await app.endeavour(eve, { organization_id: lakeside });
    const made = await app.as(ann).post('/agents').send({ name: 'Triage', organization_id: riverside }).expect(201);
    const { id, resource_id: resourceId } = made.body.data;
    const sent = { name: 'Main', scopes: ['*:read'] };
    const { body } = await app.as(ann).post(`/agents/${id}/tokens`).send(sent).expect(201);
    const agent: Person = { ...ann, id, resourceId, token: body.data.token };
    const task = await app.task(ann, yard, { assignee_id: id });
    await app.join(dock, agent, 'member');
    await app.task(eve, dock, { assignee_id: id });
    // The agent has no access where its manager has no role.
    expect(await itemsOf(agent)).toEqual([`assigned ${task}`]);
    await app.join(dock, ann, 'member');
    expect(await itemsOf(agent)).toHaveLength(2);
    const own = await app.task(eve, dock, { assignee_id: ann.id });
    expect(await itemsOf(await tokenOf(app, ann, { organization_id: riverside }))).toEqual([]);
    await app.join(lakeside, ann, 'guest');
    expect(await itemsOf(await tokenOf(app, ann, { organization_id: lakeside }))).toEqual([`assigned ${own}`]);
    // Users of other organizations cannot be asked, and cannot find out who is a member.
    const { body: refused } = await ask(task, [eve.id]).expect(400);
    expect(refused.error.details.fields).toMatchObject([{ field: 'resource_ids.0', code: 'reference_not_found' }]);
    await ask(own, [eve.id], await app.person('Max')).expect(404);
    await app.as(ann).patch(`/agents/${id}`).send({ status: 'paused' }).expect(200);
    await app.as(agent).get('/work').expect(401);
  });

  it('is small: 50 entries with 30-character titles take less than 12.5 kB, or 5 kB compressed', async () => {
    const garden = await app.endeavour(ann);
    const mia = await app.person('Mia');
    await app.join(garden, mia, 'member');
    for (let i = 0; i < 50; i += 1) {
      await app.task(ann, garden, {
        title: `Water the plants of row ${i} well`,
        assignee_id: mia.id,
        due_date: '2027-01-01',
      });
    }
    const { text } = await app.as(mia).get('/work').expect(200);
    expect(JSON.parse(text).data).toHaveLength(50);
    expect([text.length < 12_500, gzipSync(text).length < 5_000]).toEqual([true, true]);
  });
});
