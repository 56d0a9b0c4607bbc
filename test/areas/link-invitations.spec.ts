import { newId } from '../../src/common/ids.js';
import { race } from '../support/races.js';
import { PASSWORD } from '../support/sign-up.js';
import { TestApp, type Person } from '../support/test-app.js';

/** Ann owns Riverside with its endeavour; Pat owns Partners, and shares nothing with her. */
let app: TestApp;
let ann: Person;
let pat: Person;
let riverside: string;
let partners: string;
let garden: string;

beforeAll(async () => {
  app = await TestApp.open({ LIMIT_REGISTER_PER_HOUR: '10000', LIMIT_INVITATIONS_PER_HOUR: '10000' });
});
async function found(): Promise<void> {
  [ann, pat] = [await app.person('Ann'), await app.person('Pat')];
  riverside = await app.organization(ann, { name: 'Riverside' });
  partners = await app.organization(pat, { name: 'Partners' });
  garden = await app.endeavour(ann, { organization_id: riverside, name: 'Garden' });
}

beforeEach(found);
afterAll(() => app.close());

const offer = (more: object = {}, by = ann) =>
  app
    .as(by)
    .post('/invitations')
    .send({ kind: 'link', endeavour_id: garden, ...more });
const offerTo = async (person: Person): Promise<string> =>
  (await offer({ email: person.email }).expect(201)).body.data.id;
const accept = (id: string, organization_id: string | undefined = partners, by = pat) =>
  app.as(by).post(`/invitations/${id}/accept`).send({ organization_id });
const redeem = (token: string, organization_id: string | undefined = partners, by = pat) =>
  app.as(by).post('/invitations/accept').send({ token, organization_id });
const roleOf = async (person: Person): Promise<string | null> => {
  const { status, body } = await app.as(person).get(`/endeavours/${garden}`);
  return status === 404 ? null : body.data.my_role;
};
const linksOf = async (endeavour = garden): Promise<string[]> => {
  const rows = await app.database.query<{ id: string }>(
    'SELECT organization_id AS id FROM organization_endeavours WHERE endeavour_id = $1 AND NOT is_home',
    [endeavour],
  );
  return rows.map(({ id }) => id);
};
const faultsOf = ({ body }: { body: { error: { details: { fields: { field: string; code: string }[] } } } }) =>
  body.error.details.fields.map(({ field, code }) => `${field} ${code}`);
const expectInvalid = async (response: ReturnType<typeof accept>): Promise<void> => {
  expect((await response.expect(400)).body.error.code).toBe('invalid_token');
  expect(await linksOf()).toEqual([]);
};
const setRole = (organization: string, person: Person, role: string) =>
  app.database.query('UPDATE organization_resources SET role = $3 WHERE organization_id = $1 AND user_id = $2', [
    organization,
    person.id,
    role,
  ]);

