import { TestDirectory, type ScimOperation, type ScimResource } from '../support/directory.js';
import { TestApp, type Person } from '../support/test-app.js';

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

const accountOf = (id: string) =>
  app.database.one<{ name: string; email: string; status: string }>(
    'SELECT name, email, status FROM users WHERE id = $1',
    [id],
  );
const statusOf = async (id: string): Promise<string | undefined> => (await accountOf(id))?.status;
const roleOf = async (id: string, organization = directory.organization): Promise<string | undefined> =>
  (
    await app.database.one<{ role: string }>(
      'SELECT role FROM organization_resources WHERE user_id = $1 AND organization_id = $2',
      [id, organization],
    )
  )?.role;
const resourceOf = async (user: string): Promise<string> =>
  (await app.database.one<{ id: string }>('SELECT resource_id AS id FROM users WHERE id = $1', [user]))?.id ?? '';
const patch = (id: string, ...operations: ScimOperation[]) => directory.patch(`/Users/${id}`, ...operations);
const setActive = (id: string, value: boolean, expected = 200) =>
  patch(id, { op: 'replace', path: 'active', value }).expect(expected);
const rename = (id: string) =>
  patch(id, { op: 'replace', value: { userName: directory.address(), displayName: 'Somebody else' } }).expect(200);
const setStatus = (id: string, status: string) => app.as(ada).patch(`/users/${id}`).send({ status }).expect(200);
const team = async (organization: string, owner = ann): Promise<string> => {
  const body = { name: 'Gardeners', type: 'team', organization_id: organization };
  return (await app.as(owner).post('/resources').send(body).expect(201)).body.data.id;
};
const teamsOf = async (user: string): Promise<string[]> => {
  const rows = await app.database.query<{ id: string }>(
    'SELECT m.team_id AS id FROM team_members m JOIN users u ON u.resource_id = m.resource_id WHERE u.id = $1',
    [user],
  );
  return rows.map(({ id }) => id);
};

describe('the name and address of an account', () => {
  it('do not follow the directory once its owner has another address', async () => {
    const user = await directory.add({ displayName: 'Pia Park' });
    await app.database.query('UPDATE users SET email = $2 WHERE id = $1', [user.id, `pia.${user.id}@home.example`]);
    const before = await accountOf(user.id);
    await rename(user.id);
    expect(await accountOf(user.id)).toEqual(before);
  });

  it('do not follow the directory that made it once another organization has proved the domain of its address', async () => {
    const other = await TestDirectory.of(app, await app.person('Eve'), ada);
    const user = await directory.add({ displayName: 'Pia Park' });
    const moved = other.address();
    await app.database.query('UPDATE users SET email = $2 WHERE id = $1', [user.id, moved]);
    await rename(user.id);
    const joined = await other.add({ userName: moved });
    expect(joined.id).toBe(user.id);
    const change = { op: 'replace', value: { userName: other.address(), displayName: 'Somebody else' } };
    await other.patch(`/Users/${user.id}`, change).expect(200);
    expect(await accountOf(user.id)).toEqual({ name: 'Pia Park', email: moved, status: 'active' });
  });

  it('do not follow the directory once the account was closed', async () => {
    const user = await directory.add({ displayName: 'Pia Park' });
    await setStatus(user.id, 'inactive');
    const before = await accountOf(user.id);
    await rename(user.id);
    expect(await accountOf(user.id)).toEqual(before);
  });

  it('are cut between characters', async () => {
    const name = { givenName: '🌱'.repeat(300), familyName: '🌳'.repeat(300) };
    const user = await directory.add({ name });
    const shown = Array.from((await accountOf(user.id))?.name ?? '');
    expect([shown.length, shown.slice(298, 303), shown.at(-1)]).toEqual([500, ['🌱', '🌱', ' ', '🌳', '🌳'], '…']);
  });
});

