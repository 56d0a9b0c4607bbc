import { newId } from '../../src/common/ids.js';
import { TestApp, type Person } from '../support/test-app.js';

const idsOf = ({ body }: { body: { data: { id: string }[] } }) => body.data.map(({ id }) => id);
const faults = ({ body }: { body: { error: { details: { fields: { field: string; code: string }[] } } } }) =>
  body.error.details.fields.map(({ field, code }) => `${field} ${code}`);

const strip = ({ body }: { body: { error: object } }) => ({ ...body.error, request_id: '' });

describe('organizations', () => {
  let app: TestApp;
  let ann: Person;

  beforeAll(async () => {
    app = await TestApp.open();
  });

  beforeEach(async () => {
    ann = await app.person('Ann');
  });

  afterAll(() => app.close());

  const create = (body: object, person = ann) => app.as(person).post('/organizations').send(body);
  const patch = (id: string, body: object, person = ann) => app.as(person).patch(`/organizations/${id}`).send(body);

  it('are created with their creator as owner', async () => {
    const sent = { name: ' Riverside ', description: 'Gardens', metadata: { seats: 3 } };
    const { body, headers } = await create(sent).expect(201);
    expect(headers.location).toBe(`/api/v1/organizations/${body.data.id}`);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^org_[0-9a-f]{32}$/),
      name: 'Riverside',
      description: 'Gardens',
      status: 'active',
      second_factor: 'optional',
      scim_reassign_to: null,
      metadata: { seats: 3 },
      member_count: 1,
      endeavour_count: 0,
      my_role: 'owner',
      archived_at: null,
      archived_reason: null,
      erasure_at: null,
      created_by: ann.resourceId,
      created_at: expect.any(String),
      updated_at: body.data.created_at,
      revision: 1,
    });
    const read = await app.as(ann).get(`/organizations/${body.data.id}`).expect(200);
    expect(read.body).toEqual(body);
    expect(read.headers.etag).toBe(headers.etag);
  });

  it('are rejected with all field errors at once', async () => {
    const response = await create({ name: ' ', status: 'archived', metadata: 3, my_role: 'owner', colour: 1 }).expect(
      400,
    );
    expect(faults(response)).toEqual([
      'name too_short',
      'status invalid_value',
      'metadata invalid_type',
      'my_role read_only',
      'colour unknown_field',
    ]);
  });

  it('are visible only to their members and to administrators', async () => {
    const [gus, eve, ada] = [await app.person('Gus'), await app.person('Eve'), await app.admin()];
    const riverside = await app.organization(ann);
    await app.join(riverside, gus, 'guest');
    const other = await app.organization(eve);
    expect(idsOf(await app.as(gus).get('/organizations').expect(200))).toEqual([riverside]);
    expect(idsOf(await app.as(eve).get('/organizations').expect(200))).toEqual([other]);
    expect(idsOf(await app.as(ada).get('/organizations?limit=2').expect(200))).toEqual([other, riverside]);
    expect(idsOf(await app.as(ada).get('/organizations?mine=true').expect(200))).toEqual([]);
    const invisible = await app.as(eve).get(`/organizations/${riverside}`).expect(404);
    const absent = await app
      .as(eve)
      .get(`/organizations/${newId('organization')}`)
      .expect(404);
    expect(strip(invisible)).toEqual(strip(absent));
    await patch(riverside, { name: 'Mine' }, gus).expect(403);
    await patch(riverside, { name: 'Mine' }, eve).expect(404);
    const { body } = await app.as(gus).get(`/organizations/${riverside}`).expect(200);
    expect(body.data).toMatchObject({ my_role: 'guest', member_count: 2, name: 'Riverside' });
  });

  it('are found by search and status, archived ones only on request', async () => {
    const [park, shed] = [await app.organization(ann, { name: 'Park 100%' }), await app.organization(ann)];
    const away = await app.organization(ann, { description: 'A park, too' });
    await app.as(ann).post(`/organizations/${away}/archive`).send({ reason: 'Sold' }).expect(200);
    await patch(shed, { status: 'inactive' }).expect(200);
    const list = async (query: string) => idsOf(await app.as(ann).get(`/organizations?${query}`).expect(200));
    expect(await list('')).toEqual([shed, park]);
    expect(await list('search=PARK')).toEqual([park]);
    expect(await list('search=00%25')).toEqual([park]);
    expect(await list('search=park&status=archived')).toEqual([away]);
    expect(await list('status=inactive,archived')).toEqual([away, shed]);
    expect(await list('sort=name')).toEqual([park, shed]);
    await app.as(ann).get('/organizations?status=gone').expect(400);
    await app.as(ann).get('/organizations?name=Park').expect(400);
  });

  it('change only in the fields that are sent; {} and equal values change nothing, null and "" clear', async () => {
    const id = await app.organization(ann, { description: 'Gardens', metadata: { a: 1, b: { c: 2 } } });
    const events = await app.count('events');
    for (const body of [{}, { name: 'Riverside' }, { status: 'active' }, { metadata: { a: 1 } }]) {
      expect((await patch(id, body).expect(200)).body.data.revision).toBe(1);
    }
    expect(await app.count('events')).toBe(events);
    const cleared = await patch(id, { description: '', metadata: { b: { c: null }, d: 4 } }).expect(200);
    expect(cleared.body.data).toMatchObject({ description: null, metadata: { a: 1, b: {}, d: 4 }, revision: 2 });
    const emptied = await patch(id, { description: null, metadata: null }).expect(200);
    expect(emptied.body.data).toMatchObject({ description: null, metadata: {}, revision: 3 });
    expect(faults(await patch(id, { name: null, status: 'archived', revision: 9 }).expect(400))).toEqual([
      'name not_nullable',
      'status invalid_value',
      'revision read_only',
    ]);
    await patch(id, { name: 'New' }).set('If-Match', '"2"').expect(412);
    await patch(id, { name: 'New' }).set('If-Match', '"3"').expect(200);
  });

  it('are paginated without overlap or gap even with equal timestamps', async () => {
    const made: string[] = [];
    for (let n = 0; n < 7; n++) made.push(await app.organization(ann, { name: 'Same' }));
    await app.database.query(`UPDATE organizations SET created_at = '2026-01-01', updated_at = '2026-01-01'`);
    for (const sort of ['created_at', '-created_at', 'updated_at', 'name', '-name']) {
      const seen: string[] = [];
      let next = `/organizations?limit=2&sort=${sort}`;
      for (let page = 0; page < 4; page++) {
        const response = await app.as(ann).get(next).expect(200);
        expect(response.body.meta.total).toBe(7);
        seen.push(...idsOf(response));
        next = `/organizations?limit=2&sort=${sort}&cursor=${response.body.meta.next_cursor}`;
      }
      const inOrder = [...made].sort();
      expect(seen).toEqual(sort.startsWith('-') ? inOrder.toReversed() : inOrder);
    }
  });

  it('are limited by the tier of their creator; archived ones do not count', async () => {
    const exa = await app.person('Exa', { tier: 1 });
    const { body } = await create({ name: 'One' }, exa).expect(201);
    const refused = await create({ name: 'Two' }, exa).expect(403);
    expect(refused.body.error).toMatchObject({ code: 'tier_limit', details: { limit: 'max_orgs' } });
    await app.as(exa).post(`/organizations/${body.data.id}/archive`).send({ reason: 'Over' }).expect(200);
    await create({ name: 'Two' }, exa).expect(201);
    const back = await app.as(exa).post(`/organizations/${body.data.id}/unarchive`).expect(403);
    expect(back.body.error.code).toBe('tier_limit');
  });
});
