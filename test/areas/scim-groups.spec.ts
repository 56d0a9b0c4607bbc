import { TestDirectory } from '../support/directory.js';
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

const teamOf = async (id: string) => (await app.as(ann).get(`/resources/${id}`).expect(200)).body.data;
const resourceOf = async (user: string): Promise<string> =>
  (await app.database.one<{ id: string }>('SELECT resource_id AS id FROM users WHERE id = $1', [user]))?.id ?? '';
/** The users in the team. */
const membersOf = async (id: string): Promise<string[]> => {
  const rows = await app.database.query<{ id: string }>(
    `SELECT u.id FROM team_members m JOIN users u ON u.resource_id = m.resource_id WHERE m.team_id = $1 ORDER BY u.id`,
    [id],
  );
  return rows.map(({ id: user }) => user);
};
const people = async (count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push((await directory.add()).id);
  return ids;
};
const change = (id: string, ...operations: { op: string; path?: string; value?: unknown }[]) =>
  directory.patch(`/Groups/${id}`, ...operations).expect(200);

describe('a group', () => {
  it('is a team of the organization, with an answer as RFC 7644 has it', async () => {
    const [pia] = await people(1);
    const sent = { displayName: 'Gardeners', externalId: 'g-1', members: [{ value: pia }] };
    const { body, headers } = await directory.post('/Groups', sent).expect(201);
    const at = new RegExp(`/scim/v2/${directory.organization}/Groups/${body.id}$`);
    expect(body).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      id: expect.stringMatching(/^res_/),
      displayName: 'Gardeners',
      externalId: 'g-1',
      members: [
        { value: pia, display: expect.any(String), type: 'User', $ref: expect.stringContaining(`/Users/${pia}`) },
      ],
      meta: {
        resourceType: 'Group',
        created: expect.any(String),
        lastModified: expect.any(String),
        location: expect.stringMatching(at),
        version: 'W/"1"',
      },
    });
    expect(headers.etag).toBe('W/"1"');
    expect(await teamOf(body.id)).toMatchObject({
      name: 'Gardeners',
      type: 'team',
      organizations: [{ id: directory.organization }],
    });
    expect(await membersOf(body.id)).toEqual([pia]);
    expect((await directory.get(`/Groups/${body.id}`).expect(200)).body).toEqual(body);
    const { body: schema } = await directory.get(`/Schemas/${body.schemas[0]}`).expect(200);
    const { subAttributes } = schema.attributes.find(({ name }: { name: string }) => name === 'members');
    const declared = subAttributes.map(({ name }: { name: string }) => name);
    expect(declared.toSorted()).toEqual(Object.keys(body.members[0]).toSorted());
    const { body: without } = await directory.get(`/Groups/${body.id}?excludedAttributes=members`).expect(200);
    expect(without).not.toHaveProperty('members');
  });

  it('changes in the dialects of Entra ID and Okta, and the same again changes nothing', async () => {
    const [pia, max, zoe] = await people(3);
    const { id } = await directory.addGroup('Gardeners');
    const members = (...users: string[]) => users.map((value) => ({ value }));
    await change(id, { op: 'Add', path: 'members', value: members(pia, max) });
    expect(await membersOf(id)).toEqual([pia, max].toSorted());
    await change(id, { op: 'Remove', path: 'members', value: members(pia) });
    expect(await membersOf(id)).toEqual([max]);
    await change(id, { op: 'replace', path: 'members', value: members(pia, zoe) });
    expect(await membersOf(id)).toEqual([pia, zoe].toSorted());
    await change(id, { op: 'remove', path: `members[value eq "${zoe}"]` });
    expect(await membersOf(id)).toEqual([pia]);
    const { body: renamed } = await change(id, { op: 'replace', value: { id, displayName: 'Growers' } });
    expect(renamed.displayName).toBe('Growers');
    expect(await teamOf(id)).toMatchObject({ name: 'Growers' });
    const events = await app.count('events');
    await change(
      id,
      { op: 'add', path: 'members', value: members(pia) },
      { op: 'replace', path: 'displayName', value: 'Growers' },
    );
    const whole = { displayName: 'Growers', members: members(pia) };
    await directory.put(`/Groups/${id}`, whole).expect(200);
    expect(await app.count('events')).toBe(events);
    await directory.put(`/Groups/${id}`, { ...whole, members: [] }).expect(200);
    expect(await membersOf(id)).toEqual([]);
  });

  it('has only people whom the directory has added', async () => {
    const other = await TestDirectory.of(app, await app.person('Eve'), ada);
    const stranger = (await other.add()).id;
    const { id } = await directory.addGroup('Gardeners');
    for (const value of [stranger, ann.id, 'x']) {
      const { body } = await directory
        .patch(`/Groups/${id}`, { op: 'add', path: 'members', value: [{ value }] })
        .expect(400);
      expect(body.scimType).toBe('invalidValue');
    }
    await other.get(`/Groups/${id}`).expect(404);
    await other.put(`/Groups/${id}`, { displayName: 'Mine' }).expect(404);
    await other.patch(`/Groups/${id}`, { op: 'replace', path: 'displayName', value: 'Mine' }).expect(404);
    await other.delete(`/Groups/${id}`).expect(404);
    expect((await other.get('/Groups').expect(200)).body.totalResults).toBe(0);
    expect(await membersOf(id)).toEqual([]);
  });

  it('keeps its members: they are not added and removed by hand', async () => {
    const [pia] = await people(1);
    const { id } = await directory.addGroup('Gardeners', [pia]);
    const at = `/resources/${id}/members`;
    const added = await app.as(ann).post(at).send({ resource_id: ann.id }).expect(409);
    const removed = await app
      .as(ann)
      .delete(`${at}/${await resourceOf(pia)}`)
      .expect(409);
    for (const { body } of [added, removed]) expect(body.error.details.reason).toBe('managed');
    expect(await membersOf(id)).toEqual([pia]);
  });

  it('loses whom the directory dismisses, and has them back with the return', async () => {
    const [pia, max] = await people(2);
    const { id } = await directory.addGroup('Gardeners', [pia, max]);
    const switchTo = (value: boolean) =>
      directory.patch(`/Users/${pia}`, { op: 'replace', path: 'active', value }).expect(200);
    await switchTo(false);
    expect(await membersOf(id)).toEqual([max]);
    expect((await directory.get(`/Groups/${id}`).expect(200)).body.members).toHaveLength(2);
    await switchTo(true);
    expect(await membersOf(id)).toEqual([pia, max].toSorted());
    await directory.delete(`/Users/${pia}`).expect(204);
    expect((await directory.get(`/Groups/${id}`).expect(200)).body.members).toMatchObject([{ value: max }]);
  });

  it('can be filtered and listed', async () => {
    const [pia] = await people(1);
    const growers = await directory.addGroup('Growers', [pia]);
    const painters = await directory.addGroup('Painters');
    await change(painters.id, { op: 'add', path: 'externalId', value: 'g-2' });
    const found = (filter: string) => directory.found(filter, '/Groups');
    expect(await found('displayName eq "growers"')).toEqual([growers.id]);
    expect(await found('externalId eq "g-2"')).toEqual([painters.id]);
    expect(await found(`members eq "${pia}"`)).toEqual([growers.id]);
    expect(await found(`members[value eq "${pia}"] and displayName co "grow"`)).toEqual([growers.id]);
    expect(await found(`id eq "${painters.id}"`)).toEqual([painters.id]);
    expect((await directory.get('/Groups?count=1&startIndex=2').expect(200)).body).toMatchObject({
      totalResults: 2,
      Resources: [{ id: painters.id, members: [] }],
    });
    await directory.get('/Groups?filter=userName%20pr').expect(400);
    await directory.get('/Groups/x').expect(404);
  });

  it('needs the version of If-Match', async () => {
    const { id } = await directory.addGroup('Gardeners');
    await directory.get(`/Groups/${id}`).set('If-None-Match', 'W/"1"').expect(304);
    const stale = 'W/"7"';
    await directory.put(`/Groups/${id}`, { displayName: 'X' }).set('If-Match', stale).expect(412);
    await directory.delete(`/Groups/${id}`).set('If-Match', stale).expect(412);
    await directory.delete(`/Groups/${id}`).set('If-Match', 'W/"1"').expect(204);
  });

  it.each([
    ['no name', {}],
    ['a name that is too long', { displayName: 'x'.repeat(501) }],
    ['members that are none', { displayName: 'X', members: [{ id: 'x' }] }],
  ])('is refused with %s', async (_, body) => {
    expect((await directory.post('/Groups', body).expect(400)).body.scimType).toBe('invalidValue');
  });
});

