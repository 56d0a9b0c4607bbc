import { PASSWORD } from '../support/sign-up.js';
import { TestApp, type Person } from '../support/test-app.js';

let app: TestApp;
let olga: Person;
let riverside: string;

beforeAll(async () => {
  app = await TestApp.open({ LIMIT_INVITATIONS_PER_HOUR: '30', LIMIT_REGISTER_PER_HOUR: '10000' });
});
beforeEach(async () => {
  olga = await app.person('Olga');
  riverside = await app.organization(olga);
});
afterAll(() => app.close());

const invite = (body: object, by = olga) => app.as(by).post('/invitations').send(body);
const accept = (person: Person, token: string) => app.as(person).post('/invitations/accept').send({ token });
const response = (person: Person, id: string, word: 'accept' | 'refuse') =>
  app.as(person).post(`/invitations/${id}/${word}`);
const own = async (person: Person, query = ''): Promise<{ id: string; status: string }[]> =>
  (await app.as(person).get(`/invitations?mine=true${query}`).expect(200)).body.data;
const ids = (invitations: { id: string }[]): string[] => invitations.map(({ id }) => id);
const roleOf = async (person: Person, organization = riverside): Promise<string | undefined> =>
  (await app.as(person).get('/auth/whoami').expect(200)).body.data.organizations[organization];
const tokenOf = (text: string): string => /^[\w-]{22}$/m.exec(text)?.[0] ?? '';

/** Creates a user whom Olga sees, because they share an endeavour. */
async function neighbour(name: string): Promise<Person> {
  const person = await app.person(name);
  await app.join(await app.endeavour(olga), person, 'viewer');
  return person;
}

describe('an invitation of a user', () => {
  it('is sent by mail and to the inbox, without showing the address', async () => {
    const ben = await neighbour('Ben');
    const { body } = await invite({ user_id: ben.id, organization_id: riverside }).expect(201);
    expect(body.data).toMatchObject({
      email: null,
      user_id: ben.id,
      user_name: 'Ben',
      status: 'open',
      mail_status: 'queued',
      token: null,
    });
    expect(JSON.stringify(body)).not.toContain(ben.email);
    const [mail] = await app.mail(ben.email);
    expect(mail.subject).toBe('Olga invites you to Riverside');
    const { body: inbox } = await app.as(ben).get('/messages').expect(200);
    expect(inbox.data[0]).toMatchObject({
      subject: 'Invitation to Riverside',
      sender_id: null,
      metadata: { invitation_id: body.data.id },
    });
    const { body: sent } = await app.as(olga).get(`/invitations/${body.data.id}`).expect(200);
    expect(sent.data.mail_status).toBe('sent');

    await accept(await app.person('Thief'), tokenOf(mail.text)).expect(400);
    await accept(ben, tokenOf(mail.text)).expect(200);
    expect(await roleOf(ben)).toBe('member');
  });

  it('requires a user who is visible to the inviter, and cannot be combined with an address', async () => {
    const stranger = await app.person('Stranger');
    const { body } = await invite({ user_id: stranger.id, organization_id: riverside }).expect(400);
    expect(body.error.details.fields[0]).toMatchObject({ field: 'user_id', code: 'reference_not_found' });
    const both = { user_id: stranger.id, email: 'a@example.test', organization_id: riverside, max_uses: 2 };
    const { body: faults } = await invite(both).expect(400);
    expect(faults.error.details.fields.map(({ field }: { field: string }) => field)).toEqual(['user_id', 'max_uses']);
  });

  it('can be sent by admins of an endeavour without an organization', async () => {
    const [abe, ben] = [await app.person('Abe'), await neighbour('Ben')];
    const garden = await app.endeavour(olga);
    await app.join(garden, abe, 'admin');
    await app.join(garden, ben, 'viewer');
    const { body } = await invite({ user_id: ben.id, endeavour_id: garden, endeavour_role: 'member' }, abe).expect(201);
    const { body: accepted } = await response(ben, body.data.id, 'accept').expect(200);
    expect(accepted.data).toEqual({
      organization_id: null,
      role: null,
      endeavour_id: garden,
      endeavour_role: 'member',
    });
  });
});

