import { newId } from '../../src/common/ids.js';
import { House, type Person } from '../support/house.js';

interface Item {
  id: string;
  delivery: { status: string; read_at: string | null } | null;
}

const faults = (body: { error: { details: { fields: { field: string; code: string }[] } } }) =>
  body.error.details.fields.map(({ field, code }) => `${field} ${code}`);
const recipientsOf = (body: { data: { recipients: { name: string }[] } }) =>
  body.data.recipients.map(({ name }) => name);

describe('messages', () => {
  let house: House;
  let [ann, ben, cleo, eve]: Person[] = [];
  let garden: string;

  beforeAll(async () => {
    house = await House.open();
    [ann, ben, cleo, eve] = [
      await house.person('Ann'),
      await house.person('Ben'),
      await house.person('Cleo'),
      await house.person('Eve'),
    ];
    garden = await house.endeavour(ann);
    await house.join(garden, ben, 'member');
    await house.join(garden, cleo, 'viewer');
  });

  afterAll(() => house.close());

  const send = (body: object, person = ann) =>
    house
      .as(person)
      .post('/messages')
      .send({ content: 'Shall we paint it green?', ...body });
  const sent = async (body: object, person = ann): Promise<string> =>
    (await send(body, person).expect(201)).body.data.id;
  const reply = (id: string, person: Person, body: object = {}) =>
    house
      .as(person)
      .post(`/messages/${id}/reply`)
      .send({ content: 'Green it is.', ...body });
  const ids = async (person: Person, path: string): Promise<string[]> => {
    const { body } = await house.as(person).get(path).expect(200);
    return body.data.map(({ id }: Item) => id);
  };
  const read = (id: string, person: Person) => house.as(person).get(`/messages/${id}`);
  const statusOfPat = async (id: string) =>
    (await read(id, ann)).body.data.recipients.find(({ name }: { name: string }) => name === 'Pat').status;

  describe('sending', () => {
    it('answers with the message, its recipients and where to find it', async () => {
      const task = await house.task(ann, garden);
      const { body, headers } = await send({
        recipient_ids: [ben.resourceId, cleo.id],
        subject: 'The gate',
        intent: 'question',
        entity_id: task,
        metadata: { urgent: false },
      }).expect(201);
      expect(headers.location).toBe(`/api/v1/messages/${body.data.id}`);
      expect(headers.etag).toBeUndefined();
      const unread = { status: 'pending', read_at: null };
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
          { resource_id: ben.resourceId, name: 'Ben', ...unread },
          { resource_id: cleo.resourceId, name: 'Cleo', ...unread },
        ],
        delivery: null,
        metadata: { urgent: false },
        created_at: expect.any(String),
      });
    });

    it('reaches each recipient once, however often they are meant', async () => {
      const { body } = await send({
        recipient_ids: [ben.id, ben.resourceId],
        scope_type: 'endeavour',
        scope_id: garden,
      }).expect(201);
      expect(recipientsOf(body)).toEqual(['Ben', 'Cleo']);
    });

    it('reaches oneself where one is named, as me or by id', async () => {
      const { body } = await send({ recipient_ids: ['me'] }).expect(201);
      expect(recipientsOf(body)).toEqual(['Ann']);
      expect(body.data.delivery).toMatchObject({ status: 'pending' });
    });

    it('reaches everyone with a role in the endeavour, derived ones included, but not the sender', async () => {
      const [shed, riverside, dan] = [
        await house.endeavour(ann, { name: 'Shed' }),
        await house.organization(ann),
        await house.person('Dan'),
      ];
      await house.link(riverside, shed);
      await house.join(riverside, dan, 'guest');
      await house.join(shed, cleo, 'viewer');
      const { body } = await send({ scope_type: 'endeavour', scope_id: shed }).expect(201);
      expect(recipientsOf(body)).toEqual(['Cleo', 'Dan']);
      expect(body.data).toMatchObject({ scope_type: 'endeavour', scope_id: shed });
    });

    it('reaches the members of an organization, and leaves out who is not active', async () => {
      const [riverside, dan, idle] = [
        await house.organization(ann),
        await house.person('Dan'),
        await house.person('Idle', { status: 'inactive' }),
      ];
      await house.join(riverside, dan, 'member');
      await house.join(riverside, idle, 'member');
      const { body } = await send({ scope_type: 'organization', scope_id: riverside }, dan).expect(201);
      expect(recipientsOf(body)).toEqual(['Ann']);
      expect(recipientsOf((await send({ recipient_ids: [idle.id] }).expect(201)).body)).toEqual([]);
    });

    it('reaches the members of a team, but not the sender among them', async () => {
      const [riverside, team] = [await house.organization(ann), newId('resource')];
      await house.join(riverside, ben, 'member');
      await house.database.query(
        `WITH placed AS (INSERT INTO entities (id, kind, title) VALUES ($1, 'resource', 'Crew')),
         made AS (INSERT INTO resources (id, name, type) VALUES ($1, 'Crew', 'team')),
         joined AS (INSERT INTO organization_resources (organization_id, resource_id) VALUES ($2, $1))
         INSERT INTO team_members (team_id, resource_id) VALUES ($1, $3), ($1, $4)`,
        [team, riverside, ann.resourceId, ben.resourceId],
      );
      const { body } = await send({ recipient_ids: [team] }).expect(201);
      expect(recipientsOf(body)).toEqual(['Ben']);
    });

    it('names every fault at once', async () => {
      const { body } = await house
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
    ])('refuses %j', async (body, expected) => {
      expect(faults((await send(body).expect(400)).body)).toEqual(expected);
    });

    it('says the same of recipients and things that are absent and that are not visible', async () => {
      const secret = await house.task(eve, await house.endeavour(eve));
      const stranger = await send({ recipient_ids: [eve.id] }).expect(400);
      const absent = await send({ recipient_ids: [newId('user')] }).expect(400);
      expect(stranger.body.error.details).toEqual(absent.body.error.details);
      const hidden = await send({ recipient_ids: ['me'], entity_id: secret }).expect(400);
      expect(faults(hidden.body)).toEqual(['entity_id reference_not_found']);
    });

    it('to a scope needs member there, and a living container', async () => {
      await send({ scope_type: 'endeavour', scope_id: garden }, cleo).expect(403);
      const old = await house.endeavour(ann);
      await house.database.query(`UPDATE endeavours SET status = 'archived' WHERE id = $1`, [old]);
      const { body } = await send({ scope_type: 'endeavour', scope_id: old }).expect(409);
      expect(body.error.code).toBe('archived');
    });

    it('writes one event for it', async () => {
      const id = await sent({ recipient_ids: [ben.id] });
      const events = await house.database.query('SELECT type FROM events WHERE entity_id = $1', [id]);
      expect(events).toEqual([{ type: 'message.sent' }]);
    });
  });

  describe('the boxes', () => {
    let [gus, hal]: Person[] = [];
    let [first, second, third]: string[] = [];

    beforeAll(async () => {
      [gus, hal] = [await house.person('Gus'), await house.person('Hal')];
      const shed = await house.endeavour(gus, { name: 'Shed' });
      await house.join(shed, hal, 'member');
      const task = await house.task(gus, shed);
      first = await sent({ recipient_ids: [hal.id], subject: 'Gate', intent: 'question' }, gus);
      second = await sent({ recipient_ids: [hal.id], content: '100% of the _gate_', entity_id: task }, gus);
      third = await sent({ recipient_ids: [hal.id, gus.id] }, hal);
      await house.as(hal).patch(`/messages/${second}`).expect(200);
    });

    it('hold what came in, newest first, and what went out', async () => {
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

    it('are refused unknown words', async () => {
      const { body } = await house.as(hal).get('/messages?box=trash&unread=maybe&intent=shout&folder=1').expect(400);
      expect(faults(body).sort()).toEqual([
        'box invalid_value',
        'folder unknown_field',
        'intent invalid_value',
        'unread invalid_value',
      ]);
    });

    it('are everybody\u2019s own, an administrator\u2019s too, who still may read any single message', async () => {
      const ada = await house.admin();
      expect(await ids(ada, '/messages')).toEqual([]);
      const { body } = await read(first, ada).expect(200);
      expect(body.data.recipients).toEqual([{ resource_id: hal.resourceId, name: 'Hal', status: null, read_at: null }]);
    });
  });

  describe('reading', () => {
    it('shows who has read it to the sender alone', async () => {
      const id = await sent({ recipient_ids: [ben.id, cleo.id] });
      const { body: marked } = await house.as(ben).patch(`/messages/${id}`).send({ read: true }).expect(200);
      expect(marked.data.delivery).toEqual({
        id: expect.stringMatching(/^mdl_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/),
        status: 'read',
        read_at: expect.any(String),
      });
      expect(marked.data.recipients.map(({ status }: { status: null }) => status)).toEqual([null, null]);
      const { body: seen } = await read(id, ann).expect(200);
      expect(seen.data.recipients.map(({ status }: { status: string }) => status)).toEqual(['read', 'pending']);
      expect(seen.data.delivery).toBeNull();
    });

    it('does not mark as read; marking can be taken back, and repeated to no effect', async () => {
      const id = await sent({ recipient_ids: [ben.id] });
      const { body } = await read(id, ben).expect(200);
      expect(body.data.delivery.status).toBe('pending');
      const mark = (sentBody?: object) => house.as(ben).patch(`/messages/${id}`).send(sentBody).expect(200);
      const once = await mark();
      const twice = await mark({});
      expect(twice.body.data.delivery).toEqual(once.body.data.delivery);
      expect((await mark({ read: false })).body.data.delivery).toMatchObject({ status: 'pending', read_at: null });
      const events = await house.database.query('SELECT type FROM events WHERE entity_id = $1 ORDER BY sequence', [id]);
      expect(events.map(({ type }) => type)).toEqual(['message.sent', 'message.read', 'message.unread']);
    });

    it('is 404 for whoever is neither sender nor recipient', async () => {
      const id = await sent({ recipient_ids: [ben.id] });
      await read(id, cleo).expect(404);
      await house.as(cleo).patch(`/messages/${id}`).expect(404);
      await house.as(cleo).post(`/messages/${id}/reply`).send({ content: 'Hm' }).expect(404);
      await house.as(cleo).get(`/messages/${id}/thread`).expect(404);
      await read(newId('message'), cleo).expect(404);
    });

    it('can only be marked by a recipient, and changed by nobody', async () => {
      const id = await sent({ recipient_ids: [ben.id] });
      await house.as(ann).patch(`/messages/${id}`).expect(403);
      const { body } = await house.as(ben).patch(`/messages/${id}`).send({ content: 'New', read: null }).expect(400);
      expect(faults(body)).toEqual(['read not_nullable', 'content read_only']);
      await house.as(ben).delete(`/messages/${id}`).expect(405);
      await expect(house.database.query(`UPDATE messages SET content = 'New' WHERE id = $1`, [id])).rejects.toThrow(
        'never changed',
      );
      await expect(house.database.query('DELETE FROM messages WHERE id = $1', [id])).rejects.toThrow('never changed');
    });
  });

  describe('answering', () => {
    it('goes to the sender, in the same thread, about the same thing', async () => {
      const task = await house.task(ann, garden);
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

    it('goes to everyone with all, and to the recipients where one answers oneself', async () => {
      const id = await sent({ recipient_ids: [ben.id, cleo.id] });
      expect(recipientsOf((await reply(id, ben, { all: true }).expect(201)).body)).toEqual(['Ann', 'Cleo']);
      expect(recipientsOf((await reply(id, ann).expect(201)).body)).toEqual(['Ben', 'Cleo']);
      const note = await sent({ recipient_ids: ['me'] });
      expect(recipientsOf((await reply(note, ann, { all: true }).expect(201)).body)).toEqual(['Ann']);
    });

    it('needs to be a participant, and somebody to answer to', async () => {
      const ada = await house.admin();
      const id = await sent({ recipient_ids: [ben.id] });
      await reply(id, ada).expect(403);
      await reply(id, ben, { content: '' }).expect(400);
      const { MessagesService } = await import('../../src/modules/messages/messages.service.js');
      const alert = await house.app
        .get(MessagesService, { strict: false })
        .send(null, { recipients: [ben.resourceId], content: 'Fire', intent: 'alert' });
      expect((await read(alert.id, ben).expect(200)).body.data).toMatchObject({ sender_id: null, sender_name: null });
      const { body } = await reply(alert.id, ben).expect(409);
      expect(body.error.details.reason).toBe('no_sender');
    });

    it('shows of a thread what one sent or received, oldest first', async () => {
      const id = await sent({ recipient_ids: [ben.id, cleo.id] });
      const toAnn = (await reply(id, ben).expect(201)).body.data.id;
      const toAll = (await reply(id, cleo, { all: true }).expect(201)).body.data.id;
      expect(await ids(ann, `/messages/${toAnn}/thread`)).toEqual([id, toAnn, toAll]);
      expect(await ids(ben, `/messages/${id}/thread`)).toEqual([id, toAnn, toAll]);
      expect(await ids(cleo, `/messages/${id}/thread`)).toEqual([id, toAll]);
      expect(await ids(await house.admin(), `/messages/${id}/thread`)).toEqual([id, toAnn, toAll]);
      expect(await ids(ann, `/messages/${id}/thread?limit=1`)).toEqual([id]);
    });
  });

  describe('copies by mail', () => {
    let pat: Person;

    beforeAll(async () => {
      pat = await house.person('Pat', { emailCopy: true, lang: 'de' });
      await house.join(garden, pat, 'viewer');
    });

    it('go to recipients who want them, and the sender sees so', async () => {
      const id = await sent({
        scope_type: 'endeavour',
        scope_id: garden,
        subject: 'The gate',
        content: 'Green?\nOr red?',
      });
      expect(await statusOfPat(id)).toBe('pending');
      const [mail] = await house.mail(pat.email);
      expect(mail.subject).toBe('Ann: The gate');
      expect(mail.text).toContain('Hallo Pat');
      expect(mail.text).toContain('Green?\nOr red?');
      expect(await statusOfPat(id)).toBe('copied');
      for (const other of [ben, cleo]) expect(await house.mail(other.email)).toEqual([]);
      await house.as(pat).patch(`/messages/${id}`).expect(200);
      expect(await statusOfPat(id)).toBe('read');
    });

    it('are named by what they begin with where there is no subject', async () => {
      await sent({ recipient_ids: [pat.id], content: 'Shall we\npaint it?' });
      expect((await house.mail(pat.email))[0].subject).toBe('Ann: Shall we paint it?');
    });

    it('show when they failed, and are not sent to somebody who wants none any more', async () => {
      const id = await sent({ recipient_ids: [pat.id] });
      const ofThis = `reference IN (SELECT id FROM message_deliveries WHERE message_id = $1)`;
      await house.database.query(`UPDATE outbox SET status = 'failed' WHERE ${ofThis}`, [id]);
      expect(await statusOfPat(id)).toBe('failed');
      const before = (await house.mail(pat.email)).length;
      await sent({ recipient_ids: [pat.id] });
      await house.database.query('UPDATE users SET email_copy = false WHERE id = $1', [pat.id]);
      expect(await house.mail(pat.email)).toHaveLength(before);
    });

    it('are not there where the sending was refused', async () => {
      const before = await house.count('outbox');
      await send({ recipient_ids: [ben.id], entity_id: newId('task') }).expect(400);
      expect(await house.count('outbox')).toBe(before);
    });
  });

  it('raise an alert where they go to a whole container and hold a term', async () => {
    const riverside = await house.organization(ann);
    const shed = await house.endeavour(ann, { organization_id: riverside });
    await house
      .as(ann)
      .put(`/organizations/${riverside}/alert-terms`)
      .send({ terms: ['fire'] })
      .expect(200);
    await send({ recipient_ids: [ben.id], content: 'Fire!' }).expect(201);
    const caught = [
      await sent({ scope_type: 'organization', scope_id: riverside, content: 'Fire!' }),
      await sent({ scope_type: 'endeavour', scope_id: shed, subject: 'Fire', content: 'Run' }),
    ];
    const { body } = await house.as(ann).get(`/organizations/${riverside}/alerts`).expect(200);
    expect(body.data.map(({ entity_id }: { entity_id: string }) => entity_id).sort()).toEqual(caught.sort());
  });

  it('lets one of 20 retries under the same key be the message', async () => {
    const before = (await ids(ben, '/messages?limit=200')).length;
    const tries = Array.from({ length: 20 }, () => send({ recipient_ids: [ben.id] }).set('Idempotency-Key', 'once'));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.every((status) => status === 201 || status === 409)).toBe(true);
    expect((await ids(ben, '/messages?limit=200')).length).toBe(before + 1);
  });

  it('delivers to 2,000 people at once, in a moment', async () => {
    const square = await house.endeavour(ann, { name: 'Square' });
    await house.database.query(
      `WITH people AS (SELECT new_id('usr') AS u, new_id('res') AS r, n FROM generate_series(1, 2000) n),
       placed AS (INSERT INTO entities (id, kind, title) SELECT u, 'user', 'P' FROM people UNION ALL SELECT r, 'resource', 'P' FROM people),
       resources AS (INSERT INTO resources (id, name, type, user_id) SELECT r, 'P' || n, 'human', u FROM people),
       users AS (INSERT INTO users (id, email, name, tier, resource_id) SELECT u, n || '@example.test', 'P' || n, 3, r FROM people)
       INSERT INTO endeavour_members (endeavour_id, user_id, resource_id) SELECT $1, u, r FROM people`,
      [square],
    );
    const start = Date.now();
    const { body } = await send({ scope_type: 'endeavour', scope_id: square }).expect(201);
    expect(body.data.recipients).toHaveLength(2000);
    expect(Date.now() - start).toBeLessThan(2000);
  });
});