describe('an invitation to link an endeavour', () => {
  it('shares it with an organization of the invited person, who is in no container of the inviter', async () => {
    const { body } = await offer({ email: pat.email }).expect(201);
    expect(body.data).toMatchObject({
      kind: 'link',
      token: null,
      organization_id: null,
      role: null,
      endeavour_id: garden,
      endeavour_name: 'Garden',
      endeavour_role: null,
      home_name: 'Riverside',
      max_uses: 1,
      status: 'open',
    });
    const member = await app.person('Mia');
    await app.join(partners, member, 'member');
    expect([await roleOf(pat), await roleOf(member)]).toEqual([null, null]);
    const { body: accepted } = await accept(body.data.id).expect(200);
    expect(accepted.data).toEqual({
      organization_id: partners,
      role: null,
      endeavour_id: garden,
      endeavour_role: null,
    });
    expect([await roleOf(pat), await roleOf(member)]).toEqual(['member', 'member']);
    await app.as(pat).get(`/organizations/${riverside}`).expect(404);
    await app.as(ann).get(`/organizations/${partners}`).expect(404);
    const { body: used } = await app.as(ann).get(`/invitations/${body.data.id}`).expect(200);
    expect(used.data).toMatchObject({ status: 'accepted', uses: 1, organization_id: null });
    await expectUsed(body.data.id);
  });

  async function expectUsed(id: string): Promise<void> {
    const other = await app.organization(pat);
    expect((await accept(id, other).expect(400)).body.error.code).toBe('invalid_token');
  }

  it('shows the invited person only the names of the endeavour and its company', async () => {
    await app.as(ann).patch(`/endeavours/${garden}`).send({ description: 'Secret plans' }).expect(200);
    const id = await offerTo(pat);
    const { body } = await app.as(pat).get(`/invitations/${id}`).expect(200);
    expect(body.data).toMatchObject({ endeavour_name: 'Garden', home_name: 'Riverside', invited_by_name: 'Ann' });
    expect(JSON.stringify(body)).not.toContain('Secret plans');
    expect(JSON.stringify(body)).not.toContain(riverside);
    const { body: own } = await app.as(pat).get('/invitations?mine=true&kind=link').expect(200);
    expect(own.data).toEqual([body.data]);
    await app.as(pat).get(`/endeavours/${garden}`).expect(404);
    const [mail] = await app.mail(pat.email);
    expect(mail.subject).toBe('Ann asks you to link Garden to your organization');
    expect(mail.text).toContain('which belongs to Riverside');
  });

  it('can be accepted with the token of the mail, or of the response', async () => {
    await offer({ email: pat.email }).expect(201);
    const [mail] = await app.mail(pat.email);
    const token = /^[\w-]{22}$/m.exec(mail.text)?.[0] ?? '';
    await redeem(token, undefined, await app.person('Thief')).expect(400);
    await redeem(token).expect(200);
    const { body } = await offer().expect(201);
    const other = await app.person('Other');
    const theirs = await app.organization(other);
    await redeem(body.data.token, theirs, other).expect(200);
    expect((await linksOf()).sort()).toEqual([partners, theirs].sort());
  });

  it('reaches a user who is visible to the inviter by id, in the inbox too', async () => {
    await app.join(await app.endeavour(ann), pat, 'viewer');
    const { body } = await offer({ user_id: pat.id }).expect(201);
    const { body: inbox } = await app.as(pat).get('/messages').expect(200);
    expect(inbox.data[0]).toMatchObject({ metadata: { invitation_id: body.data.id, kind: 'link' } });
    await accept(body.data.id).expect(200);
    const stranger = await app.person('Stranger');
    expect(faultsOf(await offer({ user_id: stranger.id }).expect(400))).toEqual(['user_id reference_not_found']);
  });

  it('stands beside an invitation of the same person as a member, once of each kind', async () => {
    await app.as(ann).post('/invitations').send({ email: pat.email, endeavour_id: garden }).expect(201);
    await offer({ email: pat.email }).expect(201);
    const { body } = await offer({ email: pat.email }).expect(409);
    expect(body.error.details.reason).toBe('already_invited');
    const { body: list } = await app.as(ann).get(`/invitations?endeavour_id=${garden}&kind=!link`).expect(200);
    expect(list.data.map(({ kind }: { kind: string }) => kind)).toEqual(['roles']);
  });

  it('can be one of many, with invitations of the same person as a member', async () => {
    const items = [
      { kind: 'link', endeavour_id: garden, email: pat.email },
      { endeavour_id: garden, email: pat.email },
    ];
    const create = (invitations: object[]) => app.as(ann).post('/invitations/bulk').send({ invitations });
    expect(faultsOf(await create([items[0], items[0]]).expect(400))).toEqual(['invitations.1.email invalid_value']);
    const { body } = await create(items).expect(201);
    expect(body.data.map(({ kind }: { kind: string }) => kind)).toEqual(['link', 'roles']);
  });

  it('names every contradiction at once', async () => {
    const roles = { role: 'admin', endeavour_role: 'member', organization_id: riverside, max_uses: 2 };
    expect(faultsOf(await offer({ ...roles, endeavour_id: undefined }).expect(400))).toEqual([
      'max_uses out_of_range',
      'organization_id invalid_value',
      'role invalid_value',
      'endeavour_role invalid_value',
      'endeavour_id required',
    ]);
    const { body } = await offer().expect(201);
    const patched = app.as(ann).patch(`/invitations/${body.data.id}`).send({ max_uses: 2 });
    expect(faultsOf(await patched.expect(400))).toEqual(['max_uses out_of_range']);
  });

  it('needs an owner of the home organization, and an endeavour that has one', async () => {
    const [admin, direct, outsider] = [await app.person('Abe'), await app.person('Dee'), await app.person('Out')];
    await app.join(riverside, admin, 'admin');
    await app.join(garden, direct, 'owner');
    const { body } = await offer({}, admin).expect(403);
    expect(body.error.details.required).toBe('the owner role in this endeavour');
    expect((await offer({}, direct).expect(403)).body.error.details.required).toBe(
      'the owner role in the home organization of this endeavour',
    );
    expect(faultsOf(await offer({}, outsider).expect(400))).toEqual(['endeavour_id reference_not_found']);
    const homeless = await app.endeavour(ann);
    expect((await offer({ endeavour_id: homeless }).expect(409)).body.error.details.reason).toBe('no_home');
    await app.database.query(`UPDATE endeavours SET status = 'archived' WHERE id = $1`, [garden]);
    expect((await offer().expect(409)).body.error.code).toBe('archived');
  });

  it('can be changed by owners of the home, and withdrawn by admins of the endeavour', async () => {
    const admin = await app.person('Abe');
    await app.join(riverside, admin, 'admin');
    const id = await offerTo(pat);
    const later = { expires_at: '2030-01-01T00:00:00Z' };
    await app.as(admin).patch(`/invitations/${id}`).send(later).expect(403);
    await app.as(ann).patch(`/invitations/${id}`).send(later).expect(200);
    await app.as(pat).patch(`/invitations/${id}`).send(later).expect(404);
    await app.as(admin).delete(`/invitations/${id}`).expect(200);
    await accept(id).expect(404);
    expect(await linksOf()).toEqual([]);
  });

  it('can be refused, which mutes further ones for the endeavour', async () => {
    const id = await offerTo(pat);
    await app.as(pat).post(`/invitations/${id}/refuse`).expect(200);
    await expectInvalid(accept(id));
    await accept(await offerTo(pat)).expect(404);
  });
});