describe('an invitation of a person from outside the home of an endeavour', () => {
  it('grants a role above member only if an owner of the home sends it', async () => {
    const abe = await app.person('Abe');
    await app.join(riverside, abe, 'member');
    const garden = await app.endeavour(olga, { organization_id: riverside });
    await app.join(garden, abe, 'admin');
    const to = (email: string, endeavour_role: string) => ({ email, endeavour_id: garden, endeavour_role });
    const { body } = await invite(to('out@example.test', 'admin'), abe).expect(403);
    expect(body.error.details.required).toContain('owner');
    await invite(to('out@example.test', 'member'), abe).expect(201);
    await invite(to('another@example.test', 'admin')).expect(201);
    await invite({ user_id: olga.id, endeavour_id: garden, endeavour_role: 'admin' }, abe).expect(201);

    const pat = await app.person('Pat');
    const { body: link } = await invite({ endeavour_id: garden, endeavour_role: 'admin' }).expect(201);
    await app.database.query(
      `UPDATE organization_resources SET role = 'member' WHERE organization_id = $1 AND user_id = $2`,
      [riverside, olga.id],
    );
    expect((await accept(pat, link.data.token).expect(400)).body.error.code).toBe('invalid_token');
  });
});

describe('received invitations', () => {
  it('match the verified address or the id, and can be accepted without a token', async () => {
    const [ann, other] = [await app.person('Ann'), await app.person('Other')];
    const { body } = await invite({ email: ann.email, organization_id: riverside, role: 'guest' }).expect(201);
    expect(ids(await own(ann))).toEqual([body.data.id]);
    expect(await own(other)).toEqual([]);
    expect((await app.as(ann).get(`/invitations/${body.data.id}`).expect(200)).body.data.organization_name).toBe(
      'Riverside',
    );
    await app.as(other).get(`/invitations/${body.data.id}`).expect(404);
    await response(other, body.data.id, 'accept').expect(404);
    await response(other, body.data.id, 'refuse').expect(404);
    expect((await response(ann, body.data.id, 'accept').expect(200)).body.data.role).toBe('guest');
    expect(await own(ann)).toEqual([]);
    expect((await own(ann, '&status=accepted')).map(({ status }) => status)).toEqual(['accepted']);
    expect((await response(ann, body.data.id, 'accept').expect(400)).body.error.code).toBe('invalid_token');
    expect((await response(ann, body.data.id, 'refuse').expect(400)).body.error.code).toBe('invalid_token');
  });

  it('once refused, suppress further ones to the organization for 30 days, unnoticed by the sender', async () => {
    const ann = await neighbour('Ann');
    const { body: first } = await invite({ email: ann.email, organization_id: riverside }).expect(201);
    const before = (await app.mail(ann.email)).length;
    expect((await response(ann, first.data.id, 'refuse').expect(200)).body).toEqual({ data: { status: 'refused' } });
    await response(ann, first.data.id, 'refuse').expect(200);

    const unknown = { email: 'unknown@example.test', organization_id: riverside };
    const { body: control } = await invite(unknown).expect(201);
    for (const again of [{ email: ann.email }, { user_id: ann.id }]) {
      const { body } = await invite({ ...again, organization_id: riverside }).expect(201);
      expect(Object.keys(body.data)).toEqual(Object.keys(control.data));
      expect(body.data).toMatchObject({ status: 'open', mail_status: 'queued' });
      expect(await app.mail(ann.email)).toHaveLength(before);
      const { body: sent } = await app.as(olga).get(`/invitations/${body.data.id}`).expect(200);
      expect(sent.data.mail_status).toBe('sent');
      await response(ann, body.data.id, 'accept').expect(404);
      await app.as(olga).delete(`/invitations/${body.data.id}`).expect(200);
    }
    expect(await own(ann)).toEqual([]);
    expect((await app.as(ann).get('/messages').expect(200)).body.data).toEqual([]);

    const elsewhere = await app.organization(olga, { name: 'Elsewhere' });
    await invite({ email: ann.email, organization_id: elsewhere }).expect(201);
    expect(await own(ann)).toHaveLength(1);
    await app.database.query(`UPDATE invitations SET refused_at = now() - interval '31 days' WHERE id = $1`, [
      first.data.id,
    ]);
    const { body: later } = await invite({ email: ann.email, organization_id: riverside }).expect(201);
    expect(ids(await own(ann))).toContain(later.data.id);
  });
});

