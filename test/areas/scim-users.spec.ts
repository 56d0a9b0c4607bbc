import { TestDirectory, type ScimResource } from '../support/directory.js';
import { TestApp, type Person } from '../support/test-app.js';

const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

let app: TestApp;
let ada: Person;
let ann: Person;
let directory: TestDirectory;

beforeAll(async () => {
  app = await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000', LIMIT_READS_PER_MINUTE: '100000' });
  ada = await app.admin();
});
afterAll(() => app.close());
beforeEach(async () => {
  ann = await app.person('Ann');
  directory = await TestDirectory.of(app, ann, ada);
});

const rolesOf = async (id: string): Promise<unknown[]> =>
  app.database.query('SELECT organization_id, role, added_by FROM organization_resources WHERE user_id = $1', [id]);
const accountOf = (id: string) =>
  app.database.one<{ name: string; email: string; status: string }>(
    'SELECT name, email, status FROM users WHERE id = $1',
    [id],
  );
const refusal = (status: number, scimType?: string) => ({
  schemas: [ERROR],
  status: String(status),
  detail: expect.any(String),
  ...(scimType !== undefined && { scimType }),
});

describe('adding a person', () => {
  it('makes an account, which is a member, with an answer as RFC 7644 has it', async () => {
    const email = directory.address('pia');
    const { body, headers } = await directory
      .post(
        '/Users',
        directory.user({
          userName: email,
          externalId: 'e-1',
          displayName: 'Pia Park',
          name: { givenName: 'Pia', familyName: 'Park' },
          emails: [{ value: email, type: 'work', primary: true }],
          title: 'not kept',
        }),
      )
      .expect(201);
    expect(body).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      id: expect.stringMatching(/^usr_/),
      userName: email,
      externalId: 'e-1',
      displayName: 'Pia Park',
      name: { givenName: 'Pia', familyName: 'Park' },
      emails: [{ value: email, type: 'work', primary: true }],
      active: true,
      meta: {
        resourceType: 'User',
        created: expect.any(String),
        lastModified: expect.any(String),
        location: expect.stringMatching(new RegExp(`/scim/v2/${directory.organization}/Users/usr_[0-9a-f]{32}$`)),
        version: 'W/"1"',
      },
    });
    expect(headers).toMatchObject({
      'content-type': 'application/scim+json',
      etag: 'W/"1"',
      location: (body as { meta: { location: string } }).meta.location,
      'cache-control': 'no-store',
    });
    expect(await accountOf(body.id)).toEqual({ name: 'Pia Park', email, status: 'active' });
    expect(await rolesOf(body.id)).toEqual([
      { organization_id: directory.organization, role: 'member', added_by: null },
    ]);
    const pia = await app.signInAgain({ id: body.id } as Person);
    const { body: who } = await app.as(pia).get('/auth/whoami').expect(200);
    expect(who.data.organizations).toEqual({ [directory.organization]: 'member' });
    const { body: read } = await directory.get(`/Users/${body.id}`).expect(200);
    expect(read).toEqual(body);
  });

  it('joins a known account without doubling it, and tells the person', async () => {
    const pia = await app.person('Pia', { email: directory.address() });
    const user = await directory.add({ userName: pia.email, displayName: 'Somebody else' });
    expect(user.id).toBe(pia.id);
    expect(await accountOf(pia.id)).toMatchObject({ name: 'Pia' });
    const { body } = await app.as(pia).get('/messages').expect(200);
    expect(body.data[0]).toMatchObject({
      subject: 'You were added to the organization Riverside',
      content: 'The directory of Riverside added you to the organization Riverside as member.',
    });
    await directory.patch(`/Users/${pia.id}`, { op: 'replace', path: 'displayName', value: 'New' }).expect(200);
    expect(await accountOf(pia.id)).toMatchObject({ name: 'Pia' });
    // To be added is no consent, so a provider does not take over the account.
    expect(await rolesOf(pia.id)).toMatchObject([{ added_by: null }]);
  });

  it('keeps the role of somebody who is a member by hand', async () => {
    const pia = await app.person('Pia', { email: directory.address() });
    await app.join(directory.organization, pia, 'admin');
    await directory.add({ userName: pia.email });
    expect(await rolesOf(pia.id)).toMatchObject([{ role: 'admin' }]);
    expect((await app.as(pia).get('/messages').expect(200)).body.data).toEqual([]);
  });

  it('is refused outside of the proved domains of the organization', async () => {
    const other = await TestDirectory.of(app, await app.person('Eve'), ada);
    for (const userName of ['pia@elsewhere.test', other.address(), `pia@sub.${directory.domain}`]) {
      const { body } = await directory.post('/Users', directory.user({ userName })).expect(403);
      expect(body).toEqual(refusal(403));
    }
    const { body: nobody } = await directory.post('/Users', directory.user({ userName: 'pia' })).expect(400);
    expect(nobody).toEqual(refusal(400, 'invalidValue'));
    await directory
      .post('/Users', directory.user({ userName: 'pia', emails: [{ value: directory.address() }] }))
      .expect(201);
  });

  it('is refused twice, without regard to the case of the name', async () => {
    const user = await directory.add();
    const again = directory.user({ userName: String(user.userName).toUpperCase() });
    expect((await directory.post('/Users', again).expect(409)).body).toEqual(refusal(409, 'uniqueness'));
    const same = directory.user({ userName: 'other', emails: [{ value: user.userName }] });
    expect((await directory.post('/Users', same).expect(409)).body).toEqual(refusal(409, 'uniqueness'));
  });

  it('is refused for agents and for closed accounts', async () => {
    const pia = await app.person('Pia', { email: directory.address(), status: 'inactive' });
    await directory.post('/Users', directory.user({ userName: pia.email })).expect(409);
    const robot = await app.person('Robot', { email: directory.address(), userType: 'agent' });
    await directory.post('/Users', directory.user({ userName: robot.email })).expect(403);
  });

  it('of somebody who has left lately is left to an invitation', async () => {
    const pia = await app.person('Pia', { email: directory.address() });
    await app.join(directory.organization, pia, 'member');
    await app.as(pia).delete(`/organizations/${directory.organization}/members/${pia.id}`).expect(200);
    await directory.post('/Users', directory.user({ userName: pia.email })).expect(403);
    expect(await rolesOf(pia.id)).toEqual([]);
    await directory.get(`/Users/${pia.id}`).expect(404);
  });

  it.each([
    ['a password', { password: 'three iron ladders' }],
    ['no name', { userName: '' }],
    ['a name of two lines', { displayName: 'Pia\nPark' }],
    ['a name that is too long', { displayName: 'x'.repeat(501) }],
    ['an address that is none', { emails: [{ value: 'x' }] }],
    ['addresses that are none', { emails: ['x'] }],
    ['too many addresses', { emails: Array.from({ length: 21 }, (_, n) => ({ value: `p${n}@example.com` })) }],
    ['a state that is none', { active: 'perhaps' }],
    ['a name that is a text', { name: 'Pia' }],
    ['an id of a number', { externalId: 7 }],
  ])('is refused with %s', async (_, more) => {
    const { body } = await directory.post('/Users', directory.user(more)).expect(400);
    expect(body).toEqual(refusal(400, 'invalidValue'));
  });

  it('needs JSON, of either type', async () => {
    const path = '/Users';
    const { body: text, headers } = await directory.send('post', path, directory.user(), 'text/plain').expect(415);
    expect(text).toEqual(refusal(415));
    expect(headers['content-type']).toBe('application/scim+json');
    const { body: list } = await directory.send('post', path, []).expect(400);
    expect(list).toEqual(refusal(400, 'invalidSyntax'));
    await directory.send('post', path, directory.user(), 'application/json; charset=utf-8').expect(201);
  });
});