describe('the acceptance of a link', () => {
  it('names an organization, which an acceptance of roles does not', async () => {
    const id = await offerTo(pat);
    expect(faultsOf(await app.as(pat).post(`/invitations/${id}/accept`).expect(400))).toEqual([
      'organization_id required',
    ]);
    const roles = await app.as(ann).post('/invitations').send({ endeavour_id: garden }).expect(201);
    expect(faultsOf(await redeem(roles.body.data.token).expect(400))).toEqual(['organization_id invalid_value']);
    const unknown = await app.as(pat).post(`/invitations/${id}/accept`).send({ organisation_id: partners }).expect(400);
    expect(faultsOf(unknown)).toEqual(['organisation_id unknown_field']);
    expect(await linksOf()).toEqual([]);
    await accept(id).expect(200);
  });

  it.each(['guest', 'member'])('is refused for a %s of the organization', async (role) => {
    const theirs = await app.organization(await app.person('Boss'));
    await app.join(theirs, pat, role);
    const id = await offerTo(pat);
    expect((await accept(id, theirs).expect(403)).body.error.details.required).toContain('admin');
    expect(await linksOf()).toEqual([]);
    await setRole(theirs, pat, 'admin');
    await accept(id, theirs).expect(200);
  });

  it('tells nothing about organizations that the invited person does not see', async () => {
    const id = await offerTo(pat);
    const absent = await accept(id, `org_${'0'.repeat(32)}`).expect(400);
    for (const hidden of [riverside, await app.organization(await app.person('Boss'))]) {
      const { body } = await accept(id, hidden).expect(400);
      expect(body.error).toEqual({ ...absent.body.error, request_id: body.error.request_id });
    }
  });

  it('has no effect and uses nothing up if the endeavour is linked already', async () => {
    await app.link(partners, garden);
    const id = await offerTo(pat);
    await accept(id).expect(200);
    const { body } = await app.as(ann).get(`/invitations/${id}`).expect(200);
    expect(body.data).toMatchObject({ uses: 0, status: 'open' });
    const { body: home } = await offer().expect(201);
    await app.join(riverside, pat, 'admin');
    await redeem(home.data.token, riverside).expect(200);
    expect(await linksOf()).toEqual([partners]);
  });

  it('is refused in an archived organization, and beyond the limit of its tier', async () => {
    const small = await app.person('Small', { tier: 1 });
    const theirs = await app.organization(small);
    for (let n = 0; n < 3; n += 1) await app.link(theirs, await app.endeavour(ann));
    const id = await offerTo(small);
    expect((await accept(id, theirs, small).expect(403)).body.error.code).toBe('tier_limit');
    await app.database.query(`UPDATE organizations SET status = 'archived' WHERE id = $1`, [partners]);
    const archived = await offerTo(pat);
    expect((await accept(archived).expect(409)).body.error.code).toBe('archived');
    const { body } = await offer().expect(201);
    expect((await redeem(body.data.token).expect(409)).body.error.code).toBe('archived');
    expect(await linksOf()).toEqual([]);
  });

  it('is refused while an operation works on the organization, and possible afterwards', async () => {
    const { body } = await offer().expect(201);
    const operation = newId('operation');
    await app.database.query(
      `INSERT INTO operations (id, type, user_id, created_by, container_id) VALUES ($1, 'archives', $2, $3, $4)`,
      [operation, pat.id, pat.resourceId, partners],
    );
    await app.database.query('UPDATE organizations SET closed_by = $1 WHERE id = $2', [operation, partners]);
    const refused = { code: 'in_progress', details: { operation_id: operation } };
    expect((await redeem(body.data.token).expect(409)).body.error).toMatchObject(refused);
    expect((await accept(await offerTo(pat)).expect(409)).body.error).toMatchObject(refused);
    expect(await linksOf()).toEqual([]);
    await app.database.query('UPDATE organizations SET closed_by = NULL WHERE id = $1', [partners]);
    await redeem(body.data.token).expect(200);
  });

  it('needs a session, not an access token', async () => {
    const id = await offerTo(pat);
    const { body } = await app
      .as(pat)
      .post('/auth/tokens')
      .send({ name: 'All', scopes: ['*'] })
      .expect(201);
    const refused = await accept(id, partners, { ...pat, token: body.data.token }).expect(403);
    expect(refused.body.error.details.reason).toBe('session_required');
    expect(await linksOf()).toEqual([]);
  });

  it('gives no account to a person without one', async () => {
    const { body } = await offer().expect(201);
    const registration = { email: 'new@example.test', name: 'Newcomer', password: PASSWORD };
    const { body: refused } = await app
      .as(null)
      .post('/auth/register')
      .send({ ...registration, invitation_token: body.data.token })
      .expect(400);
    expect(refused.error.code).toBe('invalid_token');
  });

  race('happens once if two admins send the token at the same moment', 5, async () => {
    await found();
    const { body } = await offer().expect(201);
    const other = await app.person('Other');
    const theirs = await app.organization(other);
    const responses = await Promise.all([redeem(body.data.token), redeem(body.data.token, theirs, other)]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect(await linksOf()).toHaveLength(1);
  });

  race('gives nothing while the inviter is dismissed at the same moment, or counts as brought in', 5, async () => {
    await found();
    const second = await app.person('Second');
    await app.join(riverside, second, 'owner');
    const id = await offerTo(pat);
    const dismiss = app.as(second).delete(`/organizations/${riverside}/members/${ann.id}`);
    const [accepted, dismissed] = await Promise.all([accept(id), dismiss]);
    expect(dismissed.status).toBe(200);
    expect([200, 400]).toContain(accepted.status);
    expect(await linksOf()).toEqual(accepted.status === 200 ? [partners] : []);
    if (accepted.status === 200) expect(dismissed.body.data.links).toHaveLength(1);
  });
});

describe('an offer or acceptance without the second factor that an organization requires', () => {
  it.each([
    ['home', () => riverside, () => offer()],
    ['other organization', () => partners, async () => accept(await offerTo(pat))],
  ])('is refused if the %s requires it', async (_, organization, act) => {
    await app.database.query(`UPDATE organizations SET second_factor = 'required' WHERE id = $1`, [organization()]);
    const { status, body } = await act();
    expect(body.error.details).toMatchObject({ reason: 'second_factor_required' });
    expect([status, await linksOf()]).toEqual([403, []]);
  });
});

describe('an offered link lapses', () => {
  it('when it expires', async () => {
    const id = await offerTo(pat);
    await app.database.query(
      `UPDATE invitations SET expires_at = clock_timestamp() - interval '1 second' WHERE id = $1`,
      [id],
    );
    await expectInvalid(accept(id));
  });

  it.each(['admin', 'member'])('while the inviter is only %s of the home', async (role) => {
    const id = await offerTo(pat);
    await app.join(riverside, await app.person('Second'), 'owner');
    await setRole(riverside, ann, role);
    await expectInvalid(accept(id));
  });

  it('when the inviter is dismissed or suspended', async () => {
    const second = await app.person('Second');
    await app.join(riverside, second, 'owner');
    const id = await offerTo(pat);
    await app.as(second).delete(`/organizations/${riverside}/members/${ann.id}`).expect(200);
    await expectInvalid(accept(id));
    const { body } = await offer({}, second).expect(201);
    await app.database.query(`UPDATE users SET status = 'suspended' WHERE id = $1`, [second.id]);
    await expectInvalid(redeem(body.data.token));
  });

  it('while the endeavour or its home is archived, or it has no home', async () => {
    const id = await offerTo(pat);
    await app.as(ann).post(`/endeavours/${garden}/archive`).send({ reason: 'Winter' }).expect(200);
    await expectInvalid(accept(id));
    await app.as(ann).post(`/endeavours/${garden}/unarchive`).send({}).expect(200);
    await app.as(ann).delete(`/organizations/${riverside}/endeavours/${garden}`).expect(200);
    await expectInvalid(accept(id));
  });

  it('when the endeavour is transferred to a home that the inviter does not own', async () => {
    const id = await offerTo(pat);
    const other = await app.organization(await app.person('Boss'));
    await app.join(other, ann, 'admin');
    await app.as(ann).post(`/endeavours/${garden}/transfer`).send({ organization_id: other }).expect(200);
    await expectInvalid(accept(id));
  });

  it('towards an organization whose link to the endeavour ended since, however it ended', async () => {
    const { body: kept } = await offer().expect(201);
    const { body: spare } = await offer().expect(201);
    await redeem(kept.data.token).expect(200);
    await app.as(ann).delete(`/organizations/${partners}/endeavours/${garden}`).expect(200);
    await expectInvalid(redeem(spare.data.token));
    const { body: fresh } = await offer().expect(201);
    await redeem(fresh.data.token).expect(200);
  });

  it('for a person who was removed from the endeavour since', async () => {
    await app.join(garden, pat, 'viewer');
    const id = await offerTo(pat);
    await app.as(ann).delete(`/endeavours/${garden}/members/${pat.id}`).expect(200);
    await expectInvalid(accept(id));
    expect(await roleOf(pat)).toBeNull();
  });
});

describe('a link by invitation', () => {
  const link = async (): Promise<void> => {
    await accept(await offerTo(pat)).expect(200);
  };

  it('is an event, and an entry of the audit, on both sides', async () => {
    await link();
    for (const [person, organization] of [
      [ann, riverside],
      [pat, partners],
    ] as const) {
      const { body } = await app.as(person).get(`/activity?type=endeavour.linked`).expect(200);
      expect(body.data.map(({ entity_id, actor_id }: Record<string, string>) => [entity_id, actor_id])).toContainEqual([
        garden,
        pat.resourceId,
      ]);
      const query = `organization_id=${organization}&action=endeavour.linked&entity_id=${garden}`;
      let entries: unknown[] = [];
      while (entries.length === 0) entries = (await app.as(person).get(`/audit?${query}`).expect(200)).body.data;
      expect(entries).toEqual([expect.objectContaining({ actor_id: pat.resourceId, organization_id: partners })]);
    }
  });

  it('can be ended by either side', async () => {
    for (const person of [ann, pat]) {
      await link();
      await app.as(person).delete(`/organizations/${partners}/endeavours/${garden}`).expect(200);
      expect(await linksOf()).toEqual([]);
      expect(await roleOf(pat)).toBeNull();
    }
  });

  it('counts as brought in by the inviter when that person leaves the home', async () => {
    const second = await app.person('Second');
    await app.join(riverside, second, 'owner');
    await link();
    const { body } = await app.as(second).delete(`/organizations/${riverside}/members/${ann.id}`).expect(200);
    expect(body.data.links).toEqual([
      expect.objectContaining({ organization_id: partners, endeavour_id: garden, ended: false }),
    ]);
  });

  it('leaves the keys of both sides as they are', async () => {
    const theirs = await app.endeavour(pat, { organization_id: partners, name: 'Garden' });
    const keyOf = async (person: Person, id: string): Promise<string> =>
      (await app.as(person).get(`/endeavours/${id}`).expect(200)).body.data.key;
    const before = [await keyOf(ann, garden), await keyOf(pat, theirs)];
    await link();
    expect([await keyOf(ann, garden), await keyOf(pat, theirs)]).toEqual(before);
  });

  it('is in the exported data of both people', async () => {
    await link();
    for (const person of [ann, pat]) {
      const { body } = await app.as(person).get('/auth/my-data').expect(200);
      expect(body.invitations ?? body.data.invitations).toEqual([expect.objectContaining({ kind: 'link' })]);
    }
  });
});