describe('an agent', () => {
  it('cannot be invited, because it could not accept', async () => {
    const { body } = await app.as(olga).post('/agents').send({ name: 'Bot', organization_id: riverside }).expect(201);
    const garden = await app.endeavour(olga, { organization_id: riverside });
    const refused = await invite({ user_id: body.data.id, endeavour_id: garden }).expect(400);
    expect(refused.body.error.details.fields).toMatchObject([{ field: 'user_id', code: 'invalid_value' }]);
  });
});

describe('an organization or endeavour', () => {
  it('has one open invitation per address or user, which are compared separately', async () => {
    const ben = await neighbour('Ben');
    const { body } = await invite({ email: ben.email, organization_id: riverside }).expect(201);
    const { body: refused } = await invite({ email: ben.email.toUpperCase(), organization_id: riverside }).expect(409);
    expect(refused.error).toMatchObject({ code: 'conflict', details: { reason: 'already_invited' } });
    await invite({ user_id: ben.id, organization_id: riverside }).expect(201);
    await invite({ organization_id: riverside }).expect(201);
    await invite({ organization_id: riverside }).expect(201);

    await app.database.query('UPDATE invitations SET expires_at = now() WHERE id = $1', [body.data.id]);
    await invite({ email: ben.email, organization_id: riverside }).expect(201);
    const extend = { expires_at: new Date(Date.now() + 86_400_000).toISOString() };
    const { body: clash } = await app.as(olga).patch(`/invitations/${body.data.id}`).send(extend).expect(409);
    expect(clash.error.details.reason).toBe('already_invited');
  });

  it('has one open invitation even if several are created at once', async () => {
    const email = 'twice@example.test';
    const responses = await Promise.all(Array.from({ length: 4 }, () => invite({ email, organization_id: riverside })));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });

  it('does not readmit a removed member by an older invitation', async () => {
    const ben = await app.person('Ben');
    const { body } = await invite({ organization_id: riverside, max_uses: 5 }).expect(201);
    await accept(ben, body.data.token).expect(200);
    await app.as(olga).delete(`/organizations/${riverside}/members/${ben.id}`).expect(200);
    expect((await accept(ben, body.data.token).expect(400)).body.error.code).toBe('invalid_token');
    const { body: newer } = await invite({ organization_id: riverside }).expect(201);
    await accept(ben, newer.data.token).expect(200);
  });
});

describe('a role that was lowered', () => {
  it.each([
    ['an organization', 'role', 'organizations'],
    ['an endeavour', 'endeavour_role', 'endeavours'],
  ])('in %s is not raised again by an older invitation', async (_, part, containers) => {
    const ben = await app.person('Ben');
    const container = containers === 'organizations' ? riverside : await app.endeavour(olga);
    const place = containers === 'organizations' ? { organization_id: container } : { endeavour_id: container };
    const offer = { ...place, [part]: 'admin' };
    const { body: link } = await invite({ ...offer, max_uses: 5 }).expect(201);
    await accept(ben, link.data.token).expect(200);
    const { body: byMail } = await invite({ ...offer, email: ben.email }).expect(201);
    const { body: byId } = await invite({ ...offer, user_id: ben.id }).expect(201);
    const path = `/${containers}/${container}/members/${ben.id}`;
    await app.as(olga).patch(path).send({ role: 'member' }).expect(200);

    await accept(ben, link.data.token).expect(400);
    for (const { data } of [byMail, byId]) {
      const { body } = await app.as(ben).post(`/invitations/${data.id}/accept`).expect(400);
      expect(body.error.code).toBe('invalid_token');
    }
    const { body } = await app.as(olga).get(`/${containers}/${container}/members`).expect(200);
    expect(body.data).toContainEqual(expect.objectContaining({ user_id: ben.id, role: 'member' }));

    const { body: newer } = await invite(offer).expect(201);
    await accept(ben, newer.data.token).expect(200);
  });
});