describe('the people of one organization', () => {
  it('are not visible to the directory of another, not even with the same person', async () => {
    const other = await TestDirectory.of(app, await app.person('Eve'), ada);
    const user = await directory.add();
    await other.get(`/Users/${user.id}`).expect(404);
    await other.patch(`/Users/${user.id}`, { op: 'replace', path: 'active', value: false }).expect(404);
    await other.put(`/Users/${user.id}`, other.user()).expect(404);
    await other.delete(`/Users/${user.id}`).expect(404);
    expect((await other.get('/Users').expect(200)).body).toMatchObject({ totalResults: 0, Resources: [] });
    expect(await accountOf(user.id)).toMatchObject({ status: 'active' });
    await directory.get('/Users/x').expect(404);
    await directory.get(`/Users/${ann.id}`).expect(404);
  });

  it('are listed in pages', async () => {
    const users: string[] = [];
    for (let n = 0; n < 3; n += 1) users.push((await directory.add()).id);
    const page = async (query: string) => (await directory.get(`/Users?${query}`).expect(200)).body;
    const ids = ({ Resources }: { Resources: ScimResource[] }) => Resources.map(({ id }) => id);
    expect(await page('')).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 3,
      startIndex: 1,
      itemsPerPage: 3,
    });
    expect(ids(await page('startIndex=2&count=1'))).toEqual([users[1]]);
    expect(ids(await page('startIndex=-5&count=2'))).toEqual(users.slice(0, 2));
    expect(await page('count=0')).toMatchObject({ totalResults: 3, itemsPerPage: 0, Resources: [] });
    expect(await page('startIndex=9')).toMatchObject({ totalResults: 3, startIndex: 9, Resources: [] });
    expect(await page('count=1000')).toMatchObject({ itemsPerPage: 3 });
    await directory.get('/Users?count=x').expect(400);
  });

  it('are shown with the attributes that are asked for', async () => {
    const user = await directory.add({ displayName: 'Pia', name: { givenName: 'Pia', familyName: 'Park' } });
    const { body } = await directory.get(`/Users/${user.id}?attributes=userName,name.givenName`).expect(200);
    expect(body).toEqual({
      schemas: user.schemas,
      id: user.id,
      userName: user.userName,
      name: { givenName: 'Pia' },
    });
    const { body: rest } = await directory.get('/Users?excludedAttributes=name,meta,id,userName').expect(200);
    expect(rest.Resources).toEqual([{ schemas: user.schemas, id: user.id, displayName: 'Pia', active: true }]);
    await directory.get('/Users?attributes=userName&excludedAttributes=name').expect(400);
  });
});

