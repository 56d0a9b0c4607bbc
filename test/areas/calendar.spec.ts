import { setTimeout as sleep } from 'node:timers/promises';
import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

const DAY_MS = 86_400_000;

describe('the calendar of an endeavour', () => {
  let app: TestApp;
  let [ann, bob]: Person[] = [];
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000' });
  });

  beforeEach(async () => {
    [ann, bob] = [await app.person('Ann', { tier: 3 }), await app.person('Bob')];
    garden = await app.endeavour(ann, { name: 'Garden, south', timezone: 'Europe/Berlin' });
    await app.join(garden, bob, 'viewer');
  });

  afterAll(() => app.close());

  const daysFromNow = (days: number): Date => new Date(Math.floor((Date.now() + days * DAY_MS) / 1_000) * 1_000);
  const dayFromNow = (days: number): string => daysFromNow(days).toISOString().slice(0, 10);
  const basic = (text: string): string => text.replaceAll(/[-:]|\.\d{3}/g, '');
  const create = (person: Person, body: object) => app.as(person).post('/auth/tokens').send(body);
  const calendarToken = async (person = bob, endeavour = garden) =>
    (await create(person, { kind: 'calendar', endeavour_id: endeavour }).expect(201)).body.data;
  const subscribe = (token: string, endeavour = garden) =>
    app.as(null).get(`/endeavours/${endeavour}/calendar.ics?token=${token}`);
  /** Parses the events, each into its properties. */
  const eventsIn = (text: string): Record<string, string>[] =>
    [...text.replaceAll('\r\n ', '').matchAll(/BEGIN:VEVENT\r\n(.*?)END:VEVENT/gs)].map(([, lines]) =>
      Object.fromEntries(
        lines
          .trim()
          .split('\r\n')
          .map((line) => /^([^:]+):(.*)$/.exec(line)?.slice(1) ?? []),
      ),
    );

  it('is not sent again while it is the same, whatever parameters a calendar program adds', async () => {
    const { token } = await calendarToken();
    await app.task(ann, garden, { due_date: dayFromNow(5) });
    const first = await subscribe(token).expect(200);
    const again = () =>
      app
        .as(null)
        .get(`/endeavours/${garden}/calendar.ics?token=${token}&nocache=1`)
        .set('If-None-Match', first.headers.etag);
    await again().expect(304);
    await app.task(ann, garden, { due_date: dayFromNow(6) });
    expect((await again().expect(200)).headers.etag).not.toBe(first.headers.etag);
  });

  it('contains open tasks and demands with due dates, and the next occurrences of rituals', async () => {
    const task = (more: object) => app.task(ann, garden, more);
    const day = await task({ title: 'Paint; the gate', due_date: dayFromNow(5), assignee_id: ann.id });
    const moment = daysFromNow(3);
    const timed = await task({ title: 'Call', due_date: moment.toISOString() });
    const demand = await app.demand(ann, garden, { due_date: dayFromNow(9) });
    const over = await task({ due_date: dayFromNow(5) });
    await app.as(ann).patch(`/tasks/${over}`).send({ status: 'canceled', canceled_reason: 'No' }).expect(200);
    await task({ due_date: dayFromNow(400) });
    await task({});
    await app.task(ann, await app.endeavour(ann), { due_date: dayFromNow(5) });
    const ritual = async (more: object): Promise<string> =>
      (
        await app
          .as(ann)
          .post('/rituals')
          .send({ name: 'Standup', endeavour_id: garden, ...more })
          .expect(201)
      ).body.data.id;
    const daily = await ritual({ schedule: { type: 'cron', expression: '0 9 * * *' } });
    await ritual({ schedule: { type: 'manual' } });
    await ritual({ schedule: { type: 'interval', every: '1h' }, is_enabled: false });

    const { headers, text } = await subscribe((await calendarToken()).token).expect(200);
    expect(headers['content-type']).toBe('text/calendar; charset=utf-8');
    expect(text).toMatch(/^BEGIN:VCALENDAR\r\nVERSION:2\.0\r\n/);
    expect(text).toContain('\r\nX-WR-CALNAME:Garden\\, south\r\n');
    const events = eventsIn(text);
    const rituals = events.filter(({ CATEGORIES }) => CATEGORIES === 'ritual');
    expect(events.filter((event) => !rituals.includes(event))).toMatchObject([
      {
        UID: `${timed}@worksmith`,
        SUMMARY: expect.stringMatching(/^GS-\d+ Call$/),
        DTSTART: basic(moment.toISOString()),
        DESCRIPTION: 'Task\\, planned',
      },
      {
        UID: `${day}@worksmith`,
        SUMMARY: expect.stringMatching(/^GS-\d+ Paint\\; the gate$/),
        'DTSTART;VALUE=DATE': basic(dayFromNow(5)),
        DESCRIPTION: 'Task\\, planned\\, assigned to Ann',
        CATEGORIES: 'task',
        SEQUENCE: '0',
      },
      { UID: `${demand}@worksmith`, 'DTSTART;VALUE=DATE': basic(dayFromNow(9)), CATEGORIES: 'demand' },
    ]);
    const { body } = await app.as(ann).get(`/rituals/${daily}/occurrences?count=30`).expect(200);
    const times = (body.data as string[]).map((at) => basic(at));
    expect(rituals.map(({ DTSTART }) => DTSTART)).toEqual(times);
    expect(new Set(events.map(({ UID }) => UID)).size).toBe(events.length);
  });

  it('increases the sequence of an event after a change', async () => {
    const id = await app.task(ann, garden, { due_date: dayFromNow(5) });
    await app
      .as(ann)
      .patch(`/tasks/${id}`)
      .send({ due_date: dayFromNow(6) })
      .expect(200);
    const { text } = await subscribe((await calendarToken()).token).expect(200);
    expect(eventsIn(text)).toMatchObject([{ SEQUENCE: '1', 'DTSTART;VALUE=DATE': basic(dayFromNow(6)) }]);
  });

  it('is opened by a token that is valid for nothing else', async () => {
    const { token, ...made } = await calendarToken();
    expect(made).toMatchObject({
      kind: 'calendar',
      name: 'Calendar',
      endeavour_id: garden,
      scopes: ['endeavours:read'],
    });
    const asBearer = { ...bob, token };
    for (const path of [
      `/endeavours/${garden}`,
      '/auth/whoami',
      '/tasks',
      '/changes',
      `/endeavours/${garden}/progress`,
    ]) {
      await app.as(asBearer).get(path).expect(401);
    }
    await app.as(asBearer).post('/tasks').send({ title: 'A', endeavour_id: garden }).expect(401);
    await app.as(asBearer).get(`/endeavours/${garden}/calendar.ics`).expect(401);
    await app.as(null).get(`/endeavours/${garden}/progress?token=${token}`).expect(401);
    await app.as(bob).get(`/endeavours/${garden}/progress?token=${token}`).expect(400);
    const other = await app.endeavour(bob);
    await subscribe(token, other).expect(401);
    await subscribe(token).expect(200);
  });

  it('rejects other tokens in the query, but accepts a session or access token in the header', async () => {
    const access = await tokenOf(app, bob, { scopes: ['*:read'] });
    for (const token of [access.token, bob.token, `wsk_${'0'.repeat(46)}`, 'nonsense'])
      await subscribe(token).expect(401);
    await app.as(null).get(`/endeavours/${garden}/calendar.ics`).expect(401);
    await app.as(null).get(`/endeavours/${garden}/calendar.ics?token=`).expect(401);
    await app.as(bob).get(`/endeavours/${garden}/calendar.ics`).expect(200);
    await app.as(access).get(`/endeavours/${garden}/calendar.ics`).expect(200);
  });

  it('shows what the owner of the token sees at that moment, and rejects the token if that is nothing', async () => {
    const { token } = await calendarToken();
    await subscribe(token).expect(200);
    await app.as(ann).delete(`/endeavours/${garden}/members/${bob.id}`).expect(200);
    const { body } = await subscribe(token).expect(401);
    expect(body.error.code).toBe('unauthorized');
    await app.join(garden, bob, 'viewer');
    await subscribe(token).expect(200);
    await app
      .as(await app.admin())
      .patch(`/users/${bob.id}`)
      .send({ status: 'suspended' })
      .expect(200);
    await subscribe(token).expect(401);
  });

  it('accepts the token of an administrator as long as the user is one', async () => {
    const ada = await app.admin();
    const { token } = await calendarToken(ada);
    await subscribe(token).expect(200);
    await subscribe(token, await app.endeavour(ann)).expect(401);
    await app.database.query('UPDATE users SET is_admin = false WHERE id = $1', [ada.id]);
    await subscribe(token).expect(401);
  });

  it('has tokens that are listed, rotated and revoked like other tokens', async () => {
    const { token, id } = await calendarToken();
    const { body } = await app.as(bob).get('/auth/tokens').expect(200);
    expect(body.data).toMatchObject([{ id, kind: 'calendar', endeavour_id: garden }]);
    const { body: rotated } = await app.as(bob).post(`/auth/tokens/${id}/rotate`).expect(200);
    await subscribe(token).expect(401);
    await subscribe(rotated.data.token).expect(200);
    await app.as(bob).delete(`/auth/tokens/${id}`).expect(200);
    await subscribe(rotated.data.token).expect(401);
  });

  it('has tokens that live on as long as they are used once in 400 days', async () => {
    const { token, id, expires_at, created_at, ...made } = await calendarToken();
    expect(made).toMatchObject({ idle_days: 400 });
    expect(Math.round((Date.parse(expires_at) - Date.parse(created_at)) / DAY_MS)).toBe(400);
    await app.database.query(`UPDATE access_tokens SET expires_at = expires_at - interval '399 days' WHERE id = $1`, [
      id,
    ]);
    await subscribe(token).expect(200);
    const stored = async () => (await app.as(bob).get(`/auth/tokens/${id}`).expect(200)).body.data;
    while ((await stored()).last_used_at === null) await sleep(50);
    const { last_used_at, expires_at: moved } = await stored();
    expect(Date.parse(moved) - Date.parse(last_used_at)).toBe(400 * DAY_MS);
    await app.database.query('UPDATE access_tokens SET expires_at = now() WHERE id = $1', [id]);
    await subscribe(token).expect(401);
  });

  it('has tokens that end when their maker said, however often they are used', async () => {
    const expires_at = daysFromNow(5).toISOString();
    const { token, id, ...made } = (
      await create(bob, { kind: 'calendar', endeavour_id: garden, expires_at }).expect(201)
    ).body.data;
    expect(made).toMatchObject({ idle_days: null, expires_at });
    await subscribe(token).expect(200);
    const stored = async () => (await app.as(bob).get(`/auth/tokens/${id}`).expect(200)).body.data;
    while ((await stored()).last_used_at === null) await sleep(50);
    expect(await stored()).toMatchObject({ expires_at });
    const tooLate = { kind: 'calendar', endeavour_id: garden, expires_at: daysFromNow(399).toISOString() };
    expect((await create(bob, tooLate).expect(400)).body.error.details.fields[0].field).toBe('expires_at');
  });

  it('leaves no trace of the token in the log or in the database', async () => {
    const { token } = await calendarToken();
    for (const response of [
      await subscribe(token).expect(200),
      await subscribe(token, await app.endeavour(ann)).expect(401),
      await app.as(null).get(`/endeavours/${garden}/calendar.ics?token=${token}&admin=perhaps`).expect(400),
    ]) {
      const log = await app.service.logOf(response.headers['x-request-id']);
      expect(log.length).toBeGreaterThan(0);
      expect(log.join('')).not.toContain(token);
      if (response.status !== 200) expect(response.text).not.toContain(token);
    }
    const tables = await app.database.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    for (const { name } of tables) {
      const rows = await app.database.query(`SELECT 1 FROM ${name} t WHERE strpos(t::text, $1) > 0`, [token]);
      expect([name, rows.length]).toEqual([name, 0]);
    }
  });

  it('has tokens only for an endeavour that their user sees, and reports every invalid field', async () => {
    const faults = async (body: object): Promise<string[]> => {
      const { body: response } = await create(bob, body).expect(400);
      return response.error.details.fields.map(
        ({ field, code }: { field: string; code: string }) => `${field} ${code}`,
      );
    };
    const organization_id = await app.organization(bob);
    expect(await faults({ kind: 'calendar', scopes: ['*'], organization_id })).toEqual([
      'scopes invalid_value',
      'organization_id invalid_value',
    ]);
    expect(await faults({ kind: 'diary', name: 'A', scopes: ['*'] })).toEqual(['kind invalid_value']);
    expect(await faults({ more: 1 })).toEqual(['name required', 'scopes required', 'more unknown_field']);
    expect(await faults({ kind: 'calendar', endeavour_id: await app.endeavour(ann) })).toEqual([
      'endeavour_id reference_not_found',
    ]);
  });

  it('exists also for what a person is assigned to or owns everywhere, as they see it at that moment', async () => {
    const { token, id, ...made } = (await create(bob, { kind: 'calendar' }).expect(201)).body.data;
    expect(made).toMatchObject({ kind: 'calendar', endeavour_id: null, organization_id: null });
    const own = () => app.as(null).get(`/calendar.ics?token=${token}&nocache=1`);
    const shed = await app.endeavour(ann, { name: 'Shed' });
    for (const endeavour of [garden, shed]) {
      await app.database.query('DELETE FROM endeavour_members WHERE endeavour_id = $1 AND user_id = $2', [
        endeavour,
        bob.id,
      ]);
      await app.join(endeavour, bob, 'member');
    }
    const assigned = await app.task(ann, garden, { title: 'Dig', due_date: dayFromNow(5), assignee_id: bob.id });
    const owned = await app.task(bob, shed, { title: 'Sow', due_date: dayFromNow(6) });
    const demand = await app.demand(bob, shed, { title: 'Shade', due_date: dayFromNow(7) });
    await app.task(ann, garden, { due_date: dayFromNow(5) });
    await app.task(bob, garden, { title: 'Undated' });
    const first = await own().expect(200);
    expect(first.headers['content-type']).toBe('text/calendar; charset=utf-8');
    const uids = (text: string) => eventsIn(text).map(({ UID }) => UID.replace('@worksmith', ''));
    expect(uids(first.text)).toEqual([assigned, owned, demand]);
    expect(eventsIn(first.text)[0]).toMatchObject({
      DESCRIPTION: 'Task\\, planned\\, assigned to Bob\\, Garden\\, south',
    });
    await own().set('If-None-Match', first.headers.etag).expect(304);
    expect((await app.as(bob).get('/calendar.ics').expect(200)).text).toBe(first.text);
    await app.as(ann).delete(`/endeavours/${garden}/members/${bob.id}`).expect(200);
    const second = await own().set('If-None-Match', first.headers.etag).expect(200);
    expect(uids(second.text)).toEqual([owned, demand]);
    await app.as(bob).delete(`/auth/tokens/${id}`).expect(200);
    await own().expect(401);
  });

  it('takes no token of another calendar', async () => {
    const { token: own } = (await create(bob, { kind: 'calendar' }).expect(201)).body.data;
    const { token } = await calendarToken();
    await subscribe(own).expect(401);
    await app.as(null).get(`/calendar.ics?token=${token}`).expect(401);
    await app.as(null).get('/calendar.ics').expect(401);
    const asBearer = { ...bob, token: own };
    for (const path of ['/calendar.ics', '/auth/whoami', '/tasks', `/endeavours/${garden}`, '/changes', '/work']) {
      await app.as(asBearer).get(path).expect(401);
    }
    await app.as(null).get(`/work?token=${own}`).expect(401);
    const narrow = await tokenOf(app, bob, { scopes: ['tasks:read'] });
    expect((await app.as(narrow).get('/calendar.ics').expect(403)).body.error.details.reason).toBe('scope_required');
  });
});