describe('the uses of an invitation', () => {
  const usesOf = async (id: string): Promise<[number, string]> => {
    const { body } = await app.as(olga).get(`/invitations/${id}`).expect(200);
    return [body.data.uses, body.data.status];
  };

  it('are not consumed by a person who accepts repeatedly', async () => {
    const [ann, ben] = [await app.person('Ann'), await app.person('Ben')];
    const { body } = await invite({ organization_id: riverside, max_uses: 2 }).expect(201);
    const { id, token } = body.data;
    for (let times = 0; times < 3; times += 1) await accept(ann, token).expect(200);
    await accept(olga, token).expect(200);
    expect(await usesOf(id)).toEqual([1, 'open']);
    await accept(ben, token).expect(200);
    expect(await usesOf(id)).toEqual([2, 'accepted']);
    await accept(await app.person('Cat'), token).expect(400);
  });

  it('can be raised and extended by users who can invite there', async () => {
    const { body } = await invite({ organization_id: riverside }).expect(201);
    const { id, token } = body.data;
    await accept(await app.person('Ann'), token).expect(200);
    const change = (changes: object, by = olga) => app.as(by).patch(`/invitations/${id}`).send(changes);
    const { body: raised } = await change({ max_uses: 2 }).expect(200);
    expect(raised.data).toMatchObject({ max_uses: 2, uses: 1, status: 'open', revision: 3 });
    await accept(await app.person('Ben'), token).expect(200);
    const faults = async (changes: object) => (await change(changes).expect(400)).body.error.details.fields[0];
    expect(await faults({ max_uses: 1 })).toMatchObject({ field: 'max_uses', code: 'out_of_range' });
    expect(await faults({ expires_at: '2020-01-01T00:00:00Z' })).toMatchObject({ code: 'out_of_range' });
    expect(await faults({ role: 'owner' })).toMatchObject({ code: 'read_only' });
    expect(await faults({ expires_at: null })).toMatchObject({ code: 'not_nullable' });
    await change({ max_uses: 3 }).set('If-Match', '"1"').expect(412);
    await change({ max_uses: 3 }, await app.person('Out')).expect(404);

    await app.database.query('UPDATE invitations SET expires_at = now() WHERE id = $1', [id]);
    expect(await usesOf(id)).toEqual([2, 'accepted']);
    await change({ max_uses: 3, expires_at: '2100-01-01T00:00:00Z' }).expect(200);
    expect(await usesOf(id)).toEqual([2, 'open']);
  });

  it('are fixed at one for a single person, and can be raised only by admins of organization and endeavour', async () => {
    const abe = await app.person('Abe');
    const garden = await app.endeavour(olga);
    await app.join(garden, abe, 'admin');
    await app.join(riverside, abe, 'guest');
    const single = await invite({ email: 'one@example.test', organization_id: riverside }).expect(201);
    await app.as(olga).patch(`/invitations/${single.body.data.id}`).send({ max_uses: 2 }).expect(400);
    const both = await invite({ organization_id: riverside, endeavour_id: garden }).expect(201);
    await app.as(abe).patch(`/invitations/${both.body.data.id}`).send({ max_uses: 2 }).expect(403);
    await app.database.query(`UPDATE organizations SET status = 'archived' WHERE id = $1`, [riverside]);
    const refused = await app.as(olga).patch(`/invitations/${both.body.data.id}`).send({ max_uses: 2 }).expect(409);
    expect(refused.body.error.code).toBe('archived');
  });
});

