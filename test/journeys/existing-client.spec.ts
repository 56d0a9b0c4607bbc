import { TestApp, type Person } from '../support/test-app.js';
import { PASSWORD, signUp } from '../support/sign-up.js';

/** Additional fields that the sign-up form of a client for another server sends. */
const MORE_THAN_NEEDED = {
  company: 'Riverside',
  company_size: 12,
  country: 'CH',
  street: 'Quay 1',
  zip: '8001',
  city: 'Zurich',
  phone: '+41 44 000 00 00',
  job_title: 'Head gardener',
  accept_terms: true,
  accept_terms_at: '2026-11-20T10:00:00Z',
  newsletter: false,
  referrer: 'search',
  campaign: { id: 7, name: 'Spring' },
  plan: 'explorer',
  trial_days: 30,
  theme: 'dark',
  locale: 'de-CH',
  captcha: null,
};

interface Relation {
  id: string;
  source_entity_id: string;
  target_entity_id: string;
  metadata: { role?: string };
}

/** The client was written for another server with the same interface. Each step continues the previous one. */
describe('a client written for another server', () => {
  let app: TestApp;
  let ann: Person;
  /** A colleague, who accepted an invitation. */
  let bob: Person;
  let riverside: string;
  let garden: string;
  let crew: string;
  let demand: string;

  beforeAll(async () => {
    app = await TestApp.open({ UNKNOWN_FIELDS: 'ignore' });
  });

  afterAll(() => app.close());

  /** Sends a request and expects a success. */
  const ask = async (method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object, person = ann) => {
    const response = await app.as(person)[method](path).send(body);
    const isDone = response.status >= 200 && response.status < 300;
    expect([method, path, isDone ? 'done' : response.body.error]).toEqual([method, path, 'done']);
    return response.body.data;
  };
  const asPerson = async (token: string): Promise<Person> => {
    const { body } = await app
      .as({ token } as Person)
      .get('/auth/whoami')
      .expect(200);
    const { user_id: id, resource_id: resourceId, name, email } = body.data;
    return { ...body.data, id, resourceId, name, email, token };
  };
  const relation = (source: [string, string], relationship_type: string, target: [string, string], more = {}) => ({
    relationship_type,
    source_entity_type: source[0],
    source_entity_id: source[1],
    target_entity_type: target[0],
    target_entity_id: target[1],
    ...more,
  });

  it('signs up with unknown fields, waits for the code, and is signed in by verifying it', async () => {
    const email = 'ann@riverside.example';
    const asked = { email, name: 'Ann', password: PASSWORD, ...MORE_THAN_NEEDED };
    expect(Object.keys(MORE_THAN_NEEDED)).toHaveLength(18);
    const { body } = await app.as(null).post('/auth/register').send(asked).expect(201);
    expect(body.data).toMatchObject({ status: 'pending_verification', expires_at: expect.any(String) });
    const waiting = await app.as(null).get(`/auth/verification-status?email=${email}`).expect(200);
    expect(waiting.body.data).toMatchObject({ found: true, expired: false });
    const [{ code }] = await app.mail(email);
    const verified = await app.as(null).post('/auth/verify').send({ email, code, remember_me: true }).expect(200);
    ann = await asPerson(verified.body.data.token);
    await ask('patch', '/auth/profile', { timezone: 'Europe/Zurich', lang: 'de', avatar_url: '', theme: 'dark' });
  });

  it('creates an organization, and an endeavour with the time zone and language of its creator', async () => {
    riverside = (await ask('post', '/organizations', { name: 'Riverside', slug: 'riverside', description: '' })).id;
    const sent = { name: 'Garden', organization_id: riverside, description: '', start_date: '', color: '#0a0' };
    const made = await ask('post', '/endeavours', sent);
    expect(made).toMatchObject({ timezone: 'Europe/Zurich', lang: 'de', description: null, start_date: null });
    garden = made.id;
    const invited = await ask('post', '/invitations', { organization_id: riverside, role: 'member' });
    bob = await asPerson((await signUp(app, 'Bob')).token);
    await ask('post', '/invitations/accept', { token: invited.token }, bob);
  });

  it('manages the members of the endeavour by relations', async () => {
    const ends = [['resource', bob.resourceId] as [string, string], ['endeavour', garden] as [string, string]] as const;
    const sent = relation(ends[0], 'participates_in', ends[1], { metadata: { role: 'admin', since: 'today' } });
    const made = await ask('post', '/relations', sent);
    expect(made).toMatchObject({ structural: true, metadata: { role: 'admin' } });
    const query = `relationship_type=participates_in&source_entity_type=resource&target_entity_type=endeavour&target_entity_id=${garden}`;
    const members: Relation[] = await ask('get', `/relations?${query}&admin=true`);
    expect(members.map(({ source_entity_id }) => source_entity_id).sort()).toEqual(
      [ann.resourceId, bob.resourceId].sort(),
    );
    await ask('delete', `/relations/${made.id}`);
    expect(await ask('get', `/relations?${query}`)).toHaveLength(1);
    await ask('post', '/relations', { ...sent, metadata: { role: 'member' } });
  });

  it('manages the resources of the organization and the members of a team by relations', async () => {
    const mower = (await ask('post', '/resources', { name: 'Mower', type: 'service', icon: 'mower' })).id;
    crew = (await ask('post', '/resources', { name: 'Crew', type: 'team' })).id;
    for (const id of [mower, crew]) {
      await ask('post', '/relations', relation(['organization', riverside], 'has_member', ['resource', id]));
    }
    const query = `relationship_type=has_member&source_entity_type=organization&source_entity_id=${riverside}`;
    expect(await ask('get', `/relations?${query}&target_entity_type=resource`)).toHaveLength(4);
    for (const id of [ann.resourceId, bob.resourceId]) {
      await ask('post', '/relations', relation(['resource', crew], 'has_member', ['resource', id]));
    }
    const team: Relation[] = await ask('get', `/relations?relationship_type=has_member&source_entity_id=${crew}`);
    expect(team).toHaveLength(2);
    const [left] = team.filter(({ target_entity_id }) => target_entity_id === ann.resourceId);
    await ask('delete', `/relations/${left.id}`);
    const [tool]: Relation[] = await ask('get', `/relations?${query}&target_entity_id=${mower}`);
    await ask('delete', `/relations/${tool.id}`);
    expect((await ask('get', `/resources/${mower}`)).organization_id).toBeNull();
  });

  it('transfers a demand, and takes it back with an empty owner', async () => {
    const sent = { title: 'Roses', type: 'story', endeavour_id: garden, priority: '', due_date: '', owner_id: '' };
    demand = (await ask('post', '/demands', sent)).id;
    expect(await ask('patch', `/demands/${demand}`, { owner_id: crew })).toMatchObject({ owner_id: crew });
    const back = { owner_id: '', due_date: '', description: '', labels: ['red'] };
    expect(await ask('patch', `/demands/${demand}`, back)).toMatchObject({ owner_id: ann.resourceId, due_date: null });
  });

  it('assigns a task to a resource that belongs to no organization', async () => {
    const bot = (await ask('post', '/resources', { name: 'Bot', type: 'agent' })).id;
    const task = await ask('post', '/tasks', {
      title: 'Prune',
      endeavour_id: garden,
      demand_id: demand,
      assignee_id: '',
    });
    expect(await ask('patch', `/tasks/${task.id}`, { assignee_id: bot })).toMatchObject({ assignee_id: bot });
    expect(await ask('get', '/tasks?search=p&view=board')).toHaveLength(1);
    expect(await ask('get', '/tasks?status=in_review')).toEqual([]);
    const verdict = { entity_type: 'task', entity_id: task.id, verdict: 'approved', role: 'reviewer', comment: '' };
    expect(await ask('post', '/approvals', verdict, bob)).toMatchObject({ role: 'reviewer', role_held: false });
  });

  it('saves a ritual whose schedule has unknown keys', async () => {
    const schedule = { type: 'cron', expression: '0 9 * * 1', label: 'Mondays', reminder: { minutes: 10 } };
    const sent = { name: 'Round', endeavour_id: garden, prompt: 'Walk.', schedule, participants: ['me'] };
    const made = await ask('post', '/rituals', sent);
    expect(made.schedule).toEqual({ type: 'cron', expression: '0 9 * * 1' });
    const changed = { schedule: { ...schedule, timezone: 'Europe/Zurich', days: [1] } };
    const { schedule: kept } = await ask('patch', `/rituals/${made.id}`, changed);
    expect(kept).toEqual({ type: 'cron', expression: '0 9 * * 1', timezone: 'Europe/Zurich' });
  });

  it('reads a thread as one entity, and filters its messages by status', async () => {
    const sent = { recipient_ids: [bob.id], subject: 'Shears', content: 'Where are they?', priority: 'high' };
    const message = await ask('post', '/messages', sent);
    const [received] = await ask('get', '/messages?status=pending', undefined, bob);
    expect(received).toMatchObject({
      id: message.id,
      delivery_id: expect.any(String),
      status: 'delivered',
      read_at: null,
    });
    await ask('post', `/messages/${message.id}/reply`, { content: 'In the shed.' }, bob);
    await ask('patch', `/messages/${message.id}`, {}, bob);
    for (const [status, count] of Object.entries({ read: 1, delivered: 1, pending: 1, archived: 0 })) {
      const person = status === 'read' ? bob : ann;
      const found = await ask('get', `/messages?status=${status}`, undefined, person);
      expect([status, found.filter((one: { thread_id: string }) => one.thread_id === message.id)]).toEqual([
        status,
        Array(count).fill(expect.anything()),
      ]);
    }
    const thread = await ask('get', `/messages/${message.id}/thread`);
    expect(thread).toMatchObject({ thread_id: message.id, subject: 'Shears', total: 2 });
    expect(thread.messages.map(({ content }: { content: string }) => content)).toEqual([
      'Where are they?',
      'In the shed.',
    ]);
  });

  it('gets a well-formed response for an unknown value of every list parameter', async () => {
    const lists = Object.entries(app.document.paths).filter(
      ([path, { get }]) => !path.includes('{') && JSON.stringify(get?.parameters ?? []).includes('"cursor"'),
    );
    expect(lists.length).toBeGreaterThan(15);
    for (const [path, { get: list }] of lists) {
      for (const { name } of (list?.parameters ?? []) as { name: string }[]) {
        const { status, body } = await app.as(ann).get(`${path.replace('/api/v1', '')}?${name}=elsewhere`);
        const isAnswered = status === 200 || (status < 500 && typeof body.error.code === 'string');
        expect([path, name, isAnswered || body]).toEqual([path, name, true]);
      }
    }
    expect(await ask('get', '/messages?box=trash', undefined, bob)).toEqual([]);
    expect(await ask('get', `/relations?entity_id=${garden}&structural=true&direction=up`)).toEqual([]);
  });

  it('lists archived tasks only on request', async () => {
    const shed = (await ask('post', '/endeavours', { name: 'Shed', organization_id: riverside })).id;
    const task = await ask('post', '/tasks', { title: 'Sweep', endeavour_id: shed });
    await ask('post', `/endeavours/${shed}/archive`, { reason: 'Sold' });
    const listed = async (query: string) => {
      const found: { id: string }[] = await ask('get', `/tasks?${query}`);
      return found.map(({ id }) => id).filter((id) => id === task.id);
    };
    expect(await listed('limit=200')).toEqual([]);
    expect(await listed(`endeavour_id=${shed}`)).toEqual([]);
    expect(await listed(`endeavour_id=${shed}&archived=any`)).toEqual([task.id]);
    expect(await listed('archived=true')).toEqual([task.id]);
    expect(await ask('get', `/tasks/${task.id}`)).toMatchObject({ status: 'canceled' });
  });

  it('starts to change its e-mail address, sees the pending change, and cancels it', async () => {
    await ask('post', '/auth/email/change', { new_email: 'ann@hillside.example', current_password: PASSWORD });
    const pending = { pending: true, new_email: 'ann@hillside.example' };
    expect(await ask('get', '/auth/email/pending')).toMatchObject(pending);
    await ask('post', '/auth/email/cancel');
    expect(await ask('get', '/auth/email/pending')).toEqual({ pending: false, new_email: null, expires_at: null });
  });

  it('shows the activity of a day after the sign-in, with its total and its hours', async () => {
    const day = {
      start_time: new Date(Date.now() - 86_400_000).toISOString(),
      end_time: new Date(Date.now() + 60_000).toISOString(),
    };
    const read = async (query: object) =>
      (await app.as(ann).get(`/activity?${new URLSearchParams({ ...query } as Record<string, string>).toString()}`))
        .body;
    const first = await read({ limit: '1', offset: '0', ...day });
    expect(first).toMatchObject({
      summary: { total: expect.any(Number) },
      meta: { limit: 1, offset: 0, has_more: true },
    });
    expect(first.meta.total).toBe(first.summary.total);
    expect(first.hourly.map(({ hour }: { hour: number }) => hour)).toEqual([...Array(24).keys()]);
    const sum = (name: string) => first.hourly.reduce((all: number, of: Record<string, number>) => all + of[name], 0);
    expect([sum('logins'), sum('tasks') > 3, sum('demands') > 1, sum('endeavours') > 1]).toEqual([1, true, true, true]);
    const [entry] = first.data;
    expect(entry).toMatchObject({ created_at: entry.occurred_at, summary: entry.text, action: expect.any(String) });
    const all = (await read({ limit: '200', ...day })).data;
    const second = await read({ limit: '2', offset: '3', ...day });
    expect(second.data).toEqual(all.slice(3, 5));
    const after = await read({ limit: '2', before: String(second.meta.next), ...day });
    expect(after.data).toEqual(all.slice(5, 7));
    const later = await read({ start_time: day.end_time, end_time: new Date(Date.now() + 120_000).toISOString() });
    expect(later).toMatchObject({ data: [], summary: { total: 0 }, meta: { has_more: false } });
    const begin = all.at(-3).occurred_at;
    const older = await read({ end_time: begin, limit: '5' });
    expect(older.data.every(({ occurred_at }: { occurred_at: string }) => occurred_at < begin)).toBe(true);
    expect(older).not.toHaveProperty('summary');
    for (const period of [
      { start_time: '2020-01-01T00:00:00Z' },
      { start_time: day.end_time, end_time: day.start_time },
    ]) {
      expect((await read(period)).error).toMatchObject({ code: 'invalid_input' });
    }
  });

  it('reads the audit, the profile, messages and the DoD status by the names that it knows', async () => {
    const [signIn] = await ask('get', '/audit?mine=true&action=login_success&start_time=2026-01-01T00:00:00Z');
    expect(signIn).toMatchObject({
      action: 'session.created',
      created_at: signIn.occurred_at,
      ip: signIn.address,
      source: 'api',
    });
    expect(await ask('get', '/audit?mine=true&action=login_failure')).toEqual([]);
    expect(await ask('get', '/auth/whoami')).toMatchObject({ profile_complete: true });
    const [message] = await ask('get', '/messages', undefined, bob);
    const { delivery_id: id, channel, status, read_at } = message;
    expect(message.delivery).toEqual({ id, channel, status, read_at });
    expect(
      (await ask('get', '/messages?box=sent')).every((sent: { delivery: unknown }) => sent.delivery === null),
    ).toBe(true);
    const policy = await ask('post', '/dod-policies', {
      name: 'Done',
      organization_id: riverside,
      conditions: [{ type: 'comment_required' }],
    });
    await ask('post', `/endeavours/${garden}/dod-policy`, { policy_id: policy.id });
    await ask('post', '/dod-endorsements', { policy_id: policy.id, endeavour_id: garden });
    expect(await ask('get', `/endeavours/${garden}/dod-status`)).toMatchObject({
      endorsements: [{ policy_id: policy.id, resource_id: ann.resourceId, status: 'active' }],
      endorsement_counts: { active: 1, superseded: 0 },
    });
  });

  it('sends roles of teams, and relations of endeavours by other names', async () => {
    const gang = (await ask('post', '/resources', { name: 'Gang', type: 'team', metadata: { color: 'red' } })).id;
    const sent = relation(['organization', riverside], 'has_member', ['resource', gang], {
      metadata: { role: 'lead' },
    });
    expect(await ask('post', '/relations', sent)).toMatchObject({ structural: true });
    const yard = (await ask('post', '/endeavours', { name: 'Yard' })).id;
    const link = relation(['organization', riverside], 'participates_in', ['endeavour', yard], {
      metadata: { role: 'owner' },
    });
    const linked = await ask('post', '/relations', link);
    expect(linked).toMatchObject({
      relationship_type: 'participates_in',
      source_entity_id: riverside,
      structural: true,
    });
    const query = `relationship_type=participates_in&source_entity_type=organization&source_entity_id=${riverside}`;
    expect((await ask('get', `/relations?${query}`)).map(({ id }: Relation) => id)).toContain(linked.id);
    expect(await ask('get', `/relations/${linked.id}`)).toEqual(linked);
    await ask('delete', `/relations/${linked.id}`);
    const member = relation(['resource', bob.resourceId], 'member_of', ['endeavour', yard], {
      metadata: { role: 'viewer' },
    });
    const made = await ask('post', '/relations', member);
    expect(made).toMatchObject({ relationship_type: 'member_of', metadata: { role: 'viewer' } });
    await ask('delete', `/relations/${made.id}`);
    const team = relation(['resource', gang], 'participates_in', ['endeavour', yard]);
    const refused = await app.as(ann).post('/relations').send(team).expect(400);
    expect(refused.body.error.details.fields).toMatchObject([
      { field: 'source_entity_id', code: 'invalid_value', message: expect.stringContaining('Only people and agents') },
    ]);
    for (const send of [
      app
        .as(ann)
        .patch(`/resources/${gang}`)
        .send({ metadata: { quorum: { cancel: 2 } } }),
      app
        .as(ann)
        .post('/resources')
        .send({ name: 'Band', type: 'team', metadata: { quorum: 2 } }),
    ]) {
      const { body } = await send.expect(400);
      expect(body.error.details.fields).toMatchObject([{ field: 'metadata.quorum', code: 'invalid_value' }]);
    }
  });
});