describe('the status of an account', () => {
  it('stays closed, whatever the directory says', async () => {
    const pia = await directory.add();
    await setActive(pia.id, false);
    await setStatus(pia.id, 'inactive');
    const { body } = await setActive(pia.id, true, 409);
    expect(body).toMatchObject({ status: '409', scimType: 'uniqueness' });
    expect([await statusOf(pia.id), await roleOf(pia.id)]).toEqual(['inactive', undefined]);
  });

  it('stays suspended by an administrator after a return that the directory has decided', async () => {
    const pia = await directory.add();
    await setActive(pia.id, false);
    await setActive(pia.id, true);
    await setStatus(pia.id, 'suspended');
    await setActive(pia.id, false);
    await setActive(pia.id, true);
    expect([await statusOf(pia.id), await roleOf(pia.id)]).toEqual(['suspended', 'member']);
  });

  it('stays suspended by an administrator who has lifted the suspension by the directory before', async () => {
    const pia = await directory.add();
    await setActive(pia.id, false);
    expect(await statusOf(pia.id)).toBe('suspended');
    await setStatus(pia.id, 'active');
    await setStatus(pia.id, 'suspended');
    await setActive(pia.id, true);
    expect(await statusOf(pia.id)).toBe('suspended');
  });

  it('stays suspended if the person has become an administrator of the service meanwhile', async () => {
    const pia = await directory.add();
    await setActive(pia.id, false);
    await app.database.query('UPDATE users SET is_admin = true WHERE id = $1', [pia.id]);
    await setActive(pia.id, true);
    expect(await statusOf(pia.id)).toBe('suspended');
  });

  it('is that of a new account, after the old one with the address was erased', async () => {
    const pia = await directory.add();
    await app.as(ada).delete(`/users/${pia.id}?erase=now`).expect(200);
    await app.service.runJobs();
    await directory.get(`/Users/${pia.id}`).expect(404);
    const next = await directory.add({ userName: String(pia.userName) });
    expect(next.id).not.toBe(pia.id);
    expect([await roleOf(pia.id), await roleOf(next.id)]).toEqual([undefined, 'member']);
  });
});

describe('somebody whom the directory has dismissed', () => {
  /** A person with an account of their own, who can be invited while the directory says no. */
  const member = async (): Promise<Person> => {
    const pia = await app.person('Pia', { email: directory.address() });
    await directory.add({ userName: pia.email });
    return pia;
  };
  const invite = async (role: string): Promise<string> => {
    const body = { organization_id: directory.organization, role };
    return (await app.as(ann).post('/invitations').send(body).expect(201)).body.data.token;
  };
  const accept = async (person: Person, token: string) =>
    app
      .as(await app.signInAgain(person))
      .post('/invitations/accept')
      .send({ token });

  it('does not come back by an invitation that was open before', async () => {
    const pia = await member();
    const token = await invite('admin');
    await setActive(pia.id, false);
    const refused = await accept(pia, token);
    expect([refused.status, await roleOf(pia.id)]).toEqual([400, undefined]);
  });

  it('is dismissed again after a later invitation, by the same request', async () => {
    const pia = await member();
    await setActive(pia.id, false);
    expect((await accept(pia, await invite('member'))).status).toBe(200);
    expect(await roleOf(pia.id)).toBe('member');
    const { body } = await setActive(pia.id, false);
    expect([body.active, await roleOf(pia.id)]).toEqual([false, undefined]);
    const events = await app.count('events');
    await setActive(pia.id, false);
    expect(await app.count('events')).toBe(events);
  });

  it('gets nothing back that ended by hand since', async () => {
    const pia = await member();
    const at = `/organizations/${directory.organization}/members/${pia.id}`;
    await app.as(ann).patch(at).send({ role: 'admin' }).expect(200);
    await setActive(pia.id, false);
    expect((await accept(pia, await invite('guest'))).status).toBe(200);
    await app.as(ann).delete(at).expect(200);
    await setActive(pia.id, true);
    expect(await roleOf(pia.id)).toBe('member');
  });

  it('keeps the role that somebody gave meanwhile, and gets the former one never', async () => {
    const pia = await member();
    const at = `/organizations/${directory.organization}/members/${pia.id}`;
    await app.as(ann).patch(at).send({ role: 'admin' }).expect(200);
    await setActive(pia.id, false);
    expect((await accept(pia, await invite('guest'))).status).toBe(200);
    await setActive(pia.id, true);
    expect(await roleOf(pia.id)).toBe('guest');
    await app.as(ann).delete(at).expect(200);
    await setActive(pia.id, true);
    expect(await roleOf(pia.id)).toBe('member');
  });

  it('is reported once as the last owner, and leaves as soon as there is another', async () => {
    const olga = await member();
    await app
      .as(ann)
      .patch(`/organizations/${directory.organization}/members/${olga.id}`)
      .send({ role: 'owner' })
      .expect(200);
    await app.as(olga).delete(`/organizations/${directory.organization}/members/${ann.id}`).expect(200);
    const told = async () =>
      (await app.mail(ada.email)).filter(({ subject }) => subject.startsWith('The last owner')).length;
    await setActive(olga.id, false);
    await setActive(olga.id, false);
    expect([await told(), await roleOf(olga.id)]).toEqual([1, 'owner']);
    await app.join(directory.organization, await app.person('Next'), 'owner');
    await setActive(olga.id, false);
    expect([await told(), await roleOf(olga.id)]).toEqual([1, undefined]);
  });
});

