import { TestApp, type Person } from '../support/test-app.js';

describe('watching', () => {
  let app: TestApp;
  let [ann, bob, vic, eve]: Person[] = [];
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open();
    ann = await app.person('Ann', { tier: 3 });
    [bob, vic, eve] = [await app.person('Bob'), await app.person('Vic'), await app.person('Eve')];
  });

  beforeEach(async () => {
    garden = await app.endeavour(ann);
    await app.join(garden, bob, 'member');
    await app.join(garden, vic, 'viewer');
  });

  afterAll(() => app.close());

  const watch = (path: string, person = vic) => app.as(person).put(`${path}/watch`);
  const stop = (path: string, person = vic) => app.as(person).delete(`${path}/watch`);
  const data = async (path: string, person = vic) => (await app.as(person).get(path).expect(200)).body.data;
  const head = async (): Promise<number> => (await app.as(ann).get('/changes?after=now').expect(200)).body.meta.next;
  const about = async (after: number, person = vic): Promise<string[]> =>
    (await data(`/changes?about=me&after=${after}&fields=type,entity_id`, person)).map(
      ({ type, entity_id: id }: { type: string; entity_id: string }) => `${type} ${id}`,
    );
  const patch = (path: string, body: object, person = ann) => app.as(person).patch(path).send(body).expect(200);
  const comment = async (id: string, content: string, person = ann): Promise<string> => {
    const body = { entity_type: 'task', entity_id: id, content };
    return (await app.as(person).post('/comments').send(body).expect(201)).body.data.id;
  };
  const watched = async (kinds: string, person = vic): Promise<string[]> =>
    (await data(`/${kinds}?watching=true`, person)).map(({ id }: { id: string }) => id);

  it('is for those who see the thing, and found by a filter', async () => {
    const [task, other, demand] = [
      await app.task(ann, garden),
      await app.task(ann, garden),
      await app.demand(ann, garden),
    ];
    const { body } = await watch(`/tasks/${task}`).expect(200);
    expect(body.data).toEqual({ entity_id: task, watching: true });
    await watch(`/demands/${demand}`).expect(200);
    await watch(`/endeavours/${garden}`).expect(200);
    expect(await watched('tasks')).toEqual([task]);
    expect(await watched('demands')).toEqual([demand]);
    expect(await watched('endeavours')).toEqual([garden]);
    expect(await watched('tasks', ann)).toEqual([]);
    const rest = await data(`/tasks?watching=false&endeavour_id=${garden}`);
    expect(rest.map(({ id }: { id: string }) => id)).toEqual([other]);
    expect(
      await data(`/tasks?endeavour_id=${garden}&fields=id&filter=${encodeURIComponent('watching = true')}`),
    ).toEqual([{ id: task }]);
    await watch(`/tasks/${task}`, eve).expect(404);
    await stop(`/tasks/${task}`, eve).expect(404);
    expect((await stop(`/tasks/${task}`).expect(200)).body.data).toEqual({ entity_id: task, watching: false });
    expect(await watched('tasks')).toEqual([]);
    await stop(`/tasks/${other}`).expect(200);
  });

  it('puts what others do to the thing, and in discussions of it, among what is about me', async () => {
    const [task, other] = [await app.task(ann, garden), await app.task(ann, garden)];
    await watch(`/tasks/${task}`).expect(200);
    const from = await head();
    await patch(`/tasks/${task}`, { title: 'Dig' });
    await patch(`/tasks/${other}`, { title: 'Mow' });
    const said = await comment(task, 'Where?');
    expect(await about(from)).toEqual([`task.updated ${task}`, `comment.created ${said}`]);
    expect(await data(`/changes?about=me&after=${from}&entity_id=${task}`)).toHaveLength(1);
    await stop(`/tasks/${task}`).expect(200);
    const later = await head();
    await patch(`/tasks/${task}`, { title: 'Dig deeper' });
    expect(await about(later)).toEqual([]);
  });

  it('of an endeavour concerns everything in it, once however many watch', async () => {
    const task = await app.task(ann, garden);
    for (const person of [vic, bob]) await watch(`/endeavours/${garden}`, person).expect(200);
    const from = await head();
    await patch(`/tasks/${task}`, { title: 'Dig' });
    const created = await app.task(ann, garden);
    await patch(`/endeavours/${garden}`, { description: 'Green' });
    const expected = [`task.updated ${task}`, `task.created ${created}`, `endeavour.updated ${garden}`];
    expect(await about(from)).toEqual(expected);
    expect(await about(from, bob)).toEqual(expected);
    const rows = await app.database.query(
      'SELECT 1 FROM feed_audience a WHERE a.sequence > $1 AND a.resource_id = $2',
      [from, garden],
    );
    expect(rows).toHaveLength(3);
  });

  it('shows nothing to somebody who lost sight of the thing', async () => {
    const task = await app.task(ann, garden);
    await watch(`/tasks/${task}`).expect(200);
    await watch(`/endeavours/${garden}`).expect(200);
    await app.as(ann).delete(`/endeavours/${garden}/members/${vic.id}`).expect(200);
    const from = await head();
    await patch(`/tasks/${task}`, { title: 'Dig' });
    expect(await about(from)).toEqual([]);
    expect(await watched('tasks')).toEqual([]);
  });

  it('begins for those who comment or are mentioned, unless they have switched it off', async () => {
    const [task, muted] = [await app.task(ann, garden), await app.task(ann, garden)];
    await stop(`/tasks/${muted}`, bob).expect(200);
    for (const id of [task, muted]) {
      await comment(id, 'Mine?', bob);
      await comment(id, 'Look, @Vic');
    }
    expect(await watched('tasks', bob)).toEqual([task]);
    expect((await watched('tasks', vic)).toSorted()).toEqual([task, muted].toSorted());
    await watch(`/tasks/${muted}`, bob).expect(200);
    expect((await watched('tasks', bob)).toSorted()).toEqual([task, muted].toSorted());
  });

  it('also begins for those whom an edit mentions', async () => {
    const task = await app.task(ann, garden);
    const said = await comment(task, 'Look');
    await patch(`/comments/${said}`, { content: 'Look, @Bob' });
    expect(await watched('tasks', bob)).toContain(task);
  });

  describe('notifies', () => {
    const notifications = async (entity: string, person = vic): Promise<string[]> => {
      const found = await data(`/notifications?entity_id=${entity}`, person);
      return found.map(({ kinds }: { kinds: string[] }) => kinds.join('+'));
    };

    it('of moves and discussions of the thing, and of new work in an endeavour', async () => {
      const task = await app.task(ann, garden);
      await watch(`/tasks/${task}`).expect(200);
      await patch(`/tasks/${task}`, { title: 'Dig' });
      expect(await notifications(task)).toEqual([]);
      await patch(`/tasks/${task}`, { status: 'active' });
      await watch(`/endeavours/${garden}`, bob).expect(200);
      const created = await app.task(ann, garden);
      expect(await notifications(task)).toEqual(['watching']);
      expect(await notifications(created, bob)).toEqual(['watching']);
      expect(await notifications(created)).toEqual([]);
      expect(await notifications(task, ann)).toEqual([]);
      await stop(`/tasks/${task}`).expect(200);
      expect(await notifications(task)).toEqual([]);
    });

    it('of several changes at once under their endeavour', async () => {
      const tasks = [await app.task(ann, garden), await app.task(ann, garden)];
      await watch(`/tasks/${tasks[0]}`).expect(200);
      const operations = tasks.map((id) => ({
        method: 'PATCH',
        path: `/api/v1/tasks/${id}`,
        body: { status: 'active' },
      }));
      await app.as(ann).post('/batch').send({ operations }).expect(200);
      expect(await notifications(garden)).toEqual(['watching']);
      await stop(`/tasks/${tasks[0]}`).expect(200);
      expect(await notifications(garden)).toEqual([]);
    });

    it('not twice of a comment that mentions, and not those who do not want it', async () => {
      const task = await app.task(ann, garden);
      await comment(task, 'Look, @Vic');
      await app
        .as(bob)
        .patch('/auth/profile')
        .send({ notify: { watching: 'none' } })
        .expect(200);
      await watch(`/tasks/${task}`, bob).expect(200);
      await patch(`/tasks/${task}`, { status: 'active' });
      expect(await notifications(task)).toEqual(['comment+watching']);
      expect(await notifications(task, bob)).toEqual([]);
    });
  });

  it('sends mails of what the person sees then, and none of what is out of sight or no longer watched', async () => {
    const zoe = await app.person('Zoe');
    await app
      .as(zoe)
      .patch('/auth/profile')
      .send({ notify: { watching: 'mail' } })
      .expect(200);
    const [lost, left] = [await app.endeavour(ann), await app.endeavour(ann)];
    for (const endeavour of [garden, lost, left]) await app.join(endeavour, zoe, 'viewer');
    const make = (endeavour: string, title: string): Promise<string> => app.task(ann, endeavour, { title });
    const tasks = [
      await make(garden, 'Dig the pond'),
      await make(garden, 'Mow the lawn'),
      await make(lost, 'Paint the door'),
      await make(left, 'Oil the hinge'),
    ];
    for (const id of tasks) await watch(`/tasks/${id}`, zoe).expect(200);
    await watch(`/endeavours/${left}`, zoe).expect(200);
    await app.as(ann).delete(`/endeavours/${left}/members/${zoe.id}`).expect(200);
    for (const id of tasks) await patch(`/tasks/${id}`, { status: 'active' });
    await make(left, 'Sand the frame');
    expect(await data('/notifications', zoe)).toHaveLength(3);
    await app.as(ann).delete(`/endeavours/${lost}/members/${zoe.id}`).expect(200);
    await stop(`/tasks/${tasks[1]}`, zoe).expect(200);
    await app.service.setTime(new Date(Date.now() + 16 * 60_000).toISOString());
    await app.service.runJobs();
    const mails = await app.mail(zoe.email);
    await app.service.setTime(null);
    expect(mails).toHaveLength(1);
    expect(mails[0].text).toMatch(/^- \w+-\d+ Dig the pond: changed, and you watch it$/m);
    expect(mails[0].text).not.toMatch(/Mow|Paint|Oil|Sand/);
  });

  it('by an agent puts changes into its feed, and notifies nobody', async () => {
    const riverside = await app.organization(ann);
    const yard = await app.endeavour(ann, { organization_id: riverside });
    const made = await app.as(ann).post('/agents').send({ name: 'Triage', organization_id: riverside }).expect(201);
    const token = { name: 'Main', scopes: ['*:read', 'tasks:write'] };
    const { body } = await app.as(ann).post(`/agents/${made.body.data.id}/tokens`).send(token).expect(201);
    const agent: Person = { ...bob, id: made.body.data.id, token: body.data.token };
    const task = await app.task(ann, yard);
    await watch(`/tasks/${task}`, agent).expect(200);
    await watch(`/endeavours/${yard}`, agent).expect(403);
    const from = await head();
    await patch(`/tasks/${task}`, { status: 'active' });
    expect(await about(from, agent)).toEqual([`task.status_changed ${task}`]);
    expect(await data('/notifications', agent)).toEqual([]);
  });

  it('is among the data of a person', async () => {
    const task = await app.task(ann, garden);
    await watch(`/tasks/${task}`).expect(200);
    const own = (await app.as(vic).get('/auth/my-data').expect(200)).body;
    expect(own.watches).toContainEqual({ entity_id: task, watching: true, created_at: expect.any(String) });
  });
});
