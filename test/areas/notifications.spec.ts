import { Agreement } from '../support/dod.js';
import type { Person, TestApp } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

interface Notification {
  id: string;
  kinds: string[];
  count: number;
  entity_id: string;
  entity_title: string;
  source_id: string | null;
  actor_name: string | null;
  read_at: string | null;
}

describe('notifications', () => {
  let ours: Agreement;
  let app: TestApp;
  let ann: Person;
  let mia: Person;
  let garden: string;

  beforeAll(async () => {
    ours = await Agreement.open();
    ({ app, ann } = ours);
  });

  beforeEach(async () => {
    mia = await app.person('Mia');
    garden = await app.endeavour(ann);
    await app.join(garden, mia, 'member');
  });

  afterAll(() => app.close());

  const list = async (person: Person, query = ''): Promise<Notification[]> =>
    (await app.as(person).get(`/notifications${query}`).expect(200)).body.data;
  const notificationsOf = async (person: Person, query = ''): Promise<string[]> =>
    (await list(person, query)).map(({ kinds, entity_id }) => `${kinds.join('+')} ${entity_id}`);
  const comment = (person: Person, task: string, content = 'Well') =>
    app.as(person).post('/comments').send({ entity_type: 'task', entity_id: task, content }).expect(201);
  const notify = (person: Person, settings: object) => app.as(person).patch('/auth/profile').send({ notify: settings });

  it('are grouped by entity and day, with all kinds until they are read', async () => {
    const task = await app.task(ann, garden, { title: 'Fell the oak', assignee_id: mia.id });
    const { body } = await comment(ann, task);
    const [first] = await list(mia);
    expect(first).toEqual({
      id: expect.stringMatching(/^ntf_/),
      kinds: ['assigned', 'comment'],
      count: 2,
      entity_type: 'task',
      entity_id: task,
      entity_key: 'GARD-1',
      entity_title: 'Fell the oak',
      endeavour_id: garden,
      source_id: body.data.id,
      actor_id: ann.resourceId,
      actor_name: 'Ann',
      occurred_at: expect.any(String),
      read_at: null,
    });
    expect(await list(ann)).toEqual([]);
    const over = await app.task(ann, garden);
    await app.as(ann).patch(`/tasks/${over}`).send({ status: 'canceled', canceled_reason: 'Rain' }).expect(200);
    await app.as(ann).patch(`/tasks/${over}`).send({ assignee_id: mia.id }).expect(200);
    expect(await list(mia)).toHaveLength(1);
    const read = await app.as(mia).patch(`/notifications/${first.id}`).expect(200);
    expect(read.body.data.read_at).toEqual(expect.any(String));
    expect(await notificationsOf(mia, '?unread=true')).toEqual([]);
    expect((await app.as(mia).get(`/notifications/${first.id}`).expect(200)).body.data).toEqual(read.body.data);
    // A new event makes the notification unread again, with only the kinds of new events.
    await app.as(ann).patch(`/tasks/${task}`).send({ owner_id: mia.id }).expect(200);
    expect(await list(mia)).toEqual([
      expect.objectContaining({ id: first.id, kinds: ['owner_changed'], count: 1, read_at: null }),
    ]);
    expect(await notificationsOf(mia, '?kind=comment')).toEqual([]);
    expect(
      await notificationsOf(mia, `?kind=owner_changed,due&entity_id=${task}&endeavour_id=${garden}&entity_type=task`),
    ).toHaveLength(1);
    const other = await app.task(ann, garden, { assignee_id: mia.id });
    expect(await notificationsOf(mia)).toHaveLength(2);
    expect((await app.as(mia).post('/notifications/read').send({ all: true }).expect(200)).body.data).toEqual({
      read: 2,
    });
    await app.as(mia).patch(`/notifications/${first.id}`).send({ read: false }).expect(200);
    expect(await notificationsOf(mia, '?unread=1')).toEqual([`owner_changed ${task}`]);
    expect(await notificationsOf(mia, '?unread=false')).toEqual([`assigned ${other}`]);
    expect(
      (
        await app
          .as(mia)
          .post('/notifications/read')
          .send({ ids: [first.id] })
          .expect(200)
      ).body.data,
    ).toEqual({ read: 1 });
  });

  it('are visible only to their user, and only while the user can see the entity', async () => {
    const task = await app.task(ann, garden, { assignee_id: mia.id });
    const [{ id }] = await list(mia);
    for (const person of [ann, ours.ada]) {
      await app.as(person).get(`/notifications/${id}`).expect(404);
      await app.as(person).patch(`/notifications/${id}`).expect(404);
      await app
        .as(person)
        .post('/notifications/read')
        .send({ ids: [id] })
        .expect(400);
    }
    await app.as(mia).post('/notifications/read').send({}).expect(400);
    await app
      .as(mia)
      .post('/notifications/read')
      .send({ ids: [id], all: true })
      .expect(400);
    // A token that is restricted to another container neither shows nor marks it.
    const shed = await app.endeavour(mia);
    const elsewhere = await tokenOf(app, mia, { endeavour_id: shed });
    expect(await list(elsewhere)).toEqual([]);
    await app.as(elsewhere).get(`/notifications/${id}`).expect(404);
    expect((await app.as(elsewhere).post('/notifications/read').send({ all: true }).expect(200)).body.data).toEqual({
      read: 0,
    });
    expect(await notificationsOf(await tokenOf(app, mia, { endeavour_id: garden }))).toEqual([`assigned ${task}`]);
    await app.as(ann).delete(`/endeavours/${garden}/members/${mia.id}`).expect(200);
    expect(await list(mia)).toEqual([]);
    await app.as(mia).get(`/notifications/${id}`).expect(404);
  });

  it('are created for verdicts on own work, and if a verdict or a vote is needed', async () => {
    const yard = await ours.bound({ type: 'stakeholder_sign_off', params: { role: 'gardener' } });
    const [pia, eve, noa] = [await app.person('Pia'), await app.person('Eve'), await app.person('Noa')];
    await app.join(yard, pia, 'member', ['gardener']);
    await app.join(yard, eve, 'viewer', ['gardener']);
    await app.join(yard, noa, 'member');
    const task = await ours.active(yard);
    await ours.done(task).expect(409);
    expect(await notificationsOf(pia)).toEqual([`review_wanted ${task}`]);
    expect([await list(eve), await list(noa)]).toEqual([[], []]);
    await app
      .as(ann)
      .post(`/tasks/${task}/review-requests`)
      .send({ resource_ids: [noa.id] })
      .expect(200);
    expect(await notificationsOf(noa)).toEqual([`review_wanted ${task}`]);
    const verdict = { entity_type: 'task', entity_id: task, verdict: 'rejected', role: 'gardener' };
    const { body } = await app.as(pia).post('/approvals').send(verdict).expect(201);
    expect(await list(ann, '?kind=verdict')).toEqual([
      expect.objectContaining({ entity_id: task, source_id: body.data.id, actor_name: 'Pia' }),
    ]);
    const team = await app.as(ann).post('/resources').send({ name: 'The gardeners', type: 'team' });
    for (const { resourceId } of [pia, noa]) {
      const values = [team.body.data.id, resourceId];
      await app.database.query('INSERT INTO team_members (team_id, resource_id) VALUES ($1, $2)', values);
    }
    await app
      .as(ann)
      .patch(`/resources/${team.body.data.id}`)
      .send({ quorum: { default: 2 } })
      .expect(200);
    const oak = await app.task(ann, yard, { title: 'Fell the oak' });
    await app.as(ann).patch(`/tasks/${oak}`).send({ owner_id: team.body.data.id }).expect(200);
    await app.as(pia).patch(`/tasks/${oak}`).send({ status: 'active' }).expect(409);
    expect(await notificationsOf(noa, `?entity_id=${oak}`)).toEqual([`owner_changed+vote_wanted ${oak}`]);
    expect(await notificationsOf(pia, `?entity_id=${oak}`)).toEqual([`owner_changed ${oak}`]);
  });

  it('are created once for a mention that an edit adds, and only for the mentioned person', async () => {
    const noa = await app.person('Noa');
    await app.join(garden, noa, 'member');
    const task = await app.task(ann, garden, { assignee_id: noa.id });
    const { id } = (await comment(ann, task, 'Look')).body.data;
    const edit = (sent: object) => app.as(ann).patch(`/comments/${id}`).send(sent).expect(200);
    expect(await list(mia)).toEqual([]);
    const [first] = await list(noa);
    expect(first).toMatchObject({ kinds: ['assigned', 'comment'], count: 2 });
    await edit({ content: `Look @${mia.resourceId}` });
    const [mention] = await list(mia);
    expect(mention).toMatchObject({ kinds: ['comment'], count: 1, entity_id: task, source_id: id, actor_name: 'Ann' });
    await edit({ content: `Look again @${mia.resourceId}` });
    await edit({ content: 'Look' });
    await edit({ content: `Look @${mia.resourceId} @${ann.resourceId}` });
    await edit({ metadata: { seen: true } });
    const notified = [await list(mia), await list(noa), await list(ann, `?entity_id=${task}`)];
    expect(notified).toEqual([[mention], [first], []]);
    // A mention in the original text is part of the notification of the comment; an edit does not repeat it.
    const other = await app.task(ann, garden);
    const { body } = await comment(ann, other, `Look @${mia.resourceId}`);
    await app
      .as(ann)
      .patch(`/comments/${body.data.id}`)
      .send({ content: `Look here @${mia.resourceId}` })
      .expect(200);
    expect(await list(mia, `?entity_id=${other}`)).toMatchObject([{ kinds: ['comment'], count: 1 }]);
  });

  it('are created once for a comment and a mention that an edit in the same batch adds', async () => {
    const task = await app.task(mia, garden);
    const look = (content: string) => ({
      method: 'PATCH',
      path: '/api/v1/comments/$made.id',
      body: { content: `${content} @${mia.resourceId}` },
    });
    const create = { entity_type: 'task', entity_id: task, content: 'Look' };
    const operations = [
      { id: 'made', method: 'POST', path: '/api/v1/comments', body: create },
      look('Look'),
      look('Look again'),
    ];
    await app.as(ann).post('/batch').send({ atomic: true, operations }).expect(200);
    expect(await list(mia)).toMatchObject([{ kinds: ['comment'], count: 1, entity_id: task }]);
  });

  it('are created for invitations, and shown as long as these can be accepted', async () => {
    const eve = await app.person('Eve');
    const riverside = await app.organization(ann);
    const sent = { email: eve.email, organization_id: riverside, role: 'member' };
    const { body } = await app.as(ann).post('/invitations').send(sent).expect(201);
    expect(await notificationsOf(eve)).toEqual([`invitation ${body.data.id}`]);
    expect(await list(mia)).toEqual([]);
    await app.as(ann).delete(`/invitations/${body.data.id}`).expect(200);
    expect(await list(eve)).toEqual([]);
  });

  it('follow the profile: none, in the inbox, or in one mail of what is visible when it is sent', async () => {
    const { body } = await notify(mia, { comment: 'mail', assigned: 'mail', owner_changed: 'none' }).expect(200);
    expect(body.data.notify).toMatchObject({ comment: 'mail', assigned: 'mail', owner_changed: 'none', due: 'inbox' });
    expect((await notify(mia, { assigned: null }).expect(200)).body.data.notify).toMatchObject({
      assigned: 'inbox',
      comment: 'mail',
    });
    await notify(mia, { assigned: 'mail' }).expect(200);
    for (const wrong of [{ comment: 'pigeon' }, { weather: 'mail' }, 'mail', null])
      await notify(mia, wrong as object).expect(400);
    const [task, other] = [
      await app.task(ann, garden, { title: 'Fell the <oak>', assignee_id: mia.id }),
      await app.task(ann, garden),
    ];
    await app.as(ann).patch(`/tasks/${other}`).send({ owner_id: mia.id }).expect(200);
    const hidden = await app.endeavour(ann);
    await app.join(hidden, mia, 'member');
    await app.task(ann, hidden, { title: 'Hidden', assignee_id: mia.id });
    expect(await notificationsOf(mia)).toHaveLength(2);
    const mails = async (minutes: number) => {
      await app.service.setTime(new Date(Date.now() + minutes * 60_000).toISOString());
      await app.service.runJobs();
      const found = await app.mail(mia.email);
      await app.service.setTime(null);
      return found;
    };
    expect(await mails(10)).toEqual([]);
    await comment(ann, task);
    await list(mia);
    await app.as(ann).delete(`/endeavours/${hidden}/members/${mia.id}`).expect(200);
    const [mail, ...more] = await mails(16);
    expect(more).toEqual([]);
    expect(mail.subject).toBe('1 new in Worksmith');
    expect(mail.text).toMatch(/^- GARD\d*-\d+ Fell the <oak>: assigned to you, commented$/m);
    expect(mail.text).not.toContain('Hidden');
    // There is one mail for each entity and day, and none for notifications that were read.
    await comment(ann, task);
    await app.as(ann).patch(`/tasks/${other}`).send({ assignee_id: mia.id }).expect(200);
    await list(mia);
    await app.as(mia).post('/notifications/read').send({ all: true }).expect(200);
    expect(await mails(40)).toHaveLength(1);
  });

  it('of one operation are one for each person and kind, with the number of entities', async () => {
    const yard = await app.endeavour(ann);
    await app.join(yard, mia, 'member');
    const create = (title: string, assignee_id?: string) => ({
      method: 'POST',
      path: '/api/v1/tasks',
      body: { title, endeavour_id: yard, assignee_id },
    });
    const operations = [create('Rake', mia.id), create('Mow', mia.id), create('Sow')].map((one, at) => ({
      id: `t${at}`,
      ...one,
    }));
    for (const atomic of [true, false])
      await app
        .as(ann)
        .post('/batch')
        .send({ atomic, operations })
        .expect(atomic ? 200 : 207);
    const unread = (await list(mia)).filter(({ read_at }) => read_at === null);
    expect(unread).toMatchObject([{ kinds: ['assigned'], count: 4, entity_id: yard }]);
    const one = [{ id: 'only', ...create('Weed', mia.id) }];
    await app.as(ann).post('/batch').send({ operations: one }).expect(200);
    expect((await list(mia))[0]).toMatchObject({ count: 1, entity_type: 'task', entity_title: 'Weed' });
  });

  it('are left out as soon as their reason no longer holds, in lists and in mails', async () => {
    await notify(mia, { assigned: 'mail', comment: 'mail' }).expect(200);
    const titles = ['Handed on', 'Done', 'Canceled', 'Still', 'Both'];
    const ids: string[] = [];
    for (const title of titles) ids.push(await app.task(ann, garden, { title, assignee_id: mia.id }));
    const [handedOn, done, canceled, , both] = ids;
    await comment(ann, both);
    expect(await list(mia)).toHaveLength(5);
    const change = (id: string, body: object) => app.as(ann).patch(`/tasks/${id}`).send(body).expect(200);
    await change(handedOn, { assignee_id: ann.id });
    await change(both, { assignee_id: ann.id });
    await change(done, { status: 'active' });
    await change(done, { status: 'done' });
    await change(canceled, { status: 'canceled', canceled_reason: 'No' });
    expect((await list(mia)).map((one) => [one.entity_title, one.kinds])).toEqual(
      expect.arrayContaining([
        ['Still', ['assigned']],
        ['Both', ['comment']],
      ]),
    );
    expect(await list(mia)).toHaveLength(2);
    await app.service.setTime(new Date(Date.now() + 80 * 60_000).toISOString());
    await app.service.runJobs();
    const [mail] = (await app.mail(mia.email)).slice(-1);
    await app.service.setTime(null);
    expect(mail.text).toMatch(/^- GARD\d*-\d+ Still: assigned to you$/m);
    expect(mail.text).toMatch(/^- GARD\d*-\d+ Both: commented$/m);
    for (const title of titles.slice(0, 3)) expect(mail.text).not.toContain(title);
  });

  it('send no second mail about a comment whose message was mailed', async () => {
    await app.as(mia).patch('/auth/profile').send({ email_copy: true }).expect(200);
    await notify(mia, { comment: 'mail' }).expect(200);
    const before = (await app.mail(mia.email)).length;
    const task = await app.task(ann, garden, { title: 'Look here' });
    const sent = { entity_type: 'task', entity_id: task, content: `@${mia.resourceId} look` };
    await app.as(ann).post('/comments').send(sent).expect(201);
    await app.service.setTime(new Date(Date.now() + 120 * 60_000).toISOString());
    await app.service.runJobs();
    expect(await app.mail(mia.email)).toHaveLength(before + 1);
    expect(await list(mia)).toMatchObject([{ kinds: ['comment'], entity_id: task }]);
    await app.service.setTime(new Date(Date.now() + 160 * 60_000).toISOString());
    await app.service.runJobs();
    const mails = (await app.mail(mia.email)).slice(before);
    await app.service.setTime(null);
    expect(mails.map(({ subject }: { subject: string }) => subject)).toEqual([
      expect.stringContaining('You were mentioned'),
    ]);
  });

  it('are created for people, not for agents', async () => {
    const riverside = await app.organization(ann);
    const made = await app.as(ann).post('/agents').send({ name: 'Triage', organization_id: riverside }).expect(201);
    const yard = await app.endeavour(ann, { organization_id: riverside });
    await app.task(ann, yard, { assignee_id: made.body.data.id });
    const sent = { name: 'Main', scopes: ['*'] };
    const token = await app.as(ann).post(`/agents/${made.body.data.id}/tokens`).send(sent).expect(201);
    expect(await list({ ...mia, token: token.body.data.token })).toEqual([]);
  });

  // Must be the last test: it leaves the jobs of this service scheduled for 2030.
  it('are created one day before work is due, and again when it is due', async () => {
    const due = async () => {
      await app.service.runJobs();
      return list(mia, '?kind=due');
    };
    await app.service.setTime('2030-01-01T00:00:00Z');
    await due();
    const task = await app.task(ann, garden, { assignee_id: mia.id, due_date: '2030-01-03T12:00:00Z' });
    const team = await app.task(ann, garden, { due_date: '2030-01-03T12:00:00Z' });
    const done = await app.task(ann, garden, { assignee_id: mia.id, due_date: '2030-01-03T12:00:00Z' });
    await app.as(ann).patch(`/tasks/${done}`).send({ status: 'canceled', canceled_reason: 'Rain' }).expect(200);
    const counts: number[] = [];
    for (const now of [
      '2030-01-02T11:00:00Z',
      '2030-01-02T12:30:00Z',
      '2030-01-02T18:00:00Z',
      '2030-01-03T12:30:00Z',
      '2030-01-04T12:30:00Z',
    ]) {
      await app.service.setTime(now);
      counts.push((await due()).filter(({ entity_id }) => entity_id === task).length);
    }
    expect(counts).toEqual([0, 1, 1, 2, 2]);
    expect((await list(ann, '?kind=due')).map(({ entity_id }) => entity_id)).toEqual([team, team]);
    await app.service.setTime(null);
  });
});