describe('a team that moves to another organization', () => {
  it('gets no member from the directory of its former home, and is kept by hand', async () => {
    const eve = await app.person('Eve');
    const other = await app.organization(eve);
    const pia = await directory.add();
    await app.join(other, { ...eve, id: pia.id, resourceId: await resourceOf(pia.id) }, 'member');
    await app.join(other, ann, 'admin');
    const group = await directory.addGroup('Planters', [pia.id]);
    const byHand = await team(directory.organization);
    const resource = await resourceOf(pia.id);
    await app.as(ann).post(`/resources/${byHand}/members`).send({ resource_id: resource }).expect(201);
    expect((await teamsOf(pia.id)).toSorted()).toEqual([group.id, byHand].toSorted());
    await setActive(pia.id, false);
    expect(await teamsOf(pia.id)).toEqual([]);
    for (const id of [group.id, byHand]) {
      await app.as(ann).post(`/resources/${id}/transfer`).send({ organization_id: other }).expect(200);
    }
    await setActive(pia.id, true);
    expect(await teamsOf(pia.id)).toEqual([]);
    await directory.get(`/Groups/${group.id}`).expect(404);
    await directory.patch(`/Groups/${group.id}`, { op: 'replace', path: 'displayName', value: 'Mine' }).expect(404);
    await app.as(eve).post(`/resources/${group.id}/members`).send({ resource_id: resource }).expect(201);
  });
});

describe('roles by groups', () => {
  const setGroupRoles = async (group_roles: object[]): Promise<void> => {
    const { body } = await app.as(ann).get('/identity-providers').expect(200);
    await app.as(ann).patch(`/identity-providers/${body.data[0].id}`).send({ group_roles }).expect(200);
  };

  it('end with a group whose team was deleted by hand, and with the rule', async () => {
    await setGroupRoles([{ group: 'Leads', role: 'admin' }]);
    const [pia, max] = [await directory.add(), await directory.add()];
    const leads = await directory.addGroup('Leads', [pia.id, max.id]);
    expect(await roleOf(pia.id)).toBe('admin');
    await app.as(ann).delete(`/resources/${leads.id}`).expect(200);
    await setActive(pia.id, false);
    await setActive(pia.id, true);
    expect(await roleOf(pia.id)).toBe('member');
    await setGroupRoles([]);
    await directory.addGroup('Others', [max.id]);
    expect(await roleOf(max.id)).toBe('member');
  });
});

describe('who takes over the work', () => {
  const heir = async () =>
    (await app.as(ann).get(`/organizations/${directory.organization}`).expect(200)).body.data.scim_reassign_to;
  const setHeir = (value: string) =>
    app.as(ann).patch(`/organizations/${directory.organization}`).send({ scim_reassign_to: value }).expect(200);

  it('is nobody once the team is deleted, the person has left, or the account is erased', async () => {
    const garden = await app.endeavour(ann, { organization_id: directory.organization });
    const gone = await team(directory.organization);
    await setHeir(gone);
    expect(await heir()).toBe(gone);
    await app.as(ann).delete(`/resources/${gone}`).expect(200);
    expect(await heir()).toBeNull();

    const [ivy, max] = [await app.person('Ivy'), await app.person('Max')];
    for (const person of [ivy, max]) await app.join(directory.organization, person, 'member');
    await setHeir(ivy.id);
    await app.as(ivy).delete(`/organizations/${directory.organization}/members/${ivy.id}`).expect(200);
    expect(await heir()).toBeNull();
    await setHeir(max.id);
    await app.as(ada).delete(`/users/${max.id}?erase=now`).expect(200);
    await app.service.runJobs();
    expect(await heir()).toBeNull();

    const pia = await directory.add();
    const task = await app.task(ann, garden, { assignee_id: await resourceOf(pia.id) });
    await setActive(pia.id, false);
    const { body } = await app.as(ann).get(`/tasks/${task}`).expect(200);
    expect(body.data.assignee_id).toBe(await resourceOf(pia.id));
  });

  it('is not the person who leaves', async () => {
    const garden = await app.endeavour(ann, { organization_id: directory.organization });
    const pia = await directory.add();
    await setHeir(pia.id);
    const task = await app.task(ann, garden, { assignee_id: await resourceOf(pia.id) });
    const { body } = await setActive(pia.id, false);
    expect(JSON.stringify(body)).toContain(task);
    expect(await heir()).toBeNull();
  });
});