describe('groups with roles at a provider of the organization', () => {
  const roleOf = async (user: string): Promise<string | undefined> => {
    const { body } = await app.as(ann).get(`/organizations/${directory.organization}/members?limit=100`).expect(200);
    const member = body.data.find((each: { user_id: string }) => each.user_id === user);
    return member && `${member.role}${member.via_group === true ? '*' : ''}`;
  };
  const setRole = (user: string, role: string) =>
    app.as(ann).patch(`/organizations/${directory.organization}/members/${user}`).send({ role });

  beforeEach(async () => {
    const { body } = await app.as(ann).get(`/identity-providers`).expect(200);
    const group_roles = [
      { group: 'Gardeners', role: 'guest' },
      { group: 'g-leads', role: 'admin' },
    ];
    await app.as(ann).patch(`/identity-providers/${body.data[0].id}`).send({ group_roles }).expect(200);
  });

  it('give the highest of these roles, by name or external id, and take it away', async () => {
    const [pia, max] = await people(2);
    const gardeners = await directory.addGroup('Gardeners', [pia, max]);
    expect([await roleOf(pia), await roleOf(max)]).toEqual(['guest*', 'guest*']);
    const { id } = await directory.addGroup('Leads', [pia]);
    expect(await roleOf(pia)).toBe('guest*');
    await change(id, { op: 'add', path: 'externalId', value: 'g-leads' });
    expect([await roleOf(pia), await roleOf(max)]).toEqual(['admin*', 'guest*']);
    expect((await setRole(pia, 'member').expect(409)).body.error.details.reason).toBe('managed');
    await change(id, { op: 'remove', path: `members[value eq "${pia}"]` });
    expect(await roleOf(pia)).toBe('guest*');
    await directory.delete(`/Groups/${gardeners.id}`).expect(204);
    expect([await roleOf(pia), await roleOf(max)]).toEqual(['member', 'member']);
  });

  it('come back with the membership', async () => {
    const [pia] = await people(1);
    await directory.addGroup('Gardeners', [pia]);
    const switchTo = (value: boolean) =>
      directory.patch(`/Users/${pia}`, { op: 'replace', path: 'active', value }).expect(200);
    await switchTo(false);
    expect(await roleOf(pia)).toBeUndefined();
    await switchTo(true);
    expect(await roleOf(pia)).toBe('guest*');
  });

  it('leave roles that were given by hand, and those of other organizations, as they are', async () => {
    const [pia] = await people(1);
    await setRole(pia, 'admin').expect(200);
    const owner = await app.person('Olga', { email: directory.address() });
    await app.join(directory.organization, owner, 'owner');
    const { id } = await directory.add({ userName: owner.email });
    const group = await directory.addGroup('Gardeners', [pia, id]);
    expect([await roleOf(pia), await roleOf(id)]).toEqual(['admin', 'owner']);
    await directory.delete(`/Groups/${group.id}`).expect(204);
    expect([await roleOf(pia), await roleOf(id)]).toEqual(['admin', 'owner']);
    const other = await TestDirectory.of(app, await app.person('Eve'), ada);
    const stranger = await other.add();
    await other.addGroup('g-leads', [stranger.id]);
    const row = await app.database.one('SELECT role, via_group FROM organization_resources WHERE user_id = $1', [
      stranger.id,
    ]);
    expect(row).toEqual({ role: 'member', via_group: false });
  });
});

