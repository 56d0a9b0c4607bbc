import { newId } from '../../src/common/ids.js';
import { addViewers } from '../support/crowd.js';
import { TestApp, type Person } from '../support/test-app.js';

interface Item {
  id: string;
  content: string;
}

interface Status {
  status: string | null;
}

const faults = (body: { error: { details: { fields: { field: string; code: string }[] } } }) =>
  body.error.details.fields.map(({ field, code }) => `${field} ${code}`);
const recipientsOf = (body: { data: { recipients: { name: string }[] } }) =>
  body.data.recipients.map(({ name }) => name);

describe('messages', () => {
  let app: TestApp;
  let [ann, ben, cleo, eve]: Person[] = [];
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open();
    [ann, ben, cleo, eve] = [
      await app.person('Ann'),
      await app.person('Ben'),
      await app.person('Cleo'),
      await app.person('Eve'),
    ];
    garden = await app.endeavour(ann);
    await app.join(garden, ben, 'member');
    await app.join(garden, cleo, 'viewer');
  });

  afterAll(() => app.close());

  const send = (body: object, person = ann) =>
    app
      .as(person)
      .post('/messages')
      .send({ content: 'Shall we paint it green?', ...body });
  const sent = async (body: object, person = ann): Promise<string> =>
    (await send(body, person).expect(201)).body.data.id;
  const reply = (id: string, person: Person, body: object = {}) =>
    app
      .as(person)
      .post(`/messages/${id}/reply`)
      .send({ content: 'Green it is.', ...body });
  const ids = async (person: Person, path: string): Promise<string[]> => {
    const { body } = await app.as(person).get(path).expect(200);
    return body.data.map(({ id }: Item) => id);
  };
  const read = (id: string, person: Person) => app.as(person).get(`/messages/${id}`);
  const recipients = async (id: string, person: Person, query = '') =>
    (await app.as(person).get(`/messages/${id}/recipients${query}`).expect(200)).body.data;
  const statusOfPat = async (id: string) => (await recipients(id, ann, `?resource_id=${pat.id}`))[0].status;
  let pat: Person;

  describe('sending', () => {
    it('returns the message, its recipients and its location', async () => {
      const task = await app.task(ann, garden);
      const { body, headers } = await send({
        recipient_ids: [ben.resourceId, cleo.id],
        subject: 'The gate',
        intent: 'question',
        entity_id: task,
        metadata: { urgent: false },
      }).expect(201);
      expect(headers.location).toBe(`/api/v1/messages/${body.data.id}`);
      expect(headers.etag).toBeUndefined();
      expect(body.data).toEqual({
        id: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
        sender_id: ann.resourceId,
        sender_name: 'Ann',
        subject: 'The gate',
        content: 'Shall we paint it green?',
        intent: 'question',
        reply_to_id: null,
        thread_id: body.data.id,
        entity_type: 'task',
        entity_id: task,
        scope_type: null,
        scope_id: null,
        recipients: [
          { resource_id: ben.resourceId, name: 'Ben' },
          { resource_id: cleo.resourceId, name: 'Cleo' },
        ],
        recipient_count: 2,
        delivery: null,
        delivery_id: null,
        channel: null,
        status: null,
        read_at: null,
        metadata: { urgent: false },
        created_at: expect.any(String),
        undeliverable: [],
      });
    });

    it('reaches each recipient once, even if they are named several times', async () => {
      const { body } = await send({
        recipient_ids: [ben.id, ben.resourceId],
        scope_type: 'endeavour',
        scope_id: garden,
      }).expect(201);
      expect(recipientsOf(body)).toEqual(['Ben', 'Cleo']);
    });

    it('reaches the sender if named as a recipient', async () => {
      const { body } = await send({ recipient_ids: ['me'] }).expect(201);
      expect(recipientsOf(body)).toEqual(['Ann']);
      expect(body.data).toMatchObject({ status: 'delivered', channel: 'inbox', read_at: null });
    });

    it('reaches everyone with a role in the endeavour, derived ones included, but not the sender', async () => {
      const [shed, riverside, dan] = [
        await app.endeavour(ann, { name: 'Shed' }),
        await app.organization(ann),
        await app.person('Dan'),
      ];
      await app.link(riverside, shed);
      await app.join(riverside, dan, 'guest');
      await app.join(shed, cleo, 'viewer');
      const { body } = await send({ scope_type: 'endeavour', scope_id: shed }).expect(201);
      expect(recipientsOf(body)).toEqual(['Cleo', 'Dan']);
      expect(body.data).toMatchObject({ scope_type: 'endeavour', scope_id: shed });
    });

    it('reaches the members of an organization, and leaves out inactive ones', async () => {
      const [riverside, dan, idle] = [
        await app.organization(ann),
        await app.person('Dan'),
        await app.person('Idle', { status: 'inactive' }),
      ];
      await app.join(riverside, dan, 'member');
      await app.join(riverside, idle, 'member');
      const { body } = await send({ scope_type: 'organization', scope_id: riverside }, dan).expect(201);
      expect(recipientsOf(body)).toEqual(['Ann']);
      expect(body.data.undeliverable).toEqual([]);
      const mixed = await send({ recipient_ids: [idle.id, dan.id] }).expect(201);
      expect(recipientsOf(mixed.body)).toEqual(['Dan']);
      expect(mixed.body.data).toMatchObject({ recipient_count: 1, undeliverable: [idle.resourceId] });
      const sentBefore = await app.count('messages');
      expect(faults((await send({ recipient_ids: [idle.id] }).expect(400)).body)).toEqual([
        'recipient_ids invalid_value',
      ]);
      const alone = await app.endeavour(ann);
      const withoutRecipients = await send({ scope_type: 'endeavour', scope_id: alone }).expect(400);
      expect(faults(withoutRecipients.body)).toEqual(['scope_id invalid_value']);
      expect(await app.count('messages')).toBe(sentBefore);
    });

    it('leaves viewers out of an action that is sent to a whole endeavour', async () => {
      const toAll = { scope_type: 'endeavour', scope_id: garden };
      expect(recipientsOf((await send({ ...toAll, intent: 'action' }).expect(201)).body)).toEqual(['Ben']);
      expect(recipientsOf((await send({ ...toAll, intent: 'question' }).expect(201)).body)).toEqual(['Ben', 'Cleo']);
      const named = await send({ ...toAll, intent: 'action', recipient_ids: [cleo.id] }).expect(201);
      expect(recipientsOf(named.body)).toEqual(['Ben', 'Cleo']);
    });

    it('reaches the members of a team, but not the sender among them', async () => {
      const [riverside, team] = [await app.organization(ann), newId('resource')];
      await app.join(riverside, ben, 'member');
      await app.database.query(
        `WITH placed AS (INSERT INTO entities (id, kind, title) VALUES ($1, 'resource', 'Crew')),
         made AS (INSERT INTO resources (id, name, type) VALUES ($1, 'Crew', 'team')),
         joined AS (INSERT INTO organization_resources (organization_id, resource_id) VALUES ($2, $1))
         INSERT INTO team_members (team_id, resource_id) VALUES ($1, $3), ($1, $4)`,
        [team, riverside, ann.resourceId, ben.resourceId],
      );
      const { body } = await send({ recipient_ids: [team] }).expect(201);
      expect(recipientsOf(body)).toEqual(['Ben']);
    });

    it('returns all field errors at once', async () => {
      const { body } = await app
        .as(ann)
        .post('/messages')
        .send({ recipient_ids: ['ann'], intent: 'shout', sender_id: ann.resourceId, colour: 'red' })
        .expect(400);
      expect(faults(body)).toEqual([
        'recipient_ids.0 invalid_format',
        'content required',
        'intent invalid_value',
        'sender_id read_only',
        'colour unknown_field',
      ]);
    });

    it.each([
      [{}, ['recipient_ids required']],
      [{ recipient_ids: [] }, ['recipient_ids required']],
      [{ scope_type: 'endeavour' }, ['scope_id required']],
      [{ scope_id: newId('endeavour') }, ['scope_type required']],
      [{ scope_type: 'organization', scope_id: newId('endeavour') }, ['scope_id invalid_format']],
      [{ scope_type: 'endeavour', scope_id: newId('endeavour') }, ['scope_id reference_not_found']],
      [{ recipient_ids: ['me'], entity_type: 'task' }, ['entity_id required']],
      [{ recipient_ids: ['me'], entity_type: 'task', entity_id: newId('demand') }, ['entity_id invalid_format']],
      [{ recipient_ids: ['me'], entity_id: newId('task') }, ['entity_id reference_not_found']],
      [{ recipient_ids: Array.from({ length: 201 }, () => newId('user')) }, ['recipient_ids too_long']],
      [
        { recipient_ids: ['me', newId('user'), newId('resource')] },
        ['recipient_ids.1 reference_not_found', 'recipient_ids.2 reference_not_found'],
      ],
    ])('rejects %j', async (body, expected) => {
      expect(faults((await send(body).expect(400)).body)).toEqual(expected);
    });

    it('returns the same error for absent and invisible recipients and entities', async () => {
      const secret = await app.task(eve, await app.endeavour(eve));
      const stranger = await send({ recipient_ids: [eve.id] }).expect(400);
      const absent = await send({ recipient_ids: [newId('user')] }).expect(400);
      expect(stranger.body.error.details).toEqual(absent.body.error.details);
      const hidden = await send({ recipient_ids: ['me'], entity_id: secret }).expect(400);
      expect(faults(hidden.body)).toEqual(['entity_id reference_not_found']);
    });

    it('to a scope requires the member role there, and a container that is not archived', async () => {
      await send({ scope_type: 'endeavour', scope_id: garden }, cleo).expect(403);
      const old = await app.endeavour(ann);
      await app.database.query(`UPDATE endeavours SET status = 'archived' WHERE id = $1`, [old]);
      const { body } = await send({ scope_type: 'endeavour', scope_id: old }).expect(409);
      expect(body.error.code).toBe('archived');
    });

    it('writes one event', async () => {
      const id = await sent({ recipient_ids: [ben.id] });
      const events = await app.database.query('SELECT type FROM events WHERE entity_id = $1', [id]);
      expect(events).toEqual([{ type: 'message.sent' }]);
    });
  });

  describe('message boxes', () => {
    let [gus, hal]: Person[] = [];
    let [first, second, third]: string[] = [];

    beforeAll(async () => {
      [gus, hal] = [await app.person('Gus'), await app.person('Hal')];
      const shed = await app.endeavour(gus, { name: 'Shed' });
      await app.join(shed, hal, 'member');
      const task = await app.task(gus, shed);
      first = await sent({ recipient_ids: [hal.id], subject: 'Gate', intent: 'question' }, gus);
      second = await sent({ recipient_ids: [hal.id], content: '100% of the _gate_', entity_id: task }, gus);
      third = await sent({ recipient_ids: [hal.id, gus.id] }, hal);
      await app.as(hal).patch(`/messages/${second}`).expect(200);
    });

    it('list received and sent messages, newest first', async () => {
      expect(await ids(hal, '/messages')).toEqual([third, second, first]);
      expect(await ids(gus, '/messages')).toEqual([third]);
      expect(await ids(gus, '/messages?box=inbox')).toEqual([third]);
      expect(await ids(gus, '/messages?box=sent')).toEqual([second, first]);
      expect(await ids(hal, '/messages?sort=created_at')).toEqual([first, second, third]);
    });

    it.each([
      ['unread=true', ['third', 'first']],
      ['unread', ['third', 'first']],
      ['unread=false', ['second']],
      ['status=read', ['second']],
      ['status=pending', ['third', 'first']],
      ['status=delivered', ['third', 'first']],
      ['status=read,delivered', ['third', 'second', 'first']],
      ['status=!pending', ['second']],
      ['status=!read,pending', []],
      ['status=read&box=sent', []],
      ['intent=question', ['first']],
      ['intent=question,info', ['third', 'second', 'first']],
      ['sender_id=me', ['third']],
      ['entity_type=task', ['second']],
      ['entity_type=demand', []],
      ['search=GATE', ['second', 'first']],
      ['search=0%25+of', ['second']],
      ['search=_gate', ['second']],
      ['search=g_te', []],
      ['unread=true&intent=info', ['third']],
    ])('filter by %s', async (query, expected) => {
      const names = { first, second, third } as Record<string, string>;
      expect(await ids(hal, `/messages?${query}`)).toEqual(expected.map((name) => names[name]));
    });

    it('reject unknown parameters and values', async () => {
      const { body } = await app.as(hal).get('/messages?box=trash&unread=maybe&intent=shout&folder=1').expect(400);
      expect(faults(body).sort()).toEqual([
        'box invalid_value',
        'folder unknown_field',
        'intent invalid_value',
        'unread invalid_value',
      ]);
    });

    it('are private, also for administrators, who can still read any single message', async () => {
      const ada = await app.admin();
      expect(await ids(ada, '/messages')).toEqual([]);
      const { body } = await read(first, ada).expect(200);
      expect(body.data.recipients).toEqual([{ resource_id: hal.resourceId, name: 'Hal' }]);
      expect(await recipients(first, ada)).toEqual([
        { resource_id: hal.resourceId, name: 'Hal', status: null, read_at: null },
      ]);
    });
  });

  describe('reading', () => {
    it('shows who has read it only to the sender', async () => {
      const id = await sent({ recipient_ids: [ben.id, cleo.id] });
      const { body: marked } = await app.as(ben).patch(`/messages/${id}`).send({ read: true }).expect(200);
      expect(marked.data).toMatchObject({
        delivery_id: expect.stringMatching(/^mdl_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/),
        status: 'read',
        read_at: expect.any(String),
      });
      const statuses = async (person: Person) => (await recipients(id, person)).map(({ status }: Status) => status);
      expect(await statuses(ben)).toEqual([null, null]);
      expect(await statuses(ann)).toEqual(['read', 'pending']);
      expect((await recipients(id, ann))[0]).toEqual({
        resource_id: ben.resourceId,
        name: 'Ben',
        status: 'read',
        read_at: marked.data.read_at,
      });
      expect((await read(id, ann).expect(200)).body.data).toMatchObject({ delivery_id: null, status: null });
    });

    it('lists the recipients in pages to users who can see the message', async () => {
      const id = await sent({ recipient_ids: [ben.id, cleo.id, ann.id] });
      const { body } = await app.as(cleo).get(`/messages/${id}/recipients?limit=2`).expect(200);
      expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['Ann', 'Ben']);
      expect(body.meta).toMatchObject({ total: 3, limit: 2 });
      const rest = await recipients(id, cleo, `?limit=2&cursor=${body.meta.next_cursor}`);
      expect(rest).toMatchObject([{ name: 'Cleo', status: null, read_at: null }]);
      expect(await recipients(id, ann, '?search=LEO')).toMatchObject([{ name: 'Cleo', status: 'pending' }]);
      await app.as(eve).get(`/messages/${id}/recipients`).expect(404);
    });

    it('does not mark the message as read; marking is idempotent and can be undone', async () => {
      const id = await sent({ recipient_ids: [ben.id] });
      const { body } = await read(id, ben).expect(200);
      expect(body.data.status).toBe('delivered');
      const mark = (sentBody?: object) => app.as(ben).patch(`/messages/${id}`).send(sentBody).expect(200);
      const once = await mark();
      const twice = await mark({});
      expect(twice.body.data).toEqual(once.body.data);
      expect((await mark({ read: false })).body.data).toMatchObject({ status: 'delivered', read_at: null });
      const events = await app.database.query('SELECT type FROM events WHERE entity_id = $1 ORDER BY sequence', [id]);
      expect(events.map(({ type }) => type)).toEqual(['message.sent', 'message.read', 'message.unread']);
    });

    it('returns 404 for users who are neither sender nor recipient', async () => {
      const id = await sent({ recipient_ids: [ben.id] });
      await read(id, cleo).expect(404);
      await app.as(cleo).patch(`/messages/${id}`).expect(404);
      await app.as(cleo).post(`/messages/${id}/reply`).send({ content: 'Hm' }).expect(404);
      await app.as(cleo).get(`/messages/${id}/thread`).expect(404);
      await read(newId('message'), cleo).expect(404);
    });

    it('lets only recipients mark the message, and rejects all other changes', async () => {
      const id = await sent({ recipient_ids: [ben.id] });
      await app.as(ann).patch(`/messages/${id}`).expect(403);
      const { body } = await app.as(ben).patch(`/messages/${id}`).send({ content: 'New', read: null }).expect(400);
      expect(faults(body)).toEqual(['read not_nullable', 'content read_only']);
      await expect(app.database.query(`UPDATE messages SET content = 'New' WHERE id = $1`, [id])).rejects.toThrow(
        'never changed',
      );
      await expect(app.database.query('DELETE FROM messages WHERE id = $1', [id])).rejects.toThrow('never changed');
    });
  });

  describe('marking several as read', () => {
    it('accepts ids or all, and returns how many were unread', async () => {
      const mia = await app.person('Mia');
      await app.join(garden, mia, 'viewer');
      const all = [];
      for (const content of ['One', 'Two', 'Three']) all.push(await sent({ recipient_ids: [mia.id], content }));
      const mark = (body: object) => app.as(mia).post('/messages/read').send(body);
      expect((await mark({ ids: all.slice(0, 2) }).expect(200)).body).toEqual({ data: { read: 2 } });
      expect(await ids(mia, '/messages?unread')).toEqual([all[2]]);
      expect((await mark({ ids: all }).expect(200)).body.data.read).toBe(1);
      expect((await mark({ all: true }).expect(200)).body.data.read).toBe(0);
      await sent({ recipient_ids: [mia.id] });
      expect((await mark({ all: true }).expect(200)).body.data.read).toBe(1);
      expect(await ids(mia, '/messages?unread')).toEqual([]);
      const events = await app.database.query(
        `SELECT entity_id AS id FROM events WHERE type = 'message.read' AND entity_id = ANY($1) ORDER BY entity_id`,
        [all],
      );
      expect(events.map(({ id }) => id)).toEqual(all);
    });

    it('rejects ids that are not in the inbox, and requires either ids or all', async () => {
      const own = await sent({ recipient_ids: [ben.id] });
      const foreign = await sent({ recipient_ids: [cleo.id] });
      const mark = (body: object) => app.as(ben).post('/messages/read').send(body).expect(400);
      for (const id of [foreign, newId('message')]) {
        expect(faults((await mark({ ids: [own, id] })).body)).toEqual(['ids.1 reference_not_found']);
      }
      expect(faults((await mark({})).body)).toEqual(['ids required']);
      expect(faults((await mark({ all: false })).body)).toEqual(['ids required']);
      expect(faults((await mark({ ids: [own], all: true })).body)).toEqual(['ids invalid_value']);
      expect((await read(own, ben)).body.data.status).toBe('delivered');
    });
  });

  describe('deleting from the inbox', () => {
    it('is allowed for recipients, and keeps the message for the sender and the other recipients', async () => {
      const id = await sent({ recipient_ids: [ben.id, cleo.id] });
      const remove = (person: Person) => app.as(person).delete(`/messages/${id}`);
      await remove(eve).expect(404);
      await remove(ann).expect(403);
      expect((await remove(ben).expect(200)).body).toEqual({ data: { id, deleted: true } });
      await remove(ben).expect(404);
      await read(id, ben).expect(404);
      expect(await ids(ben, '/messages?limit=200')).not.toContain(id);
      expect(await ids(cleo, '/messages?limit=1')).toEqual([id]);
      expect((await recipients(id, ann)).map(({ name }: { name: string }) => name)).toEqual(['Ben', 'Cleo']);
      await app
        .as(ben)
        .post('/messages/read')
        .send({ ids: [id] })
        .expect(400);
      const events = await app.database.query('SELECT type FROM events WHERE entity_id = $1 ORDER BY sequence', [id]);
      expect(events.map(({ type }) => type)).toEqual(['message.sent', 'message.removed']);
    });
  });

  describe('replying', () => {
    it('goes to the sender, in the same thread, about the same entity', async () => {
      const task = await app.task(ann, garden);
      const id = await sent({ recipient_ids: [ben.id, cleo.id], subject: 'The gate', entity_id: task });
      const { body, headers } = await reply(id, ben).expect(201);
      expect(headers.location).toBe(`/api/v1/messages/${body.data.id}`);
      expect(recipientsOf(body)).toEqual(['Ann']);
      expect(body.data).toMatchObject({
        subject: 'The gate',
        intent: 'info',
        reply_to_id: id,
        thread_id: id,
        entity_type: 'task',
        entity_id: task,
        sender_name: 'Ben',
      });
      const { body: further } = await reply(body.data.id, ann, { subject: 'Colour' }).expect(201);
      expect(further.data).toMatchObject({ subject: 'Colour', reply_to_id: body.data.id, thread_id: id });
    });

    it('goes to everyone with all, and to the recipients if the sender replies to their own message', async () => {
      const id = await sent({ recipient_ids: [ben.id, cleo.id] });
      expect(recipientsOf((await reply(id, ben, { all: true }).expect(201)).body)).toEqual(['Ann', 'Cleo']);
      expect(recipientsOf((await reply(id, ann).expect(201)).body)).toEqual(['Ben', 'Cleo']);
      const note = await sent({ recipient_ids: ['me'] });
      expect(recipientsOf((await reply(note, ann, { all: true }).expect(201)).body)).toEqual(['Ann']);
    });

    it('requires a caller who is a participant, and a message that has a sender', async () => {
      const ada = await app.admin();
      const id = await sent({ recipient_ids: [ben.id] });
      await reply(id, ada).expect(403);
      await reply(id, ben, { content: '' }).expect(400);
      const riverside = await app.organization(ben);
      await app.as(ben).put(`/organizations/${riverside}/alert-terms`).send(['fire']).expect(200);
      await app.task(ben, await app.endeavour(ben, { organization_id: riverside }), { title: 'Fire' });
      const [alert] = (await app.as(ben).get('/messages?intent=alert').expect(200)).body.data;
      expect((await read(alert.id, ben).expect(200)).body.data).toMatchObject({
        sender_id: null,
        sender_name: 'Worksmith',
      });
      const { body } = await reply(alert.id, ben).expect(409);
      expect(body.error.details.reason).toBe('no_sender');
    });

    it('to all reaches only users who still have a role in the scope, and requires that of the caller', async () => {
      const [square, dan, fay] = [await app.endeavour(ann), await app.person('Dan'), await app.person('Fay')];
      for (const person of [ben, dan, fay]) await app.join(square, person, 'member');
      const id = await sent({ scope_type: 'endeavour', scope_id: square });
      const leave = (person: Person) =>
        app.database.query('DELETE FROM endeavour_members WHERE endeavour_id = $1 AND user_id = $2', [
          square,
          person.id,
        ]);
      await leave(dan);
      const { body } = await reply(id, ben, { all: true }).expect(201);
      expect(recipientsOf(body)).toEqual(['Ann', 'Fay']);
      expect(body.data).toMatchObject({ scope_type: 'endeavour', scope_id: square });
      const refused = await reply(id, dan, { all: true }).expect(403);
      expect(refused.body.error.details.required).toContain('endeavour');
      expect(recipientsOf((await reply(id, dan).expect(201)).body)).toEqual(['Ann']);
      await leave(fay);
      await reply(body.data.id, fay, { all: true }).expect(403);
      expect(recipientsOf((await reply(id, ann).expect(201)).body)).toEqual(['Ben']);
      await app.database.query(`UPDATE endeavours SET status = 'archived' WHERE id = $1`, [square]);
      expect((await reply(id, ben, { all: true }).expect(409)).body.error.code).toBe('archived');
    });

    it('to all reaches only those named recipients whom the caller still sees', async () => {
      const [dan, fay] = [await app.person('Dan'), await app.person('Fay')];
      for (const person of [dan, fay]) await app.join(garden, person, 'member');
      const id = await sent({ recipient_ids: [ben.id, dan.id, fay.id] });
      await app.database.query('DELETE FROM endeavour_members WHERE user_id = $1', [dan.id]);
      expect(recipientsOf((await reply(id, ben, { all: true }).expect(201)).body)).toEqual(['Ann', 'Fay']);
      await app.database.query(`UPDATE users SET status = 'inactive' WHERE id = $1`, [fay.id]);
      const alone = await sent({ recipient_ids: [dan.id] }, await app.admin());
      await app.database.query(`UPDATE users SET status = 'inactive' WHERE is_admin`);
      expect((await reply(alone, dan).expect(409)).body.error.details.reason).toBe('no_recipient');
    });

    it('shows users the messages of a thread that they sent or received, oldest first', async () => {
      const id = await sent({ recipient_ids: [ben.id, cleo.id], subject: 'Colour' });
      const toAnn = (await reply(id, ben).expect(201)).body.data.id;
      const toAll = (await reply(id, cleo, { all: true }).expect(201)).body.data.id;
      const thread = async (of: string, person: Person, query = '') => {
        const { body } = await app.as(person).get(`/messages/${of}/thread${query}`).expect(200);
        expect(body.data).toMatchObject({ thread_id: id, subject: 'Colour' });
        return [body.data.messages.map((message: Item) => message.id), body.data.total];
      };
      expect(await thread(toAnn, ann)).toEqual([[id, toAnn, toAll], 3]);
      expect(await thread(id, ben)).toEqual([[id, toAnn, toAll], 3]);
      expect(await thread(id, cleo)).toEqual([[id, toAll], 2]);
      expect(await thread(id, await app.admin())).toEqual([[id, toAnn, toAll], 3]);
      expect(await thread(id, ann, `?before=${toAll}`)).toEqual([[id, toAnn], 3]);
      expect(await thread(id, cleo, `?before=${toAnn}`)).toEqual([[], 2]);
      const refused = await app.as(ann).get(`/messages/${id}/thread?before=tomorrow&limit=1`).expect(400);
      expect(faults(refused.body).sort()).toEqual(['before invalid_format', 'limit unknown_field']);
    });

    it('shows the newest 200 messages of a long thread, and earlier ones with before', async () => {
      const dan = await app.person('Dan');
      const id = await sent({ recipient_ids: ['me'] }, dan);
      await app.database.query(
        `WITH made AS (SELECT new_id('msg') AS id, n FROM generate_series(1, 250) n),
         placed AS (INSERT INTO entities (id, kind, title, owner_user_id) SELECT id, 'message', 'x', $3 FROM made)
         INSERT INTO messages (id, sender_id, content, reply_to_id, thread_id, created_at)
         SELECT id, $2, 'Answer ' || n, $1, $1, now() + n * interval '1 second' FROM made`,
        [id, dan.resourceId, dan.id],
      );
      const { body } = await app.as(dan).get(`/messages/${id}/thread`).expect(200);
      expect([body.data.messages.length, body.data.total]).toEqual([200, 251]);
      expect(body.data.messages[0].content).toBe('Answer 51');
      const earlier = await app.as(dan).get(`/messages/${id}/thread?before=${body.data.messages[0].id}`).expect(200);
      expect(earlier.body.data.messages).toHaveLength(51);
      expect(earlier.body.data.messages[0].id).toBe(id);
    });
  });

  describe('copies by mail', () => {
    let minutes = 0;

    beforeAll(async () => {
      pat = await app.person('Pat', { emailCopy: true, lang: 'de' });
      await app.join(garden, pat, 'viewer');
    });
    afterEach(() => app.service.setTime(null));

    /** Gathers the copies that wait some minutes later, and sends the mails; returns those to Pat, newest first. */
    const mailsAfter = async (more: number) => {
      minutes += more;
      await app.service.setTime(new Date(Date.now() + minutes * 60_000).toISOString());
      await app.service.runJobs();
      return app.mail(pat.email);
    };

    it('are sent to recipients who enabled them, and the sender sees the status', async () => {
      const id = await sent({
        scope_type: 'endeavour',
        scope_id: garden,
        subject: 'The gate',
        content: 'Green?\nOr red?',
      });
      expect(await statusOfPat(id)).toBe('pending');
      const [mail] = await mailsAfter(1);
      expect(mail.subject).toBe('Ann: The gate');
      expect(mail.text).toContain('Hallo Pat');
      expect(mail.text).toContain('Green?\nOr red?');
      expect(await statusOfPat(id)).toBe('copied');
      for (const other of [ben, cleo]) expect(await app.mail(other.email)).toEqual([]);
      await app.as(pat).patch(`/messages/${id}`).expect(200);
      expect(await statusOfPat(id)).toBe('read');
    });

    it('have the beginning of the text as their subject if the message has none', async () => {
      await sent({ recipient_ids: [pat.id], content: 'Shall we\npaint it?' });
      expect((await mailsAfter(20))[0].subject).toBe('Ann: Shall we paint it?');
    });

    it('of many messages in a short time are one mail, which leaves out what was read meanwhile', async () => {
      const before = (await app.mail(pat.email)).length;
      const messages: string[] = [];
      for (let count = 1; count <= 18; count += 1)
        messages.push(await sent({ recipient_ids: [pat.id], content: `Board ${count}.` }));
      const fromBen = await sent({ recipient_ids: [pat.id], subject: 'Paint', content: 'x'.repeat(3_000) }, ben);
      await app.as(pat).patch(`/messages/${messages[4]}`).expect(200);
      expect(await mailsAfter(14)).toHaveLength(before);
      const mails = await mailsAfter(2);
      expect(mails).toHaveLength(before + 1);
      const [{ subject, text }] = mails;
      expect(subject).toBe('Nachrichten in Worksmith: 18');
      expect(text).toContain('Hallo Pat');
      expect(text).toContain(`Ben: Paint\n${'x'.repeat(2_000)}…\n\nAnn: Board 18.\nBoard 18.\n\nAnn: Board 17.`);
      expect(text).not.toContain('Board 5.');
      expect(await statusOfPat(messages[0])).toBe('copied');
      expect((await recipients(fromBen, ben))[0].status).toBe('copied');
    });

    it('are at most 20 an hour from one sender to one recipient', async () => {
      const zoe = await app.person('Zoe');
      await app.join(garden, zoe, 'member');
      const messages: string[] = [];
      for (let count = 1; count <= 22; count += 1) messages.push(await sent({ recipient_ids: [pat.id] }, zoe));
      const [{ subject }] = await mailsAfter(20);
      expect(subject).toBe('Nachrichten in Worksmith: 20');
      const statuses = await Promise.all(
        messages.slice(19).map(async (id) => (await recipients(id, zoe, `?resource_id=${pat.id}`))[0].status),
      );
      expect(statuses).toEqual(['copied', 'pending', 'pending']);
    });

    it('of more than 50 messages show the newest, and how many there are besides', async () => {
      await app.database.query(
        `WITH made AS (SELECT new_id('msg') AS id FROM generate_series(1, 60)),
         placed AS (INSERT INTO entities (id, kind, title, owner_user_id) SELECT id, 'message', 'x', $2 FROM made),
         written AS (INSERT INTO messages (id, sender_id, content, thread_id) SELECT id, $1, 'Hello', id FROM made),
         delivered AS (INSERT INTO message_deliveries (id, message_id, resource_id, user_id)
           SELECT new_id('mdl'), id, $3, $2 FROM made RETURNING id)
         INSERT INTO message_copies (delivery_id, user_id) SELECT id, $2 FROM delivered`,
        [ann.resourceId, pat.id, pat.resourceId],
      );
      const [{ subject, text }] = await mailsAfter(20);
      expect(subject).toBe('Nachrichten in Worksmith: 60');
      expect(text.match(/\nHello\n/g)).toHaveLength(50);
      expect(text).toContain('Weitere Nachrichten in deinem Posteingang: 10\n');
    });

    it('of an outbox of an earlier release are sent', async () => {
      await sent({ recipient_ids: [pat.id], content: 'From before' });
      await app.database.query(
        `WITH single AS (DELETE FROM message_copies WHERE user_id = $1 AND mail IS NULL RETURNING delivery_id)
         INSERT INTO outbox (kind, recipient, lang, data, reference, due_at)
         SELECT 'message_copy', $2, 'de', jsonb_build_object('delivery_id', delivery_id), delivery_id, now() FROM single`,
        [pat.id, pat.email],
      );
      expect((await app.mail(pat.email))[0].subject).toBe('Ann: From before');
    });

    it('are shown as failed, and are not sent to users who have disabled them', async () => {
      const failing = [await sent({ recipient_ids: [pat.id] }), await sent({ recipient_ids: [pat.id] }, ben)];
      minutes += 20;
      await app.service.setTime(new Date(Date.now() + minutes * 60_000).toISOString());
      await app.service.runJobs();
      await app.database.query(`UPDATE outbox SET status = 'failed' WHERE status = 'pending'`);
      expect(await statusOfPat(failing[0])).toBe('failed');
      expect((await recipients(failing[1], ben))[0].status).toBe('failed');
      const before = (await app.mail(pat.email)).length;
      const lapsed = [await sent({ recipient_ids: [pat.id] }, ben), await sent({ recipient_ids: [pat.id] }, ben)];
      await app.database.query('UPDATE users SET email_copy = false WHERE id = $1', [pat.id]);
      expect(await mailsAfter(20)).toHaveLength(before);
      expect((await recipients(lapsed[0], ben))[0].status).toBe('pending');
      expect(await app.database.query(`SELECT status FROM outbox ORDER BY created_at DESC LIMIT 1`)).toEqual([
        { status: 'lapsed' },
      ]);
    });

    it('are not sent if the message is rejected', async () => {
      const before = await app.count('message_copies');
      await send({ recipient_ids: [ben.id, pat.id], entity_id: newId('task') }).expect(400);
      expect(await app.count('message_copies')).toBe(before);
    });
  });

  it('raise an alert if they are sent to a whole container and contain an alert term', async () => {
    const riverside = await app.organization(ann);
    const shed = await app.endeavour(ann, { organization_id: riverside });
    await app.join(riverside, ben, 'member');
    await app
      .as(ann)
      .put(`/organizations/${riverside}/alert-terms`)
      .send({ terms: ['fire'] })
      .expect(200);
    await send({ recipient_ids: [ben.id], content: 'Fire!' }).expect(201);
    const caught = [
      await sent({ scope_type: 'organization', scope_id: riverside, content: 'Fire!' }),
      await sent({ scope_type: 'endeavour', scope_id: shed, subject: 'Fire', content: 'Run' }),
    ];
    const { body } = await app.as(ann).get(`/organizations/${riverside}/alerts`).expect(200);
    expect(body.data.map(({ entity_id }: { entity_id: string }) => entity_id).sort()).toEqual(caught.sort());
  });

  it('raise an alert if a reply to a whole container contains an alert term', async () => {
    const riverside = await app.organization(ann);
    const shed = await app.endeavour(ann, { organization_id: riverside });
    await app.join(shed, ben, 'member');
    await app.as(ann).put(`/organizations/${riverside}/alert-terms`).send(['fire']).expect(200);
    const id = await sent({ scope_type: 'endeavour', scope_id: shed }, ben);
    await reply(id, ann, { content: 'Fire, between the two of us' }).expect(201);
    const responses = [
      await reply(id, ann, { content: 'Fire!', all: true }).expect(201),
      await reply(id, ben, { content: 'Fire!' }).expect(201),
    ];
    const caught = await app.database.query('SELECT entity_id FROM alerts WHERE organization_id = $1', [riverside]);
    expect(caught.map(({ entity_id }) => entity_id)).toEqual(responses.map(({ body }) => body.data.id));
  });

  it('are sent once for 20 concurrent requests with the same idempotency key', async () => {
    const before = (await ids(ben, '/messages?limit=200')).length;
    const tries = Array.from({ length: 20 }, () => send({ recipient_ids: [ben.id] }).set('Idempotency-Key', 'once'));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.every((status) => status === 201 || status === 409)).toBe(true);
    expect((await ids(ben, '/messages?limit=200')).length).toBe(before + 1);
  });

  it('have list rows under 2 kB even with 5,000 recipients', async () => {
    const square = await app.endeavour(ann, { name: 'Square' });
    await addViewers(
      app,
      square,
      5000,
      'A person whose name is quite as long as names are allowed to be here, and longer',
    );
    const { body } = await send({ scope_type: 'endeavour', scope_id: square }).expect(201);
    expect(body.data).toMatchObject({ recipient_count: 5000, undeliverable: [] });
    expect(body.data.recipients).toHaveLength(10);
    const [row] = (await app.as(ann).get('/messages?box=sent&limit=1').expect(200)).body.data;
    expect(row.id).toBe(body.data.id);
    expect(Buffer.byteLength(JSON.stringify(row)) - Buffer.byteLength(row.content)).toBeLessThan(2048);
    const [event] = await app.database.query('SELECT length(data::text) AS size FROM events WHERE entity_id = $1', [
      row.id,
    ]);
    expect(event.size).toBeLessThan(3000);
    const page = await app.as(ann).get(`/messages/${row.id}/recipients?limit=200&offset=4900`).expect(200);
    expect([page.body.data.length, page.body.meta.total]).toEqual([100, 5000]);
  });
});
