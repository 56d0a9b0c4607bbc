import { newId } from '../../src/common/ids.js';
import { faults } from '../support/dod.js';
import { TestApp, type Person } from '../support/test-app.js';

const MINIMAL = 'dod_01942f3e4c0070008000000000000001';
const REVIEW = { exclude_author: true, block_on_rejection: true, user_type: 'any' };
const BUILT_IN = ['Minimal', 'Peer Reviewed', 'Full Governance', 'Agent Autonomous'];

describe('DoD policies', () => {
  let app: TestApp;
  let ada: Person;
  let ann: Person;
  let riverside: string;

  beforeAll(async () => {
    app = await TestApp.open();
    ada = await app.admin('Ada');
    ann = await app.person('Ann');
    riverside = await app.organization(ann);
  });

  afterAll(() => app.close());

  const conditions = [{ type: 'manual_attestation' }];
  const create = (more: object = {}, person = ann) =>
    app
      .as(person)
      .post('/dod-policies')
      .send({ name: 'Ours', organization_id: riverside, conditions, ...more });
  const made = async (more: object = {}, person = ann): Promise<string> =>
    (await create(more, person).expect(201)).body.data.id;
  const version = (id: string, body: object = {}, person = ann) =>
    app.as(person).post(`/dod-policies/${id}/versions`).send(body);
  const get = async (id: string, person = ann) =>
    (await app.as(person).get(`/dod-policies/${id}`).expect(200)).body.data;

  describe('creating', () => {
    it('completes conditions with ids, labels and defaults', async () => {
      const sent = [
        { type: 'peer_review', params: { min_reviewers: 2 } },
        { type: 'peer_review', label: 'A second look', required: false },
        { id: 'tests', type: 'tests_pass' },
      ];
      const { body, headers } = await create({ description: 'How we work', conditions: sent }).expect(201);
      expect(headers.location).toBe(`/api/v1/dod-policies/${body.data.id}`);
      expect(body.data).toEqual({
        id: expect.stringMatching(/^dod_[0-9a-f]{32}$/),
        name: 'Ours',
        description: 'How we work',
        conditions: [
          condition('peer_review', 'peer_review', 'Peer review', { min_reviewers: 2, ...REVIEW }),
          {
            ...condition('peer_review_2', 'peer_review', 'A second look', { min_reviewers: 1, ...REVIEW }),
            required: false,
          },
          condition('tests', 'tests_pass', 'Tests pass', { artifact_tag: 'test-report' }),
        ],
        strictness: 'all',
        quorum: null,
        scope: 'task',
        origin: 'custom',
        version: 1,
        predecessor_id: null,
        lineage_id: body.data.id,
        organization_id: riverside,
        endeavour_id: null,
        container: 'organization',
        status: 'active',
        metadata: {},
        created_by: ann.resourceId,
        created_at: expect.any(String),
        updated_at: body.data.created_at,
        revision: 1,
      });
    });

    it('reports every invalid condition by its path', async () => {
      const sent = [
        { type: 'peer_review' },
        { type: 'peer_review', params: { min_reviewers: 0, exclude_author: 'no', most: 3 }, required: 'yes' },
        { type: 'prayer' },
        { type: 'toString' },
        { type: 'stakeholder_sign_off' },
        { type: 'time_in_status', params: { min_duration: '1 week', status: 'asleep' }, colour: 'red' },
        { type: 'field_populated', params: { field: ' ' } },
        7,
        {},
      ];
      const { body } = await create({ name: '', conditions: sent }).expect(400);
      expect(faults(body)).toEqual([
        'name too_short',
        'conditions.1.required invalid_type',
        'conditions.1.params.min_reviewers out_of_range',
        'conditions.1.params.exclude_author invalid_type',
        'conditions.1.params.most unknown_field',
        'conditions.2.type invalid_value',
        'conditions.3.type invalid_value',
        'conditions.4.params.role required',
        'conditions.5.colour unknown_field',
        'conditions.5.params.min_duration invalid_format',
        'conditions.5.params.status invalid_value',
        'conditions.6.params.field too_short',
        'conditions.7 invalid_type',
        'conditions.8.type required',
      ]);
    });

    it.each([
      ['none', undefined, 'required'],
      ['an empty list', [], 'too_short'],
      ['51', Array.from({ length: 51 }, () => conditions[0]), 'too_long'],
      ['an object instead of a list', { type: 'peer_review' }, 'invalid_type'],
      ['only optional ones', [{ ...conditions[0], required: false }], 'invalid_value'],
    ])('rejects %s as conditions', async (_, sent, fault) => {
      expect(faults((await create({ conditions: sent }).expect(400)).body)).toEqual([`conditions ${fault}`]);
    });

    it('rejects conditions of more than 100,000 bytes in total, in policies and in their versions', async () => {
      const prompted = (length: number) => ({ type: 'manual_attestation', params: { prompt: 'é'.repeat(length) } });
      const { body } = await create({ conditions: [prompted(24_000), prompted(24_000)] }).expect(201);
      const larger = { conditions: [prompted(24_000), prompted(26_000)] };
      expect(faults((await create(larger).expect(400)).body)).toEqual(['conditions too_long']);
      const next = app.as(ann).post(`/dod-policies/${body.data.id}/versions`).send(larger);
      expect(faults((await next.expect(400)).body)).toEqual(['conditions too_long']);
    });

    it('rejects two conditions with the same id', async () => {
      const twice = [
        { id: 'a', type: 'comment_required' },
        { id: 'a', type: 'comment_required' },
      ];
      expect(faults((await create({ conditions: twice }).expect(400)).body)).toEqual(['conditions.1.id invalid_value']);
    });

    it('accepts a quorum with n_of only, and no more than the required conditions', async () => {
      const two = [...conditions, { type: 'comment_required' }, { type: 'tests_pass', required: false }];
      const { body } = await create({ conditions: two, strictness: 'n_of', quorum: 2 }).expect(201);
      expect(body.data).toMatchObject({ strictness: 'n_of', quorum: 2 });
      const tooMany = await create({ conditions: two, strictness: 'n_of', quorum: 3 }).expect(400);
      expect(faults(tooMany.body)).toEqual(['quorum out_of_range']);
      expect(faults((await create({ conditions: two, strictness: 'n_of' }).expect(400)).body)).toEqual([
        'quorum required',
      ]);
      expect(faults((await create({ conditions: two, quorum: 1 }).expect(400)).body)).toEqual(['quorum invalid_value']);
    });

    it('is allowed to admins of the organization or endeavour, and globally to administrators', async () => {
      const [mia, eve] = [await app.person('Mia'), await app.person('Eve')];
      await app.join(riverside, mia, 'member');
      await create({}, mia).expect(403);
      expect(faults((await create({}, eve).expect(400)).body)).toEqual(['organization_id reference_not_found']);
      await create({ organization_id: undefined, container: 'global' }).expect(403);
      const global = await made({ organization_id: undefined }, ada);
      expect(await get(global, eve)).toMatchObject({ organization_id: null, container: 'global' });
      const garden = await app.endeavour(ann);
      await app.join(garden, mia, 'member');
      const inGarden = { organization_id: undefined, endeavour_id: garden };
      await create(inGarden, mia).expect(403);
      expect(faults((await create(inGarden, eve).expect(400)).body)).toEqual(['endeavour_id reference_not_found']);
      const ours = await made(inGarden);
      expect(await get(ours, mia)).toMatchObject({ endeavour_id: garden, container: 'endeavour' });
      await app.as(eve).get(`/dod-policies/${ours}`).expect(404);
      expect((await app.as(mia).get(`/dod-policies?endeavour_id=${garden}`).expect(200)).body.data).toHaveLength(1);
    });

    it.each([
      [{ container: 'endeavour' }, 'container invalid_value'],
      [{ container: 'personal' }, 'container invalid_value'],
      [{ container: 'organization', organization_id: undefined }, 'organization_id required'],
      [{ container: 'endeavour', organization_id: undefined }, 'endeavour_id required'],
      [{ endeavour_id: newId('endeavour') }, 'organization_id invalid_value'],
    ])('rejects the container of %j', async (more, fault) => {
      expect(faults((await create(more).expect(400)).body)).toEqual([fault]);
    });

    it('creates a personal policy by default, visible only to its creator and administrators', async () => {
      const [pia, eve] = [await app.person('Pia'), await app.person('Eve')];
      const mine = await made({ organization_id: undefined }, pia);
      expect(await get(mine, pia)).toMatchObject({ container: 'personal', organization_id: null, endeavour_id: null });
      await get(mine, ada);
      await app.as(eve).get(`/dod-policies/${mine}`).expect(404);
      const own = await made({ organization_id: undefined, container: 'personal' }, ada);
      await app.as(pia).get(`/dod-policies/${own}`).expect(404);
    });

    it('shows an assigned personal policy to the viewers of the endeavour', async () => {
      const vic = await app.person('Vic');
      const garden = await app.endeavour(ann);
      await app.join(garden, vic, 'viewer');
      const mine = await made({ organization_id: undefined });
      await app.as(vic).get(`/dod-policies/${mine}`).expect(404);
      await app.as(ann).post(`/endeavours/${garden}/dod-policy`).send({ policy_id: mine }).expect(200);
      await get(mine, vic);
      const listed = await app.as(vic).get('/dod-policies?container=personal').expect(200);
      expect(listed.body.data.map(({ id }: { id: string }) => id)).toEqual([mine]);
      await app.as(vic).patch(`/dod-policies/${mine}`).send({ name: 'Vics' }).expect(403);
      await version(mine, {}, vic).expect(403);
    });
  });

  describe('visibility', () => {
    it('is limited to members of the organization', async () => {
      const [mia, eve] = [await app.person('Mia'), await app.person('Eve')];
      const shed = await app.organization(ann, { name: 'Shed' });
      await app.join(shed, mia, 'guest');
      const ours = await made({ organization_id: shed });
      await app.as(mia).get(`/dod-policies/${ours}`).expect(200);
      await app.as(eve).get(`/dod-policies/${ours}`).expect(404);
      await app.as(eve).get(`/dod-policies/${ours}/lineage`).expect(404);
      await version(ours, {}, eve).expect(404);
      const listed = async (person: Person) =>
        (await app.as(person).get(`/dod-policies?organization_id=${shed}`).expect(200)).body.data.map(
          ({ id }: { id: string }) => id,
        );
      expect(await listed(mia)).toEqual([ours]);
      expect(await listed(eve)).toEqual([]);
    });

    it('includes the four built-in policies with their conditions', async () => {
      const eve = await app.person('Eve');
      const { body } = await app.as(eve).get('/dod-policies?origin=template&sort=name').expect(200);
      expect(body.data.map(({ name }: { name: string }) => name).sort()).toEqual([...BUILT_IN].sort());
      const full = body.data.find(({ name }: { name: string }) => name === 'Full Governance');
      expect(full.conditions.map(({ type, params }: { type: string; params: object }) => [type, params])).toEqual([
        ['peer_review', { min_reviewers: 2, ...REVIEW }],
        ['checklist_complete', {}],
        ['tests_pass', { artifact_tag: 'test-report' }],
        ['stakeholder_sign_off', { role: 'product_owner', exclude_author: true }],
        ['comment_required', { min_comments: 1 }],
      ]);
    });

    it('searches name and description and filters by status', async () => {
      const id = await made({ name: 'Zinnia', description: 'For 100% of_the beds' });
      const ids = async (query: string) =>
        (await app.as(ann).get(`/dod-policies?${query}`).expect(200)).body.data.map((p: { id: string }) => p.id);
      expect(await ids('search=zinn')).toEqual([id]);
      expect(await ids('search=100%25%20of_')).toEqual([id]);
      expect(await ids('search=zinnia&status=archived')).toEqual([]);
      await app.as(ann).get('/dod-policies?status=gone').expect(400);
    });
  });

  describe('patching', () => {
    it('changes only descriptive properties, and names the operation for the others', async () => {
      const id = await made();
      const patch = (body: object, person = ann) => app.as(person).patch(`/dod-policies/${id}`).send(body);
      const { body } = await patch({ name: 'New', description: 'Said', metadata: { a: 1 } }).expect(200);
      expect(body.data).toMatchObject({ name: 'New', description: 'Said', metadata: { a: 1 }, revision: 2 });
      const refused = await patch({ conditions, strictness: 'all', version: 7, colour: 'red' }).expect(400);
      expect(faults(refused.body)).toEqual([
        'conditions read_only',
        'strictness read_only',
        'version read_only',
        'colour unknown_field',
      ]);
      expect(refused.body.error.details.fields[0].message).toContain('POST /dod-policies/{id}/versions');
      await patch({ name: 'Stale' }).set('If-Match', '"1"').expect(412);
    });

    it('is rejected for built-in policies', async () => {
      const path = `/dod-policies/${MINIMAL}`;
      const { body } = await app.as(ada).patch(path).send({ name: 'Mine' }).expect(409);
      expect(body.error.details.reason).toBe('built_in');
      await app.as(ann).patch(path).send({ name: 'Mine' }).expect(403);
    });

    it('is also restricted by the database, which rejects changed conditions', async () => {
      const id = await made();
      const rewrite = app.database.query(`UPDATE dod_policies SET conditions = '[{}]' WHERE id = $1`, [id]);
      await expect(rewrite).rejects.toThrow('new version only');
    });

    it('archives without changing assignments, and does not reactivate a replaced version', async () => {
      const garden = await app.endeavour(ann, { organization_id: riverside });
      const id = await made();
      await app.as(ann).post(`/endeavours/${garden}/dod-policy`).send({ policy_id: id }).expect(200);
      const status = (of: string, to: string) => app.as(ann).patch(`/dod-policies/${of}`).send({ status: to });
      await status(id, 'archived').expect(200);
      expect((await app.as(ann).get(`/endeavours/${garden}`).expect(200)).body.data.dod_policy_id).toBe(id);
      await app.as(ann).post('/dod-endorsements').send({ endeavour_id: garden }).expect(201);
      await status(id, 'active').expect(200);
      await version(id).expect(201);
      expect((await status(id, 'active').expect(409)).body.error.details.reason).toBe('replaced');
    });
  });
});

const condition = (id: string, type: string, label: string, params: object) => ({
  id,
  type,
  label,
  params,
  required: true,
});