describe('deleting a group', () => {
  it('deletes the team', async () => {
    const [pia] = await people(1);
    const { id } = await directory.addGroup('Gardeners', [pia]);
    await directory.delete(`/Groups/${id}`).expect(204);
    await app.as(ann).get(`/resources/${id}`).expect(404);
    await directory.get(`/Groups/${id}`).expect(404);
  });

  it('leaves a team with open work or a quorum, as inactive and kept by hand', async () => {
    const [pia, max] = await people(2);
    const busy = await directory.addGroup('Gardeners', [pia]);
    const garden = await app.endeavour(ann, { organization_id: directory.organization });
    await app.task(ann, garden, { assignee_id: busy.id });
    const voting = await directory.addGroup('Council', [pia, max]);
    await app
      .as(ann)
      .patch(`/resources/${voting.id}`)
      .send({ quorum: { cancel: 2 } })
      .expect(200);
    for (const { id } of [busy, voting]) {
      await directory.delete(`/Groups/${id}`).expect(204);
      expect(await teamOf(id)).toMatchObject({ status: 'inactive' });
      await app
        .as(ann)
        .delete(`/resources/${id}/members/${await resourceOf(pia)}`)
        .expect(200);
    }
  });

  it('by hand makes it unknown to the directory', async () => {
    const { id } = await directory.addGroup('Gardeners');
    await app.as(ann).delete(`/resources/${id}`).expect(200);
    await directory.get(`/Groups/${id}`).expect(404);
    expect((await directory.get('/Groups').expect(200)).body.totalResults).toBe(0);
  });
});
