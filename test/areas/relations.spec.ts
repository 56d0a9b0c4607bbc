import { newId } from '../../src/common/ids.js';
import { TestApp, type Person } from '../support/test-app.js';
import { race } from '../support/races.js';

const faults = (body: { error: { details: { fields: { field: string; code: string }[] } } }) =>
  body.error.details.fields.map(({ field, code }) => `${field} ${code}`);
const KINDS: Record<string, string> = {
  tsk: 'task',
  dmd: 'demand',
  edv: 'endeavour',
  org: 'organization',
  res: 'resource',
  usr: 'user',
};
const kindOf = (id: string): string => KINDS[id.slice(0, 3)];

const reasonOf = ({ body }: { body: { error: { details: { reason: string } } } }) => body.error.details.reason;

describe('relations', () => {
  let app: TestApp;
  let ann: Person;
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open();
    ann = await app.person('Ann');
    garden = await app.endeavour(ann, { name: 'Garden' });
  });

  afterAll(() => app.close());

  const relate = (source: string, relationship_type: string, target: string, person = ann, more: object = {}) =>
    app
      .as(person)
      .post('/relations')
      .send({
        relationship_type,
        source_entity_type: kindOf(source),
        source_entity_id: source,
        target_entity_type: kindOf(target),
        target_entity_id: target,
        ...more,
      });
  const made = async (source: string, type: string, target: string): Promise<string> =>
    (await relate(source, type, target).expect(201)).body.data.id;
  const task = (title = 'Paint the gate') => app.task(ann, garden, { title });
  const tasks = (count: number) => Promise.all(Array.from({ length: count }, () => task()));
  const list = async (query: string, person = ann): Promise<string[]> => {
    const { body } = await app.as(person).get(`/relations?${query}`).expect(200);
    expect(body.meta.total).toBe(body.data.length);
    return body.data.map(({ id }: { id: string }) => id);
  };
  const member = async (name: string, role = 'member'): Promise<Person> => {
    const person = await app.person(name);
    await app.join(garden, person, role);
    return person;
  };

  describe('creating', () => {
    it('returns the whole representation', async () => {
      const [gate, fence] = [await task('Gate'), await task('Fence')];
      const { body, headers } = await relate(gate, 'depends_on', fence, ann, { metadata: { a: 1 } }).expect(201);
      expect(headers.etag).toBeUndefined();
      expect(body.data).toEqual({
        id: expect.stringMatching(/^rel_[0-9a-f]{32}$/),
        relationship_type: 'depends_on',
        source_entity_type: 'task',
        source_entity_id: gate,
        target_entity_type: 'task',
        target_entity_id: fence,
        source_key: 'GARD-1',
        source_title: 'Gate',
        target_key: 'GARD-2',
        target_title: 'Fence',
        structural: false,
        metadata: { a: 1 },
        created_by: ann.resourceId,
        created_at: expect.any(String),
      });
    });

    it('returns all field errors at once', async () => {
      const sent = { relationship_type: 'Depends on', source_entity_type: 'session', target_entity_id: 'x', colour: 1 };
      const { body } = await app.as(ann).post('/relations').send(sent).expect(400);
      expect(faults(body)).toEqual([
        'relationship_type invalid_format',
        'source_entity_type invalid_value',
        'source_entity_id required',
        'target_entity_type required',
        'target_entity_id invalid_format',
        'colour unknown_field',
      ]);
    });

    it('rejects ids of another type, and relations of an entity to itself', async () => {
      const [gate, demand] = [await task(), await app.demand(ann, garden)];
      const mixed = { source_entity_type: 'demand', target_entity_type: 'task' };
      expect(faults((await relate(gate, 'uses', demand, ann, mixed).expect(400)).body)).toEqual([
        'source_entity_id invalid_format',
        'target_entity_id invalid_format',
      ]);
      expect(faults((await relate(gate, 'relates_to', gate).expect(400)).body)).toEqual([
        'target_entity_id invalid_value',
      ]);
    });

    it.each([
      ['belongs_to', 'demand_id'],
      ['assigned_to', 'assignee_id'],
      ['fulfills', 'demand_id'],
      ['has_member', 'members'],
      ['member_of', 'members'],
      ['participates_in', 'members'],
      ['governs', 'dod-policy'],
      ['governed_by', 'dod-policy'],
    ])('rejects %s and names the operation to use', async (type, operation) => {
      const [gate, fence] = await tasks(2);
      const { body } = await relate(gate, type, fence).expect(400);
      expect(faults(body)).toEqual(['relationship_type invalid_value']);
      expect(body.error.message).toContain(operation);
    });

    it('grants no membership, not even with the type owner_of', async () => {
      const eve = await app.person('Eve');
      await app.join(await app.organization(ann), eve, 'guest');
      await relate(garden, 'relates_to', eve.id).expect(201);
      await relate(garden, 'owner_of', eve.resourceId).expect(201);
      await app.as(eve).get(`/endeavours/${garden}`).expect(404);
      expect((await app.as(eve).get('/tasks').expect(200)).body.data).toEqual([]);
    });

    it('returns the same error for an absent, invisible or deleted end', async () => {
      const eve = await app.person('Eve');
      const secret = await app.task(eve, await app.endeavour(eve));
      const gone = (await app.as(ann).post('/resources').send({ name: 'Old', type: 'service' })).body.data.id;
      await app.as(ann).delete(`/resources/${gone}`).expect(200);
      const gate = await task();
      for (const end of [newId('task'), secret, gone]) {
        expect(faults((await relate(gate, 'uses', end).expect(400)).body)).toEqual([
          'target_entity_id reference_not_found',
        ]);
        expect(faults((await relate(end, 'uses', gate).expect(400)).body)).toEqual([
          'source_entity_id reference_not_found',
        ]);
      }
    });

    it('requires a role at the source: endeavour member, organization admin, or manager of the resource', async () => {
      const [mia, vic] = [await member('Mia'), await member('Vic', 'viewer')];
      const [gate, fence] = await tasks(2);
      const riverside = await app.organization(ann);
      await app.join(riverside, mia, 'member');
      await relate(gate, 'uses', fence, vic).expect(403);
      await relate(gate, 'uses', fence, mia).expect(201);
      await relate(riverside, 'uses', gate, mia).expect(403);
      await relate(riverside, 'uses', gate).expect(201);
      await relate(ann.resourceId, 'uses', gate, mia).expect(403);
      await relate(mia.resourceId, 'uses', gate, mia).expect(201);
      await relate(ann.id, 'uses', gate, mia).expect(403);
      await relate(mia.id, 'uses', gate, mia).expect(201);
    });

    it('rejects a duplicate, but accepts the reverse direction and another type', async () => {
      const [gate, fence] = await tasks(2);
      await relate(gate, 'uses', fence).expect(201);
      expect(reasonOf(await relate(gate, 'uses', fence).expect(409))).toBe('duplicate_relation');
      await relate(fence, 'uses', gate).expect(201);
      await relate(gate, 'references', fence).expect(201);
    });

    race('creates one of several concurrent duplicates', 3, async () => {
      const [one, two] = await tasks(2);
      const responses = await Promise.all(Array.from({ length: 8 }, () => relate(one, 'uses', two)));
      expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(responses.filter(({ status }) => status === 409).map(reasonOf)).toEqual(
        Array.from({ length: 7 }, () => 'duplicate_relation'),
      );
    });

    it('is rejected in an archived endeavour, and so is deleting', async () => {
      const shed = await app.endeavour(ann);
      const [inShed, gate] = [await app.task(ann, shed), await task()];
      const relation = await made(inShed, 'uses', gate);
      await app.database.query(`UPDATE endeavours SET status = 'archived' WHERE id = $1`, [shed]);
      expect((await relate(inShed, 'references', gate).expect(409)).body.error.code).toBe('archived');
      await app.as(ann).delete(`/relations/${relation}`).expect(409);
    });
  });

  describe('cycles', () => {
    it.each(['depends_on', 'blocks', 'parent_of'])('are rejected for %s, however long', async (type) => {
      const [a, b, c, d] = await tasks(4);
      await relate(a, type, b).expect(201);
      expect(reasonOf(await relate(b, type, a).expect(409))).toBe('cycle');
      await relate(b, type, c).expect(201);
      await relate(c, type, d).expect(201);
      expect(reasonOf(await relate(d, type, a).expect(409))).toBe('cycle');
      // A part has only one parent.
      await relate(a, type, d).expect(type === 'parent_of' ? 409 : 201);
    });

    it('are rejected for depends_on and blocks together, which are inverse to each other', async () => {
      const [a, b, c] = await tasks(3);
      await relate(a, 'depends_on', b).expect(201);
      await relate(b, 'blocks', a).expect(201);
      expect(reasonOf(await relate(a, 'blocks', b).expect(409))).toBe('cycle');
      await relate(c, 'blocks', b).expect(201);
      expect(reasonOf(await relate(c, 'depends_on', a).expect(409))).toBe('cycle');
      await relate(b, 'parent_of', a).expect(201);
      await relate(b, 'relates_to', a).expect(201);
      await relate(a, 'relates_to', b).expect(201);
    });

    it('are not detected through deleted relations', async () => {
      const [a, b] = await tasks(2);
      const relation = await made(a, 'depends_on', b);
      await app.as(ann).delete(`/relations/${relation}`).expect(200);
      await relate(b, 'depends_on', a).expect(201);
    });

    race('are rejected if two concurrent requests would only together close one', 50, async () => {
      const [a, b, c] = await tasks(3);
      await relate(a, 'depends_on', b).expect(201);
      const responses = await Promise.all([relate(b, 'depends_on', c), relate(a, 'blocks', c)]);
      expect(responses.map(({ status }) => status).sort((x, y) => x - y)).toEqual([201, 409]);
      expect(responses.filter(({ status }) => status === 409).map(reasonOf)).toEqual(['cycle']);
    });

    it('are detected in a chain of 30 tasks', async () => {
      const chain = await tasks(30);
      for (let i = 1; i < chain.length; i++) await relate(chain[i - 1], 'depends_on', chain[i]).expect(201);
      expect(reasonOf(await relate(chain[29], 'depends_on', chain[0]).expect(409))).toBe('cycle');
    });
  });

  describe('listing', () => {
    it('finds them by either end, by direction, by type, and by both ends', async () => {
      const demand = await app.demand(ann, garden);
      const [gate, fence] = await tasks(2);
      const uses = await made(gate, 'uses', fence);
      const wants = await made(demand, 'references', gate);
      const other = await made(fence, 'relates_to', demand);
      expect(await list(`entity_id=${gate}`)).toEqual([wants, uses]);
      expect(await list(`entity_id=${gate}&entity_type=task`)).toEqual([wants, uses]);
      expect(await list(`entity_id=${gate}&entity_type=demand`)).toEqual([]);
      expect(await list(`entity_id=${gate}&direction=out`)).toEqual([uses]);
      expect(await list(`entity_id=${gate}&direction=in`)).toEqual([wants]);
      expect(await list(`entity_id=${gate},${demand}`)).toEqual([other, wants, uses]);
      expect(await list(`entity_type=demand`)).toEqual([other, wants]);
      expect(await list(`entity_type=demand&direction=out`)).toEqual([wants]);
      expect(await list(`source_entity_id=${gate}`)).toEqual([uses]);
      expect(await list(`target_entity_id=${gate}`)).toEqual([wants]);
      expect(await list(`entity_id=${gate}&relationship_type=uses,blocks`)).toEqual([uses]);
      expect(await list(`entity_id=${newId('task')}`)).toEqual([]);
      await app.as(ann).get('/relations?entity_type=session').expect(400);
      await app.as(ann).get('/relations?direction=up').expect(400);
    });

    it('shows a relation only to users who see both ends; deleting requires the same', async () => {
      const [mia, eve] = [await member('Mia'), await app.person('Eve')];
      const shed = await app.endeavour(ann);
      const [gate, inShed] = [await task(), await app.task(ann, shed)];
      const relation = await made(gate, 'uses', inShed);
      expect(await list(`entity_id=${gate}`)).toEqual([relation]);
      expect(await list(`entity_id=${gate}`, mia)).toEqual([]);
      expect(await list(`entity_id=${gate}`, eve)).toEqual([]);
      expect(await list(`entity_id=${gate}`, await app.admin())).toEqual([relation]);
      await app.as(mia).delete(`/relations/${relation}`).expect(404);
      await app.join(shed, mia, 'viewer');
      expect(await list(`entity_id=${gate}`, mia)).toEqual([relation]);
    });

    it('shows titles as they are now', async () => {
      const [gate, fence] = await tasks(2);
      await made(gate, 'uses', fence);
      await app.as(ann).patch(`/tasks/${fence}`).send({ title: 'Green fence' }).expect(200);
      const { body } = await app.as(ann).get(`/relations?entity_id=${gate}`).expect(200);
      expect(body.data[0].target_title).toBe('Green fence');
    });

    it('excludes relations of a deleted end', async () => {
      const { body } = await app.as(ann).post('/resources').send({ name: 'Ladder', type: 'service' }).expect(201);
      const gate = await task();
      const relation = await made(gate, 'uses', body.data.id);
      await app.as(ann).delete(`/resources/${body.data.id}`).expect(200);
      expect(await list(`entity_id=${gate}`)).toEqual([]);
      expect(await list(`entity_id=${gate}`, await app.admin())).toEqual([]);
      await app.as(ann).delete(`/relations/${relation}`).expect(404);
    });

    it('keeps the relations of a task that is moved', async () => {
      const shed = await app.endeavour(ann);
      const [gate, fence] = await tasks(2);
      const relation = await made(gate, 'uses', fence);
      await app.as(ann).patch(`/tasks/${gate}`).send({ endeavour_id: shed }).expect(200);
      expect(await list(`entity_id=${gate}`)).toEqual([relation]);
      const place = await app.database.one('SELECT endeavour_id FROM entities WHERE id = $1', [relation]);
      expect(place).toEqual({ endeavour_id: shed });
    });
  });

  describe('deleting', () => {
    it('removes the relation, which can then be created again', async () => {
      const [gate, fence] = await tasks(2);
      const relation = await made(gate, 'uses', fence);
      const { body } = await app.as(ann).delete(`/relations/${relation}`).expect(200);
      expect(body.data).toEqual({ id: relation, deleted: true });
      await app.as(ann).delete(`/relations/${relation}`).expect(404);
      expect(await list(`entity_id=${gate}`)).toEqual([]);
      await relate(gate, 'uses', fence).expect(201);
    });

    it('requires the same role as creating', async () => {
      const [vic, mia] = [await member('Vic', 'viewer'), await member('Mia')];
      const [gate, fence] = await tasks(2);
      const relation = await made(gate, 'uses', fence);
      await app.as(vic).delete(`/relations/${relation}`).expect(403);
      await app.as(mia).delete(`/relations/${relation}`).expect(200);
    });
  });
});
