import { randomBytes } from 'node:crypto';
import { LyingProvider } from '../support/lying-provider.js';
import { LOOPBACK_PROVIDERS, signInAt } from '../support/lying-sign-ins.js';
import { CLIENT_ID, CLIENT_SECRET } from '../support/openid-provider.js';
import { fieldErrorsOf } from '../support/refusals.js';
import { TestApp, type Person } from '../support/test-app.js';

let app: TestApp;
let liar: LyingProvider;
let ada: Person;
let olga: Person;
let organization: string;
let domain: string;
let provider: string;

const GROUP_ROLES = [
  { group: 'staff', role: 'guest' },
  { group: 'crew', role: 'member' },
  { group: 'leads', role: 'admin' },
];
const body = (more: object = {}) => ({
  name: 'Company',
  issuer: liar.issuer,
  client_id: CLIENT_ID,
  client_secret: CLIENT_SECRET,
  organization_id: organization,
  domains: [domain],
  jit: true,
  groups_claim: 'groups',
  group_roles: GROUP_ROLES,
  ...more,
});
const add = async (more: object = {}): Promise<string> =>
  (await app.as(ada).post('/identity-providers').send(body(more)).expect(201)).body.data.id;
const someone = (): string => `p${randomBytes(5).toString('hex')}`;
const claimsOf = (name: string, more: object) => ({
  sub: name,
  email: `${name}@${domain}`,
  email_verified: true,
  ...more,
});
const enter = (name: string, more: object, from = provider): Promise<Person> =>
  signInAt(app, liar, from, claimsOf(name, more));

/** The role of the person, with `*` if a group gave it. */
async function roleOf({ id }: Person): Promise<string | undefined> {
  const { body: members } = await app.as(olga).get(`/organizations/${organization}/members?limit=100`).expect(200);
  const member = members.data.find((each: { user_id: string }) => each.user_id === id);
  return member && `${member.role}${member.via_group === true ? '*' : ''}`;
}

beforeAll(async () => {
  liar = await LyingProvider.start();
  app = await TestApp.open(LOOPBACK_PROVIDERS);
  ada = await app.admin();
});
afterAll(() => Promise.all([app.close(), liar.stop()]));

beforeEach(async () => {
  domain = `d${randomBytes(5).toString('hex')}.test`;
  olga = await app.person('Olga', { email: `olga@${domain}` });
  organization = await app.organization(olga);
  provider = await add();
});

