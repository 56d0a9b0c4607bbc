import { newId } from '../../src/common/ids.js';
import { race } from '../support/races.js';
import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

const KINDS: Record<string, string> = { tsk: 'task', edv: 'endeavour', org: 'organization', res: 'resource' };
const kindOf = (id: string): string => KINDS[id.slice(0, 3)];
const ends = (source: string, relationship_type: string, target: string): object => ({
  relationship_type,
  source_entity_type: kindOf(source),
  source_entity_id: source,
  target_entity_type: kindOf(target),
  target_entity_id: target,
});

interface Failure {
  error: { code: string; details: { reason: string; fields: { field: string; code: string }[] } };
}
const faults = ({ body }: { body: Failure }) => body.error.details.fields.map(({ field, code }) => `${field} ${code}`);
const reasonOf = ({ body }: { body: Failure }) => body.error.details.reason;

interface Relation {
  id: string;
  relationship_type: string;
  source_entity_id: string;
  target_entity_id: string;
  metadata: { role?: string };
}

describe('memberships as relations', () => {
  let app: TestApp;
  let ann: Person;
  let mia: Person;
  let ada: Person;
  let riverside: string;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open({ LIMIT_INVITATIONS_PER_HOUR: '1000' });
    [ann, mia, ada] = [await app.person('Ann'), await app.person('Mia'), await app.admin()];
    riverside = await app.organization(ann, { name: 'Riverside' });
    garden = await app.endeavour(ann, { name: 'Garden', organization_id: riverside });
    await app.join(riverside, mia, 'member');
  });

  afterAll(() => app.close());

  const relate = (source: string, type: string, target: string, person = ann, metadata?: object) =>
    app
      .as(person)
      .post('/relations')
      .send({ ...ends(source, type, target), ...(metadata && { metadata }) });
  const list = async (query: string, person = ann): Promise<Relation[]> => {
    const { body } = await app.as(person).get(`/relations?${query}`).expect(200);
    expect(body.meta.total).toBe(body.data.length);
    return body.data;
  };
  const tool = async (organization_id?: string, type = 'service', person = ann): Promise<string> => {
    const { body } = await app.as(person).post('/resources').send({ name: 'Broom', type, organization_id }).expect(201);
    return body.data.id;
  };
  const colleague = async (role = 'member', organization = riverside): Promise<Person> => {
    const person = await app.person('Max');
    await app.join(organization, person, role);
    return person;
  };
  const eventsOf = async (type: string, place: string): Promise<object[]> =>
    app.database.query(`SELECT data FROM events WHERE type = $1 AND entity_id = $2 ORDER BY id`, [type, place]);

  describe('creating', () => {
    it('adds an organization member to an endeavour, with event and message, and returns the relation', async () => {
      const max = await colleague();
      const sent = relate(max.resourceId, 'participates_in', garden, ann, {
        role: 'admin',
        stakeholder_roles: ['product_owner'],
      });
      const { body, headers } = await sent.expect(201);
      expect(headers.etag).toBeUndefined();
      expect(body.data).toEqual({
        id: expect.stringMatching(/^rel_[0-9a-f]{32}$/),
        ...ends(max.resourceId, 'participates_in', garden),
        source_key: null,
        source_title: 'Max',
        target_key: null,
        target_title: 'Garden',
        structural: true,
        metadata: { role: 'admin', stakeholder_roles: ['product_owner'] },
        created_by: ann.resourceId,
        created_at: expect.any(String),
      });
      const shown = await app.as(ann).get(`/endeavours/${garden}/members?search=Max`).expect(200);
      expect(shown.body.data).toContainEqual(expect.objectContaining({ user_id: max.id, role: 'admin', direct: true }));
      expect(await eventsOf('member.added', garden)).toContainEqual({
        data: expect.objectContaining({ user_id: max.id, role: 'admin' }),
      });
      const inbox = await app.as(max).get('/messages').expect(200);
      expect(inbox.body.data[0].subject).toBe('You were added to the endeavour Garden');
      const again = await app.as(ann).get(headers.location.replace('/api/v1', '')).expect(200);
      expect(again.body.data).toEqual(body.data);
    });

    it('adds a resource to an organization and a member to a team, in either direction', async () => {
      const [broom, crew] = [await tool(), await tool(riverside, 'team')];
      const home = await relate(riverside, 'has_member', broom).expect(201);
      expect(home.body.data.metadata).toEqual({ role: 'member' });
      const { body } = await app.as(ann).get(`/resources/${broom}`).expect(200);
      expect(body.data.organization_id).toBe(riverside);
      await relate(crew, 'has_member', broom, ann, { role: 'tool' }).expect(201);
      await relate(mia.resourceId, 'member_of', crew, ann, { role: 'lead' }).expect(201);
      const members = await app.as(ann).get(`/resources/${crew}/members`).expect(200);
      expect(members.body.data.map(({ role }: { role: string }) => role)).toEqual(['tool', 'lead']);
      const rake = await tool();
      await relate(rake, 'member_of', riverside).expect(201);
    });

    it('links an endeavour to an organization', async () => {
      const meadow = await app.endeavour(ann);
      const { body } = await relate(meadow, 'belongs_to', riverside).expect(201);
      expect(body.data).toMatchObject({ structural: true, metadata: {}, target_title: 'Riverside' });
      const shown = await app.as(ann).get(`/endeavours/${meadow}`).expect(200);
      expect(shown.body.data.organization_id).toBe(riverside);
    });

    it('rejects an existing membership under any of its types, and keeps its role', async () => {
      const max = await colleague();
      await relate(max.resourceId, 'belongs_to', garden, ann, { role: 'viewer' }).expect(201);
      for (const type of ['belongs_to', 'participates_in']) {
        const response = await relate(max.resourceId, type, garden, ann, { role: 'admin' }).expect(409);
        expect(reasonOf(response)).toBe('duplicate_relation');
      }
      expect(reasonOf(await relate(riverside, 'has_member', mia.resourceId, ann, { role: 'admin' }).expect(409))).toBe(
        'duplicate_relation',
      );
      expect(reasonOf(await relate(garden, 'belongs_to', riverside).expect(409))).toBe('duplicate_relation');
      const crew = await tool(riverside, 'team');
      await relate(crew, 'has_member', max.resourceId).expect(201);
      expect(reasonOf(await relate(max.resourceId, 'member_of', crew, ann, { role: 'lead' }).expect(409))).toBe(
        'duplicate_relation',
      );
      const shown = await list(`relationship_type=belongs_to&source_entity_id=${max.resourceId}`);
      expect(shown.map(({ metadata }) => metadata.role)).toEqual(['viewer']);
      const members = await list(
        `relationship_type=has_member&target_entity_id=${mia.resourceId}&source_entity_id=${riverside}`,
      );
      expect(members.map(({ metadata }) => metadata.role)).toEqual(['member']);
    });

    race('creates one of several concurrent memberships', 3, async () => {
      const max = await colleague();
      const responses = await Promise.all([1, 2, 3, 4].map(() => relate(max.resourceId, 'participates_in', garden)));
      expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    });

    it('rejects metadata that the membership operation would reject', async () => {
      const [max, crew, meadow] = [await colleague(), await tool(riverside, 'team'), await app.endeavour(ann)];
      const sent = { role: 'guest', colour: 'red', stakeholder_roles: ['owner'] };
      expect(faults(await relate(max.resourceId, 'belongs_to', garden, ann, sent).expect(400))).toEqual([
        'metadata.role invalid_value',
        'metadata.stakeholder_roles.0 invalid_value',
        'metadata.colour unknown_field',
      ]);
      expect(
        faults(await relate(riverside, 'has_member', max.resourceId, ann, { role: 'viewer' }).expect(400)),
      ).toEqual(['metadata.role invalid_value']);
      expect(faults(await relate(crew, 'has_member', max.resourceId, ann, { role: 7 }).expect(400))).toEqual([
        'metadata.role invalid_type',
      ]);
      expect(faults(await relate(meadow, 'belongs_to', riverside, ann, { colour: 'red' }).expect(400))).toEqual([
        'metadata.colour unknown_field',
      ]);
    });

    it('ignores the role of what is no person', async () => {
      const hut = await app.endeavour(ann);
      for (const [source, type, target] of [
        [hut, 'belongs_to', riverside],
        [riverside, 'has_member', await tool(undefined, 'service')],
        [await tool(undefined, 'team'), 'member_of', riverside],
      ])
        await relate(source, type, target, ann, { role: 'lead' }).expect(201);
    });

    it('rejects ends of a wrong kind, and ends that are absent or cannot become members', async () => {
      const [gate, stranger] = [await app.task(ann, garden), await app.person('Sam')];
      for (const [source, type, target] of [
        [garden, 'has_member', mia.resourceId],
        [garden, 'member_of', mia.resourceId],
        [gate, 'belongs_to', garden],
        [garden, 'participates_in', riverside],
        [gate, 'assigned_to', mia.resourceId],
        [garden, 'governed_by', riverside],
      ]) {
        expect(faults(await relate(source, type, target).expect(400))).toEqual(['relationship_type invalid_value']);
      }
      const broom = await tool(riverside);
      expect(reasonOf(await relate(broom, 'has_member', mia.resourceId).expect(409))).toBe('not_a_team');
      expect(faults(await relate(await tool(), 'belongs_to', garden).expect(400))).toEqual([
        'source_entity_id invalid_value',
      ]);
      expect(faults(await relate(stranger.resourceId, 'belongs_to', garden).expect(400))).toEqual([
        'source_entity_id reference_not_found',
      ]);
      expect(faults(await relate(mia.resourceId, 'belongs_to', newId('endeavour')).expect(400))).toEqual([
        'target_entity_id reference_not_found',
      ]);
      expect(faults(await relate(riverside, 'has_member', newId('resource')).expect(400))).toEqual([
        'target_entity_id reference_not_found',
      ]);
    });

    it('requires consent where the membership operation does', async () => {
      const eve = await app.person('Eve');
      const shared = await app.endeavour(ann);
      await app.join(shared, eve, 'member');
      for (const response of [
        await relate(riverside, 'has_member', eve.resourceId).expect(403),
        await relate(eve.resourceId, 'participates_in', garden).expect(403),
        await relate(await tool(riverside, 'team'), 'has_member', eve.resourceId).expect(403),
      ]) {
        expect(reasonOf(response)).toBe('invitation_required');
      }
      await relate(riverside, 'has_member', eve.resourceId, ada).expect(201);
    });

    it('enforces tier limits and rejects archived containers', async () => {
      await app.database.query('UPDATE users SET tier = 1 WHERE id = $1', [mia.id]);
      const shed = await app.organization(mia);
      for (let made = 0; made < 3; made++) await app.link(shed, await app.endeavour(ann));
      const meadow = await app.endeavour(mia);
      const response = await relate(meadow, 'belongs_to', shed, mia).expect(403);
      expect(response.body.error.code).toBe('tier_limit');
      await app.database.query('UPDATE users SET tier = 3 WHERE id = $1', [mia.id]);
      await app.as(mia).post(`/organizations/${shed}/archive`).send({ reason: 'Over' }).expect(200);
      expect((await relate(meadow, 'belongs_to', shed, mia).expect(409)).body.error.code).toBe('archived');
    });
  });

  describe('listing', () => {
    it('includes memberships only on request, and requires an end', async () => {
      const max = await colleague('admin');
      await relate(max.resourceId, 'belongs_to', garden).expect(201);
      const about = `entity_id=${max.resourceId}`;
      expect(await list(about)).toEqual([]);
      expect(await list(`${about}&relationship_type=has_member&structural=false`)).toEqual([]);
      const all = (await list(`${about}&structural=true&sort=created_at`)).map((one) => one.relationship_type);
      expect(all).toEqual(['has_member', 'belongs_to']);
      expect(await list(`${about}&structural=true&direction=in`)).toHaveLength(1);
      expect(await list(`${about}&structural=true&relationship_type=depends_on`)).toEqual([]);
      const words = await list(`${about}&relationship_type=member_of,participates_in&sort=created_at`);
      expect(words.map((one) => one.relationship_type)).toEqual(['member_of', 'participates_in', 'member_of']);
      for (const query of ['structural=true', 'relationship_type=has_member&entity_type=organization']) {
        const response = await app.as(ann).get(`/relations?${query}`).expect(400);
        expect(faults(response)).toEqual(['entity_id required']);
      }
      const mixed = await app.as(ann).get(`/relations?relationship_type=has_member,blocks&${about}`).expect(400);
      expect(faults(mixed)).toEqual(['relationship_type invalid_value']);
    });

    it('filters by the types of the ends, and is paginated', async () => {
      const crew = await tool(riverside, 'team');
      for (const { resourceId } of [mia, ann]) await relate(crew, 'has_member', resourceId).expect(201);
      const about = `relationship_type=has_member&entity_id=${mia.resourceId}`;
      expect(await list(`${about}&source_entity_type=organization`)).toHaveLength(1);
      expect((await list(`${about}&source_entity_type=resource`)).map((one) => one.source_entity_id)).toContain(crew);
      expect(await list(`${about}&target_entity_type=endeavour`)).toEqual([]);
      const { body } = await app
        .as(ann)
        .get(`/relations?relationship_type=has_member&source_entity_id=${crew}&limit=1`)
        .expect(200);
      expect([body.meta.total, body.data[0].target_entity_id]).toEqual([2, ann.resourceId]);
      const next = await app
        .as(ann)
        .get(`/relations?relationship_type=has_member&source_entity_id=${crew}&limit=1&cursor=${body.meta.next_cursor}`)
        .expect(200);
      expect(next.body.data[0].target_entity_id).toBe(mia.resourceId);
    });

    it('returns stable ids, a different one for each relation type', async () => {
      const about = `entity_id=${mia.resourceId}`;
      const [first] = await list(`${about}&relationship_type=has_member&source_entity_id=${riverside}`);
      const [second] = await list(`${about}&relationship_type=member_of&target_entity_id=${riverside}`);
      expect(first.id).not.toBe(second.id);
      await app.as(ann).patch(`/organizations/${riverside}/members/${mia.id}`).send({ role: 'guest' }).expect(200);
      for (const { id, relationship_type } of [first, second]) {
        const { body } = await app.as(ann).get(`/relations/${id}`).expect(200);
        expect(body.data).toMatchObject({ id, relationship_type, metadata: { role: 'guest' } });
      }
      await app.as(ann).patch(`/organizations/${riverside}/members/${mia.id}`).send({ role: 'member' }).expect(200);
    });

    it('shows the resources, but not their roles, to guests', async () => {
      const [gus, broom] = [await colleague('guest'), await tool(riverside)];
      const about = `relationship_type=has_member&source_entity_id=${riverside}`;
      const seen = await list(`${about}&target_entity_id=${broom},${mia.resourceId}&sort=created_at`, gus);
      expect(seen.map(({ metadata }) => metadata)).toEqual([{ role: 'member' }, {}]);
      expect((await list(`${about}&target_entity_id=${broom}`, mia))[0].metadata).toEqual({ role: 'member' });
    });

    it('shows nothing to strangers and former members', async () => {
      const [eve, former] = [await app.person('Eve'), await colleague()];
      const [relation] = await list(`relationship_type=belongs_to&source_entity_id=${garden}`);
      await app.as(former).get(`/relations/${relation.id}`).expect(200);
      await app.as(former).delete(`/organizations/${riverside}/members/${former.id}`).expect(200);
      for (const person of [eve, former]) {
        for (const id of [riverside, garden]) expect(await list(`structural=true&entity_id=${id}`, person)).toEqual([]);
        await app.as(person).get(`/relations/${relation.id}`).expect(404);
        await app.as(person).delete(`/relations/${relation.id}`).expect(404);
      }
      await app
        .as(ann)
        .get(`/relations/${newId('relation')}`)
        .expect(404);
      expect(await list(`structural=true&entity_id=${riverside}`, ada)).not.toEqual([]);
    });
  });

  describe('as a bypass of permission checks', () => {
    let pat: Person;
    let hillside: string;
    let gail: Person;

    beforeAll(async () => {
      pat = await app.person('Pat');
      hillside = await app.organization(pat, { name: 'Hillside' });
      gail = await colleague('admin');
      await app.link(hillside, garden);
    });

    const outcome = async (response: ReturnType<typeof relate>): Promise<string> => {
      const { status, body } = await response;
      return `${status} ${body.error?.details?.reason ?? body.error?.code}`;
    };

    it('grants no role above that of the caller, whatever the metadata contains', async () => {
      const max = await colleague();
      for (const role of ['owner', 'admin']) {
        const lead = await app.person('Lea');
        await app.join(garden, lead, role === 'owner' ? 'admin' : 'member');
        expect(await outcome(relate(max.resourceId, 'belongs_to', garden, lead, { role }))).toBe('403 forbidden');
      }
      const broom = await tool(undefined, 'service', gail);
      const { body } = await relate(riverside, 'has_member', broom, gail, { role: 'owner' }).expect(201);
      expect(body.data.metadata).toEqual({ role: 'member' });
      await relate(max.resourceId, 'belongs_to', garden, gail, { role: '', stakeholder_roles: null }).expect(201);
    });

    it('gives an admin of one organization no access to another', async () => {
      const [theirs, mine] = [await tool(riverside), await tool(hillside, 'service', pat)];
      expect(await outcome(relate(hillside, 'has_member', theirs, pat))).toBe('400 invalid_input');
      expect(await outcome(relate(riverside, 'has_member', mine, pat))).toBe('400 invalid_input');
      expect(await outcome(relate(riverside, 'has_member', pat.resourceId, pat))).toBe('400 invalid_input');
      const meadow = await app.endeavour(ann, { organization_id: riverside });
      expect(await outcome(relate(meadow, 'belongs_to', hillside, pat))).toBe('400 invalid_input');
      await app.join(meadow, pat, 'admin');
      expect(await outcome(relate(meadow, 'belongs_to', hillside, pat))).toBe('403 forbidden');
      await app.join(riverside, pat, 'guest');
      expect(await outcome(relate(hillside, 'has_member', theirs, pat))).toBe('403 forbidden');
      expect(await outcome(relate(hillside, 'has_member', mia.resourceId, pat))).toBe('403 invitation_required');
      const crew = await tool(hillside, 'team', pat);
      expect(await outcome(relate(crew, 'has_member', mia.resourceId, pat))).toBe('403 invitation_required');
      const [home] = await list(`relationship_type=has_member&target_entity_id=${theirs}`);
      await app.as(pat).delete(`/relations/${home.id}`).expect(403);
      await app.as(ann).delete(`/organizations/${riverside}/members/${pat.id}`).expect(200);
    });

    it('shows no private endeavour to the organizations that it is linked to', async () => {
      const vault = await app.endeavour(ann, { organization_id: riverside });
      await app.link(hillside, vault);
      const about = `structural=true&entity_id=${vault}`;
      expect(await list(about, pat)).not.toEqual([]);
      const [link] = await list(`relationship_type=belongs_to&source_entity_id=${vault}&target_entity_id=${hillside}`);
      await app.as(ann).patch(`/endeavours/${vault}`).send({ is_private: true }).expect(200);
      for (const person of [pat, mia]) {
        expect(await list(about, person)).toEqual([]);
        expect(await list(`structural=true&entity_id=${hillside}&source_entity_type=endeavour`, person)).toEqual(
          expect.not.arrayContaining([expect.objectContaining({ source_entity_id: vault })]),
        );
        await app.as(person).get(`/relations/${link.id}`).expect(404);
      }
    });

    it('ends all roles of a dismissed owner, also in the endeavours of the organization', async () => {
      const oona = await colleague('owner');
      await relate(oona.resourceId, 'participates_in', garden, ann, { role: 'owner' }).expect(201);
      const about = `structural=true&entity_id=${oona.resourceId}`;
      const [seat, place] = await list(`${about}&sort=created_at`, oona);
      const sent = ends(mia.resourceId, 'belongs_to', garden);
      const key = { 'Idempotency-Key': 'add mia' };
      await app.as(oona).post('/relations').set(key).send(sent).expect(201);
      await app.as(ann).delete(`/relations/${seat.id}`).expect(200);
      expect(await list(about, ann)).toEqual([]);
      for (const { id } of [seat, place]) {
        await app.as(oona).get(`/relations/${id}`).expect(404);
        await app.as(oona).delete(`/relations/${id}`).expect(404);
      }
      const replayed = await app.as(oona).post('/relations').set(key).send(sent);
      expect([replayed.status, replayed.body.data]).toEqual([404, undefined]);
      expect(await outcome(relate(riverside, 'has_member', oona.resourceId, gail))).toBe('400 invalid_input');
      expect(await outcome(relate(oona.resourceId, 'belongs_to', garden, oona))).toBe('400 invalid_input');
    });

    it('gives access tokens no more rights than the member operations do', async () => {
      const max = await colleague();
      const all = await tokenOf(app, ann, { scopes: ['*'] });
      for (const response of [
        await relate(max.resourceId, 'belongs_to', garden, all).expect(403),
        await relate(riverside, 'has_member', await tool(), all).expect(403),
        await relate(await app.endeavour(ann), 'belongs_to', riverside, all).expect(403),
      ]) {
        expect(reasonOf(response)).toBe('session_required');
      }
      const crew = await tool(riverside, 'team');
      const relations = await tokenOf(app, ann, { scopes: ['relations:write', 'relations:read'] });
      expect(reasonOf(await relate(crew, 'has_member', max.resourceId, relations).expect(403))).toBe('scope_required');
      await relate(crew, 'has_member', max.resourceId, all).expect(201);
      for (const query of ['structural=true', 'relationship_type=has_member']) {
        const response = await app.as(relations).get(`/relations?${query}&entity_id=${crew}`).expect(403);
        expect(reasonOf(response)).toBe('scope_required');
      }
      const [seat] = await list(`relationship_type=has_member&source_entity_id=${crew}`, all);
      await app.as(relations).get(`/relations/${seat.id}`).expect(403);
      await app.as(relations).delete(`/relations/${seat.id}`).expect(403);
    });

    it('shows a restricted token only the memberships in its container', async () => {
      const beside = await app.organization(ann, { name: 'Beside' });
      const token = await tokenOf(app, ann, { organization_id: riverside });
      const about = (id: string) => list(`structural=true&entity_id=${id}`, token);
      expect((await about(garden)).map(({ target_entity_id: id }) => id)).toEqual(expect.arrayContaining([riverside]));
      expect(await about(beside)).toEqual([]);
      const mine = (await about(ann.resourceId)).map(({ source_entity_id: id }) => id);
      expect([mine.includes(riverside), mine.includes(beside)]).toEqual([true, false]);
    });

    it('returns 401 for suspended and inactive users', async () => {
      const max = await colleague('admin');
      for (const status of ['suspended', 'inactive']) {
        await app.as(ada).patch(`/users/${max.id}`).send({ status }).expect(200);
        await relate(riverside, 'has_member', await tool(), max).expect(401);
        await app.as(max).get(`/relations?structural=true&entity_id=${riverside}`).expect(401);
      }
    });
  });

  describe('deleting', () => {
    const remove = (id: string, person = ann) => app.as(person).delete(`/relations/${id}`);

    it('ends the membership under either relation type, with its events', async () => {
      const [max, crew, broom] = [await colleague(), await tool(riverside, 'team'), await tool(riverside)];
      const meadow = await app.endeavour(ann, { organization_id: riverside });
      const made = [
        await relate(max.resourceId, 'belongs_to', garden),
        await relate(crew, 'has_member', max.resourceId),
        await relate(crew, 'has_member', broom),
      ].map(({ body }) => body.data as Relation);
      const [byWord] = await list(`relationship_type=participates_in&source_entity_id=${max.resourceId}`);
      expect((await remove(byWord.id).expect(200)).body.data).toEqual({ id: byWord.id, deleted: true });
      await remove(made[0].id).expect(404);
      for (const { id } of made.slice(1)) await remove(id).expect(200);
      const [home] = await list(`relationship_type=member_of&source_entity_id=${broom}`);
      await remove(home.id).expect(200);
      const [link] = await list(`relationship_type=belongs_to&source_entity_id=${meadow}`);
      await remove(link.id).expect(200);
      expect((await app.as(ann).get(`/endeavours/${meadow}`).expect(200)).body.data.organizations).toEqual([]);
      expect((await app.as(ann).get(`/resources/${broom}`).expect(200)).body.data.organization_id).toBeNull();
      expect(await eventsOf('member.removed', crew)).toHaveLength(2);
      const [member] = await list(`relationship_type=has_member&target_entity_id=${max.resourceId}`);
      await remove(member.id, max).expect(200);
      expect(await eventsOf('member.removed', riverside)).toContainEqual({
        data: expect.objectContaining({ user_id: max.id }),
      });
    });

    it('protects the last owner and higher roles', async () => {
      const [gail, oona] = [await colleague('admin'), await colleague('owner')];
      const seat = async ({ resourceId }: Person): Promise<string> =>
        (await list(`relationship_type=has_member&target_entity_id=${resourceId}&source_entity_id=${riverside}`))[0].id;
      await remove(await seat(oona), gail).expect(403);
      await remove(await seat(oona), mia).expect(403);
      await remove(await seat(oona)).expect(200);
      expect(reasonOf(await remove(await seat(ann)).expect(409))).toBe('last_owner');
    });

    it('lets an owner of an endeavour end its sharing with an organization that they do not see', async () => {
      const pam = await app.person('Pam');
      const partner = await app.organization(pam);
      await app.link(partner, garden);
      const links = await list(`relationship_type=belongs_to&source_entity_id=${garden}&target_entity_id=${partner}`);
      await app.as(ann).get(`/organizations/${partner}`).expect(404);
      await remove(links[0].id, mia).expect(404);
      await remove(links[0].id).expect(200);
    });
  });
});