describe('the list of invitations', () => {
  it('can be filtered by status and address', async () => {
    const { body: mailed } = await invite({ email: 'Listed@example.test', organization_id: riverside }).expect(201);
    const { body: open } = await invite({ organization_id: riverside }).expect(201);
    await app.database.query('UPDATE invitations SET expires_at = now() WHERE id = $1', [open.data.id]);
    const list = async (query: string) =>
      ids((await app.as(olga).get(`/invitations?${query}`).expect(200)).body.data as { id: string }[]);
    expect(await list('email=LISTED@example.test')).toEqual([mailed.data.id]);
    expect(await list('status=expired')).toEqual([open.data.id]);
    expect(await list('status=open')).toEqual([mailed.data.id]);
    await app.as(olga).get('/invitations?status=lost').expect(400);
  });
});

describe('sent invitations', () => {
  it('are limited to 30 an hour per inviter, not counting rejected requests', async () => {
    for (let made = 0; made < 5; made += 1) await invite({ organization_id: riverside, role: 'king' }).expect(400);
    for (let made = 0; made < 30; made += 1) await invite({ organization_id: riverside }).expect(201);
    const { body, headers } = await invite({ organization_id: riverside }).expect(429);
    expect(body.error.code).toBe('rate_limited');
    expect(Number(headers['retry-after'])).toBeGreaterThan(3000);
  });

  it('are limited to 10 mails a day per address, with the same response beyond that', async () => {
    const email = 'beloved@example.test';
    const responses = [];
    for (let inviter = 0; inviter < 3; inviter += 1) {
      const boss = await app.person(`PAY NOW https://evil.example/pay ${inviter}`);
      for (let place = 0; place < 5; place += 1) {
        const organization_id = await app.organization(boss, { name: 'www.evil.example' });
        responses.push((await invite({ email, organization_id }, boss).expect(201)).body.data);
      }
    }
    const mails = await app.mail(email);
    expect(mails).toHaveLength(10);
    for (const { subject, text } of mails) expect(subject + text).not.toMatch(/evil\.example|https:\/\/evil/);
    const told = responses.map(({ status, mail_status }) => `${status} ${mail_status}`);
    expect(told).toEqual(responses.map((_, at) => (at < 10 ? 'open queued' : 'open not_sent')));
    const { body } = await app
      .as(null)
      .post('/auth/register')
      .send({ email, name: 'B', password: PASSWORD })
      .expect(201);
    expect(body.data.status).toBe('pending_verification');
  });

  it('of one organization use up at most 3 of these mails, so that a stranger cannot prevent others', async () => {
    const email = 'wanted@example.test';
    const stranger = await app.person('Stranger');
    const organization_id = await app.organization(stranger);
    const statuses = [];
    for (let count = 0; count < 10; count += 1) {
      const { body } = await invite({ email, organization_id }, stranger).expect(201);
      statuses.push(body.data.mail_status);
      await app.as(stranger).delete(`/invitations/${body.data.id}`).expect(200);
    }
    expect(statuses).toEqual(statuses.map((_, at) => (at < 3 ? 'queued' : 'not_sent')));
    const wanted = await invite({ email, organization_id: riverside }).expect(201);
    expect(wanted.body.data.mail_status).toBe('queued');
  });

  it('are in the language of the recipient, or of the inviter for an unknown address', async () => {
    const hans = await app.person('Hans', { lang: 'de' });
    const known = await app.person('Known', { lang: 'fr' });
    const organization_id = await app.organization(hans);
    await invite({ email: 'unbekannt@example.test', organization_id }, hans).expect(201);
    await invite({ email: known.email, organization_id }, hans).expect(201);
    expect((await app.mail('unbekannt@example.test'))[0].subject).toBe('Hans lädt dich zu Riverside ein');
    expect((await app.mail(known.email))[0].subject).toContain('Hans vous invite');
  });
});