describe('groups at the provider of an organization', () => {
  it('give the highest of their roles, to new accounts and at each sign-in', async () => {
    const name = someone();
    const ann = await enter(name, { groups: ['others', 'staff', 'crew'] });
    expect(await roleOf(ann)).toBe('member*');
    await enter(name, { groups: ['leads'] });
    expect(await roleOf(ann)).toBe('admin*');
    await enter(name, { groups: 'staff' });
    expect(await roleOf(ann)).toBe('guest*');
    const { body: feed } = await app.as(olga).get(`/audit?organization_id=${organization}&action=member.changed`);
    expect(feed.data.map(({ details }: { details: { role: string } }) => details.role)).toEqual(['guest', 'admin']);
  });

  it('take away what they gave, with all that follows from it, and give it again', async () => {
    const name = someone();
    const ann = await enter(name, { groups: ['crew'] });
    const endeavour = await app.endeavour(olga, { organization_id: organization });
    await app.join(endeavour, ann, 'admin');
    await enter(name, { groups: [] });
    expect(await roleOf(ann)).toBeUndefined();
    await app.as(ann).get(`/endeavours/${endeavour}`).expect(404);
    await enter(name, { groups: ['crew'] });
    expect(await roleOf(ann)).toBe('member*');
  });

  it.each<[string, object]>([
    ['is absent', {}],
    ['is cut short, and says where the groups are', { groups: [], _claim_names: { groups: 'src1' } }],
    ['is left out because there are too many', { groups: [], hasgroups: true }],
    ['has things that are no groups', { groups: ['leads', 7] }],
    ['is null', { groups: null }],
  ])('change nothing if the claim %s', async (_, claims) => {
    const name = someone();
    const ann = await enter(name, { groups: ['crew'] });
    await enter(name, claims);
    expect(await roleOf(ann)).toBe('member*');
  });

  it('leave roles that were given by hand, also that of an owner, as they are', async () => {
    const name = someone();
    const ann = await enter(name, {});
    expect(await roleOf(ann)).toBe('member');
    for (const groups of [['leads'], []]) {
      await enter(name, { groups });
      expect(await roleOf(ann)).toBe('member');
    }
    await enter('olga', { groups: ['staff'] });
    expect(await roleOf(olga)).toBe('owner');
    await enter('olga', { groups: [] });
    expect(await roleOf(olga)).toBe('owner');
  });

  it('are the only ones that change what they gave, but anybody may leave', async () => {
    const name = someone();
    const ann = await enter(name, { groups: ['crew'] });
    const path = `/organizations/${organization}/members/${ann.id}`;
    for (const call of [app.as(olga).patch(path).send({ role: 'admin' }), app.as(olga).delete(path)]) {
      expect((await call.expect(409)).body.error.details.reason).toBe('managed');
    }
    const taken = { resource_id: ann.resourceId, role: 'admin' };
    await app.as(olga).post(`/organizations/${organization}/resources`).send(taken).expect(409);
    expect(await roleOf(ann)).toBe('member*');
    await app.as(ann).delete(path).expect(200);
    await enter(name, { groups: ['crew'] });
    // Who left comes back by invitation only.
    expect(await roleOf(ann)).toBeUndefined();
  });

  it('decide nothing at a sign-in where the organization has a directory', async () => {
    const name = someone();
    const ann = await enter(name, { groups: ['crew'] });
    await app.as(olga).post(`/organizations/${organization}/scim-tokens`).send({ name: 'Directory' }).expect(201);
    await enter(name, { groups: ['leads'] });
    expect(await roleOf(ann)).toBe('member*');
    expect(await roleOf(await enter(someone(), { groups: ['leads'] }))).toBe('member');
  });

  it('say nothing about other organizations', async () => {
    const eve = await app.person('Eve');
    const other = await app.organization(eve);
    const foreign = await add({ organization_id: other, domains: [] });
    const name = someone();
    const ann = await enter(name, { groups: ['crew'] });
    const { body: started } = await app
      .as(ann)
      .post(`/auth/oidc/${foreign}/start`)
      .send({ redirect_uri: LOOPBACK_PROVIDERS.OIDC_REDIRECT_URIS })
      .expect(200);
    const { authorization_url: url, flow_token } = started.data;
    const answer = liar.signIn(url, claimsOf(name, { groups: [] }));
    await app
      .as(ann)
      .post('/auth/identities')
      .send({ flow_token, ...answer })
      .expect(201);
    await enter(name, { groups: ['leads'] }, foreign);
    expect(await roleOf(ann)).toBe('member*');
    const { body: me } = await app.as(ann).get('/auth/whoami').expect(200);
    expect(me.data.organizations).toEqual({ [organization]: 'member', [other]: 'admin' });
  });

  it('do not keep anybody from signing in while the organization is archived', async () => {
    const name = someone();
    const ann = await enter(name, { groups: ['crew'] });
    await app.as(olga).post(`/organizations/${organization}/archive`).send({ reason: 'Over' }).expect(200);
    await enter(name, { groups: ['leads'] });
    expect(await roleOf(ann)).toBe('member*');
    await enter(name, { groups: [] });
    expect(await roleOf(ann)).toBeUndefined();
  });

  it('never give the role of an owner, and nothing in the installation', async () => {
    const create = (more: object) =>
      app
        .as(ada)
        .post('/identity-providers')
        .send(body({ domains: [], ...more }));
    const { body: owner } = await create({ group_roles: [{ group: 'a', role: 'owner' }] }).expect(400);
    expect(fieldErrorsOf(owner)).toEqual(['group_roles.0.role invalid_value']);
    const twice = [
      { group: 'a', role: 'guest' },
      { group: 'a', role: 'admin' },
    ];
    const { body: repeated } = await create({ group_roles: twice }).expect(400);
    expect(fieldErrorsOf(repeated)).toEqual(['group_roles.1.group invalid_value']);
    const { body: instance } = await create({ organization_id: undefined, required: true }).expect(400);
    expect(fieldErrorsOf(instance).toSorted()).toEqual([
      'group_roles invalid_value',
      'groups_claim invalid_value',
      'required invalid_value',
    ]);
    const { body: cleared } = await app
      .as(ada)
      .patch(`/identity-providers/${provider}`)
      .send({ group_roles: null, groups_claim: null })
      .expect(200);
    expect(cleared.data).toMatchObject({ group_roles: [], groups_claim: null, required: false });
  });
});