describe('changes of a person', () => {
  let user: ScimResource;
  beforeEach(async () => {
    user = await directory.add({ displayName: 'Pia Park' });
  });

  const patched = async (...operations: { op: string; path?: string; value?: unknown }[]) =>
    (await directory.patch(`/Users/${user.id}`, ...operations).expect(200)).body;

  it('replace the whole record, and the same again changes nothing', async () => {
    const body = directory.user({ userName: String(user.userName), externalId: 'e-7', name: { familyName: 'Park' } });
    const { body: changed } = await directory.put(`/Users/${user.id}`, body).expect(200);
    expect(changed).toMatchObject({ externalId: 'e-7', name: { familyName: 'Park' }, meta: { version: 'W/"2"' } });
    expect(changed).not.toHaveProperty('displayName');
    const events = () => app.count('events');
    const before = await events();
    const { body: again } = await directory.put(`/Users/${user.id}`, body).expect(200);
    expect(again).toEqual(changed);
    expect(await events()).toBe(before);
  });

  it('in the dialect of Okta: an object without a path', async () => {
    expect(await patched({ op: 'replace', value: { active: true, displayName: 'Pia P.', id: user.id } })).toMatchObject(
      {
        displayName: 'Pia P.',
      },
    );
  });

  it('in the dialect of Entra ID: capitals, texts for booleans, paths as names, an add that creates', async () => {
    const changed = await patched(
      { op: 'Replace', path: 'active', value: 'True' },
      { op: 'Add', path: 'emails[type eq "work"].value', value: directory.address('new') },
      { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'Gardens' },
      { op: 'Replace', path: 'title', value: 'Head' },
      {
        op: 'Add',
        value: { 'name.givenName': 'Pia', 'urn:ietf:params:scim:schemas:core:2.0:User:name.familyName': 'Park' },
      },
    );
    expect(changed).toMatchObject({
      active: true,
      emails: [{ type: 'work', value: directory.address('new') }],
      name: { givenName: 'Pia', familyName: 'Park' },
    });
    expect(JSON.stringify(changed)).not.toMatch(/Gardens|Head/);
  });

  it('of addresses add, complete, replace and remove elements', async () => {
    const [one, two] = [directory.address('one'), directory.address('two')];
    const at = 'emails';
    expect(await patched({ op: 'add', path: at, value: [{ value: one, type: 'work', primary: true }] })).toMatchObject({
      emails: [{ value: one, type: 'work', primary: true }],
    });
    expect(await patched({ op: 'add', path: at, value: { value: two, type: 'home', primary: true } })).toMatchObject({
      emails: [
        { value: one, primary: false },
        { value: two, primary: true },
      ],
    });
    expect(await patched({ op: 'replace', path: `${at}[value eq "${one}"].type`, value: 'other' })).toMatchObject({
      emails: [{ value: one, type: 'other' }, { value: two }],
    });
    expect((await patched({ op: 'remove', path: `${at}[type eq "home" or value sw "x"]` })).emails).toHaveLength(1);
    const { body: none } = await directory
      .patch(`/Users/${user.id}`, { op: 'replace', path: `${at}[type eq "home"].value`, value: two })
      .expect(400);
    expect(none).toEqual(refusal(400, 'noTarget'));
    expect(await patched({ op: 'remove', path: at })).not.toHaveProperty('emails');
  });

  it.each([
    [{ op: 'move', path: 'displayName', value: 'x' }, 'invalidSyntax'],
    [{ op: 'remove' }, 'noTarget'],
    [{ op: 'add', value: 'x' }, 'invalidValue'],
    [{ op: 'replace', path: 'displayName' }, 'invalidValue'],
    [{ op: 'replace', path: 'emails[type eq]', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', path: 'display name', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', path: 'displayName.first', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', path: 'id', value: 'usr_1' }, 'mutability'],
    [{ op: 'remove', path: 'userName' }, 'mutability'],
    [{ op: 'remove', path: 'active' }, 'mutability'],
    [{ op: 'replace', path: 'userName', value: '' }, 'invalidValue'],
    [{ op: 'add', path: 'password', value: 'three iron ladders' }, 'invalidValue'],
    [{ op: 'add', value: { password: 'three iron ladders' } }, 'invalidValue'],
  ])('are refused whole: %j is %s', async (operation, scimType) => {
    const { body } = await directory
      .patch(`/Users/${user.id}`, { op: 'replace', path: 'externalId', value: 'e-9' }, operation)
      .expect(400);
    expect(body).toEqual(refusal(400, scimType));
    expect((await directory.get(`/Users/${user.id}`).expect(200)).body).toEqual(user);
  });

  it('need the version of If-Match, and reads with the present one are 304', async () => {
    const version = 'W/"1"';
    await directory.get(`/Users/${user.id}`).set('If-None-Match', version).expect(304);
    const change = { op: 'replace', path: 'displayName', value: 'New' };
    await directory.patch(`/Users/${user.id}`, change).set('If-Match', version).expect(200);
    const { body } = await directory.patch(`/Users/${user.id}`, change).set('If-Match', version).expect(412);
    expect(body).toEqual(refusal(412));
    await directory.put(`/Users/${user.id}`, directory.user()).set('If-Match', version).expect(412);
    await directory.delete(`/Users/${user.id}`).set('If-Match', version).expect(412);
    await directory.get(`/Users/${user.id}`).set('If-None-Match', version).expect(200);
    await directory.delete(`/Users/${user.id}`).set('If-Match', '"2"').expect(204);
  });

  it('reach an account that the organization made: its name and address, with a mail to both', async () => {
    const [before, after] = [String(user.userName), directory.address()];
    await patched({ op: 'replace', value: { userName: after, displayName: 'Pia Moss' } });
    expect(await accountOf(user.id)).toEqual({ name: 'Pia Moss', email: after, status: 'active' });
    expect((await app.mail(before)).map(({ subject }) => subject)).toContain('Your e-mail address was changed');
    expect((await app.mail(after)).map(({ subject }) => subject)).toContain('Your account uses this e-mail address');
    const { body: outside } = await directory
      .patch(`/Users/${user.id}`, { op: 'replace', path: 'userName', value: 'pia@elsewhere.test' })
      .expect(403);
    expect(outside).toEqual(refusal(403));
    const taken = await app.person('Other', { email: directory.address() });
    const { body } = await directory
      .patch(`/Users/${user.id}`, { op: 'replace', path: 'userName', value: taken.email })
      .expect(409);
    expect(body).toEqual(refusal(409, 'uniqueness'));
    expect(await accountOf(user.id)).toMatchObject({ email: after });
  });

  it('do not reach the account of an administrator of the service', async () => {
    const before = await accountOf(user.id);
    await app.database.query('UPDATE users SET is_admin = true WHERE id = $1', [user.id]);
    const changed = await patched({ op: 'replace', value: { userName: directory.address(), displayName: 'Pia Moss' } });
    expect(changed).toMatchObject({ displayName: 'Pia Moss' });
    expect(await accountOf(user.id)).toEqual(before);
  });

  it('end with the proof of the domain, except for dismissals', async () => {
    const domains = `/organizations/${directory.organization}/domains`;
    const { body } = await app.as(ann).get(domains).expect(200);
    await app.as(ann).delete(`${domains}/${body.data[0].id}`).expect(200);
    await directory.patch(`/Users/${user.id}`, { op: 'replace', path: 'displayName', value: 'X' }).expect(403);
    await directory.patch(`/Users/${user.id}`, { op: 'replace', path: 'active', value: false }).expect(200);
    await directory.patch(`/Users/${user.id}`, { op: 'replace', path: 'active', value: true }).expect(403);
  });
});

describe('the interface', () => {
  it('says what it can do', async () => {
    const { body: config } = await directory.get('/ServiceProviderConfig').expect(200);
    expect(config).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 200 },
      changePassword: { supported: false },
      etag: { supported: true },
      authenticationSchemes: [{ type: 'oauthbearertoken' }],
    });
    const { body: types } = await directory.get('/ResourceTypes').expect(200);
    expect(types.Resources.map(({ id }: ScimResource) => id)).toEqual(['User', 'Group']);
    const { body: schemas } = await directory.get('/Schemas').expect(200);
    for (const { id } of schemas.Resources) {
      const { body } = await directory.get(`/Schemas/${id}`).expect(200);
      expect(body).toMatchObject({ id, attributes: expect.any(Array) });
    }
    await directory.get('/ResourceTypes/User').expect(200);
    await directory.get('/ResourceTypes/Robot').expect(404);
    await directory.get('/Schemas?filter=id%20eq%20%22x%22').expect(403);
  });

  it('declares exactly the attributes that a person has', async () => {
    const email = directory.address();
    const full = await directory.add({
      externalId: 'e',
      displayName: 'Pia',
      name: { formatted: 'Pia Park', givenName: 'Pia', familyName: 'Park' },
      emails: [{ value: email, type: 'work', primary: true }],
    });
    const { body } = await directory.get('/Schemas/urn:ietf:params:scim:schemas:core:2.0:User').expect(200);
    interface Declared {
      name: string;
      subAttributes?: Declared[];
    }
    const names = body.attributes.map(({ name }: Declared) => name);
    expect(Object.keys(full).toSorted()).toEqual([...names, 'id', 'meta', 'schemas'].toSorted());
    const partsOf = (attribute: string): string[] =>
      body.attributes.find(({ name }: Declared) => name === attribute).subAttributes.map(({ name }: Declared) => name);
    expect(Object.keys(full.name as object).toSorted()).toEqual(partsOf('name').toSorted());
    expect(Object.keys((full.emails as object[])[0]).toSorted()).toEqual(partsOf('emails').toSorted());
  });

  it('has no bulk operations, and refuses methods and paths that it has not', async () => {
    expect((await directory.post('/Bulk', {}).expect(501)).body).toEqual(refusal(501));
    await directory.get('/Me').expect(501);
    await directory.post('/.search', {}).expect(501);
    const { body, headers } = await directory.delete('/Users').expect(405);
    expect(body).toEqual(refusal(405));
    expect(headers.allow).toBe('GET, POST');
    await directory.post('/Schemas', {}).expect(405);
    expect((await directory.get('/Robots').expect(404)).body).toEqual(refusal(404));
    expect((await directory.with({ token: '' }).get('/Robots').expect(401)).body).toEqual(refusal(401));
  });

  it('is limited for each directory', async () => {
    const slow = await TestApp.open({ LIMIT_READS_PER_MINUTE: '3', LIMIT_WRITES_PER_MINUTE: '100' });
    const limited = await TestDirectory.of(slow, await slow.person('Ann'), await slow.admin());
    const answers: number[] = [];
    for (let n = 0; n < 4; n += 1) answers.push((await limited.get('/Users')).status);
    expect(answers).toEqual([200, 200, 200, 429]);
    const { body, headers } = await limited.get('/Users').expect(429);
    expect(body).toEqual(refusal(429));
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    await slow.close();
  });
});
