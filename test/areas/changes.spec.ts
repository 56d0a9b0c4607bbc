import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { StreamReader } from '../support/stream-reader.js';
import { TestApp, type Person } from '../support/test-app.js';

interface Event {
  id: string;
  sequence: number;
  type: string;
  entity_type: string;
  entity_id: string;
  endeavour_id: string | null;
  organization_id: string | null;
  actor_id: string | null;
  actor_name: string | null;
  changed: string[];
  previous: Record<string, unknown>;
  data: Record<string, unknown>;
}

describe('the feed of changes', () => {
  let app: TestApp;
  let ann: Person;
  let ben: Person;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open();
  });

  beforeEach(async () => {
    ann = await app.person('Ann');
    ben = await app.person('Ben');
    garden = await app.endeavour(ann);
  });

  afterAll(() => app.close());

  const read = async (
    person: Person,
    query = '',
  ): Promise<{ data: Event[]; meta: { next: number; has_more: boolean } }> =>
    (await app.as(person).get(`/changes?${query}`).expect(200)).body;
  const now = async (person: Person): Promise<number> => (await read(person, 'after=now')).meta.next;
  const types = ({ data }: { data: Event[] }): string[] => data.map(({ type }) => type);
  /** Writes an event in an open transaction; the returned function commits it. */
  const uncommitted = async (entity: string): Promise<() => Promise<void>> => {
    const client = await app.openConnection();
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO events (id, type, entity_type, entity_id, data) VALUES (new_id('evt'), 'task.unblocked', 'task', $1, '{}')`,
      [entity],
    );
    return async () => {
      await client.query('COMMIT');
      await client.end();
    };
  };

  it('shows events in order, with previous values and the next cursor', async () => {
    const after = await now(ann);
    const task = await app.task(ann, garden);
    await app.as(ann).patch(`/tasks/${task}`).send({ status: 'active' }).expect(200);
    const { data, meta } = await read(ann, `after=${after}`);
    expect(data).toEqual([
      expect.objectContaining({
        type: 'task.created',
        entity_type: 'task',
        entity_id: task,
        endeavour_id: garden,
        actor_id: ann.resourceId,
        actor_name: 'Ann',
        token_id: null,
        changed: [],
      }),
      expect.objectContaining({
        type: 'task.status_changed',
        sequence: data[0].sequence + 1,
        previous: expect.objectContaining({ status: 'planned' }),
        data: expect.objectContaining({ id: task, status: 'active' }),
      }),
    ]);
    expect(meta).toEqual({ next: data[1].sequence, has_more: false });
    expect((await read(ann, `after=${meta.next}`)).data).toEqual([]);
  });

  it('is paged without gaps', async () => {
    const after = await now(ann);
    for (const title of ['One', 'Two', 'Three']) await app.task(ann, garden, { title });
    const first = await read(ann, `after=${after}&limit=2`);
    expect([first.data.length, first.meta.has_more]).toEqual([2, true]);
    const second = await read(ann, `after=${first.meta.next}&limit=2`);
    expect([...first.data, ...second.data].map(({ data }) => data.title)).toEqual(['One', 'Two', 'Three']);
    expect(second.meta.has_more).toBe(false);
  });

  it('never inserts an event before a cursor that a client has, however late its transaction commits', async () => {
    const task = await app.task(ann, garden);
    const after = await now(ann);
    const commitFirst = await uncommitted(task);
    await app.task(ann, garden, { title: 'Meanwhile' });
    const commitSecond = await uncommitted(task);
    const meanwhile = await read(ann, `after=${after}`);
    expect(types(meanwhile)).toEqual(['task.created']);
    await commitSecond();
    await commitFirst();
    const later = await read(ann, `after=${meanwhile.meta.next}`);
    expect(types(later)).toEqual(['task.unblocked', 'task.unblocked']);
    expect(await read(ann, `after=${later.meta.next}`)).toEqual({
      data: [],
      meta: { next: later.meta.next, has_more: false },
    });
  });

  it('numbers many simultaneous events in batches, and later commits after them', async () => {
    const task = await app.task(ann, garden);
    const after = await now(ann);
    const commit = await uncommitted(task);
    await app.database.query(
      `INSERT INTO events (id, type, entity_type, entity_id, endeavour_id, data)
       SELECT new_id('evt'), 'task.voted', 'task', $1, $2, json_build_object('target', n::text) FROM generate_series(1, 2500) n`,
      [task, garden],
    );
    const number = () => app.database.one('SELECT last_sequence::integer AS last, has_backlog FROM number_events()');
    expect(await number()).toEqual({ last: after + 1_000, has_backlog: true });
    await commit();
    await app.task(ann, garden, { title: 'Meanwhile' });
    expect(await number()).toEqual({ last: after + 2_000, has_backlog: true });
    const seen: Event[] = [];
    for (let page = await read(ann, `after=${after}&limit=200`); page.data.length > 0;) {
      seen.push(...page.data);
      page = await read(ann, `after=${page.meta.next}&limit=200`);
    }
    expect(seen.map(({ sequence }) => sequence - after)).toEqual(Array.from({ length: 2_502 }, (_, n) => n + 1));
    expect(seen.slice(0, 2_500).map(({ data }) => data.target)).toEqual(
      Array.from({ length: 2_500 }, (_, n) => String(n + 1)),
    );
    expect(seen.slice(2_500).map(({ type }) => type)).toEqual(['task.unblocked', 'task.created']);
  });

  it('is not delayed by transactions that write other tables or only read', async () => {
    const [writer, reader] = [await app.openConnection(), await app.openConnection()];
    await writer.query('BEGIN');
    await writer
      .query(`INSERT INTO rate_counters (key, count, resets_at) VALUES ('other', 1, now())`)
      .catch(() => writer.query('ROLLBACK; BEGIN; CREATE TABLE unrelated (); '));
    await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await reader.query('SELECT count(*) FROM events');
    const after = await now(ann);
    await app.task(ann, garden);
    expect(types(await read(ann, `after=${after}`))).toEqual(['task.created']);
    for (const client of [writer, reader]) {
      await client.query('ROLLBACK');
      await client.end();
    }
  });

  it('shows only what the caller can see now', async () => {
    await app.task(ann, garden);
    expect((await read(ben, 'endeavour_id=' + garden)).data).toEqual([]);
    await app.join(garden, ben, 'viewer');
    expect(types(await read(ben, `endeavour_id=${garden}&type=task.*`))).toEqual(['task.created']);
    await app.database.query('DELETE FROM endeavour_members WHERE user_id = $1', [ben.id]);
    expect((await read(ben, `endeavour_id=${garden}`)).data).toEqual([]);
    const mine = (await read(ben)).data.filter(({ type }) => type.startsWith('visibility.'));
    expect(mine.map(({ type, data }) => [type, data.endeavour_ids])).toEqual([
      ['visibility.gained', [garden]],
      ['visibility.lost', [garden]],
    ]);
  });

  it('reports a moved entity to users who see only its previous place', async () => {
    const shed = await app.endeavour(ann);
    await app.join(garden, ben, 'viewer');
    const task = await app.task(ann, garden);
    await app.as(ann).post('/comments').send({ entity_type: 'task', entity_id: task, content: 'Well' }).expect(201);
    const { meta } = await read(ben, 'after=now');
    await app.as(ann).patch(`/tasks/${task}`).send({ title: 'Paint', endeavour_id: shed }).expect(200);
    const { data } = await read(ben, `after=${meta.next}`);
    expect(data).toEqual([
      expect.objectContaining({
        type: 'visibility.lost',
        entity_id: garden,
        data: { endeavour_ids: [], organization_ids: [], entity_ids: [task] },
      }),
    ]);
    const { body } = await app.as(ben).get(`/activity?type=visibility.*&endeavour_id=${garden}`).expect(200);
    expect(body.data[0].text).toMatch(/ moved something out of endeavour /);
  });

  it('moves the history with an entity, without the ids of its previous place', async () => {
    const cellar = await app.endeavour(ann, { name: 'Cellar' });
    await app.join(cellar, ben, 'member');
    const task = await app.task(ann, garden, { title: 'Paint the gate' });
    const { body } = await app
      .as(ann)
      .post('/comments')
      .send({ entity_type: 'task', entity_id: task, content: 'Soon' });
    await app.as(ann).patch(`/tasks/${task}`).send({ endeavour_id: cellar }).expect(200);
    const { data } = await read(ben, `endeavour_id=${cellar}`);
    expect(data.map(({ type, entity_id }) => [type, entity_id])).toEqual(
      expect.arrayContaining([
        ['task.created', task],
        ['comment.created', body.data.id],
        ['task.updated', task],
      ]),
    );
    expect(JSON.stringify(data)).not.toContain(garden);
    expect((await read(ann, `endeavour_id=${garden}`)).data.map(({ entity_id }) => entity_id)).not.toContain(task);
  });

  it('keeps the events of deleted entities', async () => {
    const body = { endeavour_id: garden, title: 'Plan', kind: 'link', url: 'https://example.test' };
    const artifact = (await app.as(ann).post('/artifacts').send(body).expect(201)).body.data.id;
    await app.as(ann).delete(`/artifacts/${artifact}`).expect(200);
    expect(types(await read(ann, `entity_id=${artifact}`))).toEqual(['artifact.created', 'artifact.deleted']);
  });

  it('never contains the text of a comment', async () => {
    const task = await app.task(ann, garden);
    const comment = { entity_type: 'task', entity_id: task, content: 'A secret plan' };
    const { body } = await app.as(ann).post('/comments').send(comment).expect(201);
    await app.as(ann).patch(`/comments/${body.data.id}`).send({ content: 'Another plan' }).expect(200);
    const { data } = await read(ann, `entity_id=${body.data.id}`);
    expect(data.map(({ type, changed }) => [type, changed.includes('content')])).toEqual([
      ['comment.created', false],
      ['comment.updated', true],
    ]);
    expect(JSON.stringify(data)).not.toContain('plan');
  });

  it('shows messages to sender and recipients, and read receipts to the reader', async () => {
    const eve = await app.person('Eve');
    for (const person of [ben, eve]) await app.join(garden, person, 'member');
    const sent = { recipient_ids: [ben.resourceId, eve.resourceId], content: 'Hello' };
    const message = (await app.as(ann).post('/messages').send(sent).expect(201)).body.data.id;
    await app.as(ben).patch(`/messages/${message}`).send({ read: true }).expect(200);
    const isVisibleTo = async (person: Person) => types(await read(person, 'type=message.*'));
    expect(await isVisibleTo(ann)).toEqual(['message.sent']);
    expect(await isVisibleTo(ben)).toEqual(['message.sent', 'message.read']);
    expect(await isVisibleTo(eve)).toEqual(['message.sent']);
    expect(types(await read(ben, 'about=me&type=message.*'))).toEqual(['message.sent']);
    expect(types(await read(eve, `entity_id=${message}`))).toEqual(['message.sent']);
    // Also not to administrators, who can read a single message, of which the audit has an entry.
    const ada = await app.admin();
    for (const query of [`entity_id=${message}`, 'type=message.*', `actor_id=${ann.resourceId}&type=message.*`]) {
      expect(types(await read(ada, query))).toEqual([]);
    }
    await app.join(garden, ada, 'member');
    const own = { recipient_ids: [ada.id], content: 'For you' };
    await app.as(ann).post('/messages').send(own).expect(201);
    expect(types(await read(ada, 'type=message.*'))).toEqual(['message.sent']);
  });

  it('shows invitations and alerts only to users who can list them', async () => {
    await app.join(garden, ben, 'member');
    const invited = { endeavour_id: garden, email: 'guest@example.test', endeavour_role: 'viewer' };
    await app.as(ann).post('/invitations').send(invited).expect(201);
    expect(types(await read(ann, 'entity_type=invitation'))).toEqual(['invitation.created']);
    expect((await read(ben, 'entity_type=invitation')).data).toEqual([]);
  });

  it("finds events about a user by assignment, team and mention, but not the user's own events", async () => {
    const organization = await app.organization(ann);
    const cellar = await app.endeavour(ann, { organization_id: organization });
    await app.join(organization, ben, 'member');
    const team = (
      await app
        .as(ann)
        .post('/resources')
        .send({ name: 'Crew', type: 'team', organization_id: organization })
        .expect(201)
    ).body.data.id;
    await app.as(ann).post(`/resources/${team}/members`).send({ resource_id: ben.resourceId }).expect(201);
    const after = await now(ben);
    const other = await app.task(ann, cellar, { title: 'Unassigned' });
    const mine = await app.task(ann, cellar, { assignee_id: ben.resourceId });
    const ours = await app.task(ann, cellar, { assignee_id: team });
    await app.as(ann).patch(`/tasks/${mine}`).send({ assignee_id: null }).expect(200);
    const comment = { entity_type: 'task', entity_id: other, content: `Ask @${ben.resourceId}` };
    await app.as(ann).post('/comments').send(comment).expect(201);
    const own = await app.task(ben, cellar, { title: 'My own' });
    const { data } = await read(ben, `about=me&after=${after}&entity_type=task,comment`);
    expect(data.map(({ type, entity_id }) => [type, entity_id])).toEqual([
      ['task.created', mine],
      ['task.created', ours],
      ['task.updated', mine],
      ['comment.created', expect.any(String)],
    ]);
    await app.as(ann).patch(`/tasks/${own}`).send({ title: 'Renamed' }).expect(200);
    expect((await read(ben, `about=me&entity_id=${own},${other}`)).data.map(({ entity_id }) => entity_id)).toEqual([
      own,
    ]);
  });

  it('finds events about a user that have no representation: roles, teams, links and redactions', async () => {
    const [organization, partner] = [await app.organization(ann), await app.organization(ann)];
    await app.join(organization, ben, 'member');
    const cellar = await app.endeavour(ben, { organization_id: organization });
    await app.join(cellar, ann, 'owner');
    const crew = { name: 'Crew', type: 'team', organization_id: organization };
    const team = (await app.as(ann).post('/resources').send(crew).expect(201)).body.data.id;
    const task = await app.task(ben, cellar, { title: 'Secret' });
    const after = await now(ben);
    await app.as(ann).post(`/resources/${team}/members`).send({ resource_id: ben.resourceId }).expect(201);
    await app.as(ann).delete(`/resources/${team}/members/${ben.resourceId}`).expect(200);
    await app.as(ann).post(`/organizations/${partner}/endeavours`).send({ endeavour_id: cellar }).expect(200);
    await app.as(ann).delete(`/organizations/${partner}/endeavours/${cellar}`).expect(200);
    await app.as(ann).patch(`/tasks/${task}`).send({ title: 'Harmless' }).expect(200);
    const renamed = (await read(ann, `entity_id=${task}&type=task.updated`)).data[0].id;
    const redaction = { field: 'title', reason: 'A password' };
    await app.as(ann).post(`/changes/${renamed}/redact`).send(redaction).expect(200);
    const aboutBen = await read(ben, `about=me&after=${after}`);
    expect(types(aboutBen)).toEqual([
      'member.added',
      'message.sent',
      'member.removed',
      'endeavour.linked',
      'endeavour.unlinked',
      'task.updated',
      'redacted',
    ]);
    await app.as(ann).delete(`/organizations/${organization}/members/${ben.id}?keep_endeavours=true`).expect(200);
    expect(types(await read(ben, `about=me&after=${aboutBen.meta.next}`))).toContain('member.changed');
  });

  it('filters by kind, entity, container, person and type', async () => {
    const organization = await app.organization(ann);
    const cellar = await app.endeavour(ann, { organization_id: organization });
    const task = await app.task(ann, cellar);
    await app.demand(ann, cellar);
    const found = async (query: string) => types(await read(ann, `${query}&type=task.*,demand.*`));
    expect(await found(`organization_id=${organization}`)).toEqual(['task.created', 'demand.created']);
    expect(await found(`organization_id=${organization}&endeavour_id=${cellar}`)).toEqual([
      'task.created',
      'demand.created',
    ]);
    expect(await found(`organization_id=${organization}&endeavour_id=${garden}`)).toEqual([]);
    expect(await found(`endeavour_id=${cellar}&entity_type=demand`)).toEqual(['demand.created']);
    expect(await found(`entity_id=${task}`)).toEqual(['task.created']);
    expect(await found(`actor_id=${ann.id}`)).toEqual(['task.created', 'demand.created']);
    expect(await found('actor_id=me')).toEqual(['task.created', 'demand.created']);
    expect(await found(`actor_id=${ben.resourceId}`)).toEqual([]);
    expect(types(await read(ann, `endeavour_id=${cellar}&type=*.created&entity_type=task`))).toEqual(['task.created']);
    const { data } = await read(ann, `entity_id=${task}&fields=sequence,type`);
    expect(data).toEqual([{ sequence: expect.any(Number), type: 'task.created' }]);
  });

  it('shows administrators everything', async () => {
    const admin = await app.admin();
    const task = await app.task(ann, garden);
    expect(types(await read(admin, `entity_id=${task}`))).toEqual(['task.created']);
    expect(types(await read(admin, `endeavour_id=${garden}&type=task.created`))).toEqual(['task.created']);
    expect((await read(admin, 'limit=1')).meta.has_more).toBe(true);
  });

  it('rejects invalid parameters with all errors at once', async () => {
    const query = 'after=x&limit=0&wait=61&entity_type=house&type=T.x&about=you&fields=name&unknown=1';
    const { body } = await app.as(ann).get(`/changes?${query}`).expect(400);
    expect(body.error.details.fields.map(({ field, code }: { field: string; code: string }) => [field, code])).toEqual([
      ['after', 'invalid_type'],
      ['limit', 'out_of_range'],
      ['wait', 'out_of_range'],
      ['entity_type', 'invalid_value'],
      ['type', 'invalid_format'],
      ['about', 'invalid_value'],
      ['fields', 'invalid_value'],
      ['unknown', 'unknown_field'],
    ]);
    await app.as(ann).get('/changes?after=999999999999').expect(400);
    await app.as(null).get('/changes').expect(401);
  });

  it('scans a limited number of events per page, and continues after them', async () => {
    const task = await app.task(ann, garden);
    await app.database.query(
      `INSERT INTO events (id, type, entity_type, entity_id, endeavour_id, data)
       SELECT new_id('evt'), 'task.updated', 'task', $1, $2, '{}' FROM generate_series(1, 5000)`,
      [task, garden],
    );
    await app.as(ann).patch(`/tasks/${task}`).send({ status: 'active' }).expect(200);
    let found: Event[] = [];
    let after = 0;
    let pages = 0;
    for (let more = true; more; pages += 1) {
      const { data, meta } = await read(ann, `after=${after}&endeavour_id=${garden}&type=task.status_changed`);
      found = [...found, ...data];
      ({ next: after, has_more: more } = meta);
    }
    expect(found).toHaveLength(1);
    expect(pages).toBeGreaterThan(1);
  });

  describe('with wait', () => {
    it('returns as soon as there is an event for the caller', async () => {
      const after = await now(ann);
      const waiting = app.as(ann).get(`/changes?after=${after}&wait=60`).expect(200);
      const answered = waiting.then(({ body }) => body.data);
      await app.as(ben).get('/changes?after=now').expect(200);
      await app.endeavour(ben);
      const task = await app.task(ann, garden);
      expect((await answered).map(({ entity_id }: Event) => entity_id)).toEqual([task]);
    });

    it('returns an empty page when the time is over', async () => {
      const after = await now(ann);
      const { data, meta } = await read(ann, `after=${after}&wait=1&endeavour_id=${garden}`);
      expect([data, meta.has_more]).toEqual([[], false]);
      expect(meta.next).toBeGreaterThanOrEqual(after);
    });

    it('ends with the session', async () => {
      const after = await now(ann);
      const other = await app.signInAgain(ann);
      const waiting = app.as(other).get(`/changes?after=${after}&wait=60`).expect(401);
      const answered = waiting.then(({ status }) => status);
      await app.as(other).post('/auth/logout').expect(200);
      expect(await answered).toBe(401);
    });
  });

  describe('as a stream', () => {
    const reading = (person: Person, query: string, headers: Record<string, string> = {}) =>
      new StreamReader<Event>(app.port(), person, query, headers);

    it('sends each event with its sequence as id, and resumes after Last-Event-ID', async () => {
      const stream = reading(ann, 'type=task.*');
      await stream.until(() => stream.text.includes('retry'));
      expect(stream.headers).toMatchObject({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
      });
      const task = await app.task(ann, garden);
      await stream.until(() => stream.events.length === 1);
      const [event] = stream.events;
      expect(event).toMatchObject({ type: 'task.created', entity_id: task });
      expect(stream.text).toContain(`id: ${event.sequence}\nevent: change\ndata: {`);
      stream.close();
      await app.as(ann).patch(`/tasks/${task}`).send({ status: 'active' }).expect(200);
      const again = reading(ann, 'type=task.*&fields=type', { 'last-event-id': String(event.sequence) });
      await again.until(() => again.events.length === 1);
      expect(again.events).toEqual([{ type: 'task.status_changed' }]);
      again.close();
    });

    it('shows only what the reader can see at that moment', async () => {
      await app.join(garden, ben, 'viewer');
      const stream = reading(ben, '');
      await stream.until(() => stream.text.includes('retry'));
      await app.task(ann, garden, { title: 'For all' });
      await stream.until(() => stream.events.some(({ type }) => type === 'task.created'));
      await app.as(ann).delete(`/endeavours/${garden}/members/${ben.id}`).expect(200);
      await app.task(ann, garden, { title: 'For members' });
      await stream.until(() => stream.events.some(({ type }) => type === 'visibility.lost'));
      expect(stream.text).not.toContain('For members');
      stream.close();
    });

    it('ends with the session that opened it', async () => {
      const other = await app.signInAgain(ann);
      const stream = reading(other, '');
      const whole = app
        .as(other)
        .get('/changes/stream?after=0')
        .expect(200)
        .then(({ text }) => text);
      await stream.until(() => stream.text.includes('retry'));
      await app.as(other).post('/auth/logout').expect(200);
      await stream.until(() => stream.hasEnded);
      expect(await whole).toContain('event: change');
    });

    it('ends when the service stops', async () => {
      const replica = await TestApp.open({}, app);
      const stream = reading(ann, '');
      await stream.until(() => stream.text.includes('retry'));
      stream.close();
      const request = get({
        port: replica.port(),
        path: '/api/v1/changes/stream',
        headers: { authorization: `Bearer ${ann.token}` },
      });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      response.resume();
      const ended = once(response, 'close');
      await replica.close();
      await ended;
    });

    it('is limited to five per user, and rejects invalid parameters', async () => {
      const streams = Array.from({ length: 5 }, () => reading(ann, ''));
      for (const stream of streams) await stream.until(() => stream.text.includes('retry'));
      const { headers } = await app.as(ann).get('/changes/stream').expect(429);
      expect(headers['retry-after']).toBeDefined();
      await app.as(ann).get(`/changes?after=now&wait=1`).expect(429);
      for (const stream of streams) stream.close();
      await app.as(ann).get('/changes/stream?limit=5').expect(400);
      await app.as(ann).get('/changes/stream').set('Last-Event-ID', 'x').expect(400);
      await app.as(null).get('/changes/stream').expect(401);
    });
  });

  it('returns the oldest sequence when older events have been removed', async () => {
    await app.task(ann, garden);
    const after = await now(ann);
    await app.database.query('UPDATE feed_state SET dropped = $1', [after]);
    const { body } = await app
      .as(ann)
      .get(`/changes?after=${after - 1}`)
      .expect(410);
    expect(body.error).toMatchObject({ code: 'gone', details: { oldest: after + 1 } });
    await app
      .as(ann)
      .get(`/changes/stream?after=${after - 1}`)
      .expect(410);
    await app.as(ann).get(`/changes?after=${after}`).expect(200);
    await app.as(ann).get('/changes?after=0').expect(200);
    await app.database.query('UPDATE feed_state SET dropped = 0');
  });

  it('describes the previous values of overrides, refused invitations and terms of alerts', async () => {
    const organization = await app.organization(ann);
    const conditions = [{ type: 'comment_required' }];
    const { body: policy } = await app
      .as(ann)
      .post('/dod-policies')
      .send({ name: 'Discussed', endeavour_id: garden, conditions })
      .expect(201);
    await app.as(ann).post(`/endeavours/${garden}/dod-policy`).send({ policy_id: policy.data.id }).expect(200);
    const task = await app.task(ann, garden);
    await app.as(ann).post(`/tasks/${task}/dod-override`).send({ reason: 'Rain' }).expect(200);
    // People whom one sees can be invited by id.
    await app.join(garden, ben, 'member');
    const invite = { organization_id: organization, user_id: ben.id };
    const { id: invitation } = (await app.as(ann).post('/invitations').send(invite).expect(201)).body.data;
    await app.as(ben).post(`/invitations/${invitation}/refuse`).expect(200);
    await app
      .as(ann)
      .put(`/organizations/${organization}/alert-terms`)
      .send({ terms: ['leak'] })
      .expect(200);
    // The test app compares each event with the component of its type.
    for (const [path, type] of [
      [`/tasks/${task}`, 'dod.overridden'],
      [`/invitations/${invitation}`, 'invitation.refused'],
      [`/organizations/${organization}`, 'organization.alert_terms_changed'],
    ]) {
      const { body } = await app.as(ann).get(`${path}/changes`).expect(200);
      expect(body.data.map((event: Event) => event.type)).toContain(type);
    }
  });
});