describe('requests at the same time', () => {
  it('add a person once', async () => {
    const userName = directory.address();
    const answers = await Promise.all([1, 2, 3, 4].map(() => directory.post('/Users', directory.user({ userName }))));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409]);
    const rows = await app.database.query('SELECT 1 FROM users WHERE email = $1', [userName]);
    expect(rows).toHaveLength(1);
  });

  it('lose no member of a group', async () => {
    const users: string[] = [];
    for (let n = 0; n < 6; n += 1) users.push((await directory.add()).id);
    const { id } = await directory.addGroup('Planters');
    const answers = await Promise.all(
      users.map((value) => directory.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: [{ value }] })),
    );
    expect(answers.map(({ status }) => status)).toEqual(users.map(() => 200));
    const { body } = await directory.get(`/Groups/${id}`).expect(200);
    expect(body.members.map(({ value }: { value: string }) => value).toSorted()).toEqual(users.toSorted());
  });
});

describe('a request that costs too much', () => {
  let user: ScimResource;
  beforeEach(async () => {
    user = await directory.add();
  });

  const refused = async (path: string, scimType: string, ...operations: ScimOperation[]): Promise<void> => {
    const { body } = await directory.patch(path, ...operations).expect(400);
    expect(body).toMatchObject({ status: '400', scimType, detail: expect.any(String) });
  };
  const addresses = (count: number) => Array.from({ length: count }, (_, n) => ({ value: `p${n}@example.com` }));
  const often = (op: ScimOperation, times: number) => Array.from({ length: times }, () => op);

  it('is one with 101 addresses, at once or one after the other', async () => {
    const add = (value: unknown) => ({ op: 'add', path: 'emails', value });
    await refused(`/Users/${user.id}`, 'invalidValue', add(addresses(101)));
    await refused(`/Users/${user.id}`, 'invalidValue', ...addresses(101).map(add));
  });

  it('is one with too many operations, attributes or comparisons', async () => {
    const path = `/Users/${user.id}`;
    const externalId = { op: 'replace', path: 'externalId', value: 'x' };
    await refused(path, 'invalidSyntax', ...often(externalId, 1_001));
    const value = Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`a${n}`, 1]));
    await refused(path, 'invalidSyntax', ...often({ op: 'add', value }, 7));
    await refused(path, 'invalidSyntax', {
      op: 'add',
      value: { ...value, ...Object.fromEntries(Object.keys(value).map((key) => [`b${key}`, 1])) },
    });
    const filter = Array.from({ length: 50 }, (_, n) => `type eq "${n}"`).join(' or ');
    const remove = { op: 'remove', path: `emails[${filter}]` };
    await refused(path, 'tooMany', { op: 'add', path: 'emails', value: addresses(50) }, ...often(remove, 50));
    const long = { op: 'add', path: 'emails', value: [{ value: 'x'.repeat(1_001) }] };
    await refused(path, 'invalidValue', long);
    await refused(path, 'tooMany', ...often({ op: 'remove', path: `title[value eq "${'x'.repeat(200)}"]` }, 500));
    expect((await directory.get(path).expect(200)).body).toEqual(user);
  });

  it('is one with too many comparisons of members, unless the filter names them', async () => {
    const { id } = await directory.addGroup('Planters', [user.id]);
    const by = (attribute: string) => Array.from({ length: 49 }, (_, n) => `${attribute} eq "${n}"`).join(' or ');
    const members = Array.from({ length: 50 }, (_, n) => ({ value: `usr_${n}` }));
    const add = { op: 'add', path: 'members', value: members };
    await refused(`/Groups/${id}`, 'tooMany', add, ...often({ op: 'remove', path: `members[${by('display')}]` }, 50));
    const named = { op: 'remove', path: `members[${by('value')} or value eq "${user.id}"]` };
    const { body } = await directory.patch(`/Groups/${id}`, ...often(named, 50)).expect(200);
    expect(body.members).toEqual([]);
  });
});
