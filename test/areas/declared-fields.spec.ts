import { newId } from '../../src/common/ids.js';
import { fieldErrorsOf } from '../support/refusals.js';
import { TestApp, type Person } from '../support/test-app.js';

const FIELDS = [
  { key: 'severity', name: 'Severity', type: 'choice', options: ['low', 'high', 'deadly'] },
  { key: 'score', type: 'number' },
  { key: 'found_on', name: 'Found on', type: 'day' },
  { key: 'areas', type: 'choices', options: ['gate', 'path', 'pond'] },
  { key: 'note', type: 'text' },
  { key: 'link', type: 'url' },
  { key: 'checked_by', type: 'person' },
  { key: 'urgent', type: 'flag' },
];

interface Declared {
  key: string;
  name?: string;
  type: string;
  options?: string[];
  applies_to?: string | null;
  required_on?: string | null;
}

describe('declared fields', () => {
  let app: TestApp;
  let [ann, bob, vic, eve]: Person[] = [];
  let garden: string;

  beforeAll(async () => {
    app = await TestApp.open({ WORKERS: 'true', LIMIT_WRITES_PER_MINUTE: '100000', LIMIT_READS_PER_MINUTE: '100000' });
    [ann, bob] = [await app.person('Ann', { tier: 3 }), await app.person('Bob')];
    [vic, eve] = [await app.person('Vic'), await app.person('Eve', { tier: 3 })];
  });

  beforeEach(async () => {
    garden = await app.endeavour(ann, { fields: FIELDS });
    await app.join(garden, bob, 'member');
    await app.join(garden, vic, 'viewer');
  });

  afterAll(() => app.close());

  const read = async (path: string, person = ann) => (await app.as(person).get(path).expect(200)).body.data;
  const patch = (path: string, body: object, person = ann) => app.as(person).patch(path).send(body);
  const declare = (fields: unknown, person = ann) => patch(`/endeavours/${garden}`, { fields }, person);
  const fieldsOf = async (id = garden): Promise<Declared[]> => (await read(`/endeavours/${id}`)).fields;
  const post = (kind: string, body: object, person = bob) =>
    app
      .as(person)
      .post(`/${kind}`)
      .send({ title: 'x', endeavour_id: garden, ...(kind === 'demands' && { type: 'bug' }), ...body });
  const faults = ({ body }: { body: Parameters<typeof fieldErrorsOf>[0] }): string[] => fieldErrorsOf(body);
  const titles = async (query: string, kind = 'tasks', person = ann): Promise<string[]> =>
    (await read(`/${kind}?sort=title&endeavour_id=${garden}&${query}`, person)).map(
      ({ title }: { title: string }) => title,
    );

  describe('of an endeavour', () => {
    it('are in their order, with defaults', async () => {
      const defaults = { options: [], applies_to: null, required_on: null, description: null };
      expect(await fieldsOf()).toEqual(FIELDS.map((field) => ({ ...defaults, name: field.key, ...field })));
      expect(await fieldsOf(await app.endeavour(ann))).toEqual([]);
    });

    it('are replaced by admins, in one event', async () => {
      const next = [{ key: 'size', name: 'Size', type: 'text', applies_to: 'task', required_on: 'create' }];
      const { body } = await declare(next).expect(200);
      expect(body.data).toMatchObject({ fields: next, unfitting_values: [] });
      const again = await declare(next).expect(200);
      expect(again.body.data.revision).toBe(body.data.revision);
      const [event] = await app.database.query(
        `SELECT changed, json_array_length(previous -> 'fields') AS previous, data -> 'fields' AS data FROM events
         WHERE entity_id = $1 AND type = 'endeavour.updated'`,
        [garden],
      );
      expect(event).toEqual({ changed: ['fields'], previous: FIELDS.length, data: body.data.fields });
      for (const person of [bob, vic]) await declare([], person).expect(403);
      await declare([], eve).expect(404);
      expect((await declare(null).expect(200)).body.data.fields).toEqual([]);
      const other = await patch(`/endeavours/${garden}`, { name: 'Yard' }).expect(200);
      expect(other.body.data).not.toHaveProperty('unfitting_values');
    });

    it('name every fault', async () => {
      const malformed = [
        { key: '1st', type: 'text' },
        { key: 'a-b', type: 'colour' },
        { key: 'x'.repeat(51), type: 'text', applies_to: 'artifact', required_on: 'update' },
        { key: 'a.min', type: 'choice', options: ['a,b', '!a', 'None', '', 'ok', 'ok', 7], unit: 'm' },
        ...['checklist', 'acceptance', 'imported', 'auto_complete', 'labels', 'dod_attested', 'dod_'].map((key) => ({
          key,
          type: 'text',
        })),
        {},
      ];
      expect(faults(await declare(malformed).expect(400))).toEqual([
        'fields.0.key invalid_format',
        'fields.1.key invalid_format',
        'fields.1.type invalid_value',
        'fields.2.key too_long',
        'fields.2.applies_to invalid_value',
        'fields.2.required_on invalid_value',
        'fields.3.key invalid_format',
        'fields.3.options.0 invalid_format',
        'fields.3.options.1 invalid_format',
        'fields.3.options.2 invalid_value',
        'fields.3.options.3 too_short',
        'fields.3.options.5 invalid_value',
        'fields.3.options.6 invalid_type',
        'fields.3.unit unknown_field',
        ...[4, 5, 6, 7, 8, 9, 10].map((at) => `fields.${at}.key invalid_value`),
        'fields.11.key required',
        'fields.11.type required',
      ]);
      const unfit = [
        { key: 'a', type: 'choice' },
        { key: 'b', type: 'text', options: ['x'] },
        { key: 'A', type: 'flag' },
      ];
      expect(faults(await declare(unfit).expect(400))).toEqual([
        'fields.0.options required',
        'fields.1.options invalid_value',
        'fields.2.key invalid_value',
      ]);
      const many = Array.from({ length: 51 }, (_, n) => ({ key: `k${n}`, type: 'text' }));
      expect(faults(await declare(many).expect(400))).toEqual(['fields too_long']);
      const long = Array.from({ length: 50 }, (_, n) => ({
        key: `k${n}`,
        type: 'text',
        description: 'x'.repeat(2_000),
      }));
      expect(faults(await declare(long).expect(400))).toEqual(['fields too_long']);
      expect(await fieldsOf()).toHaveLength(FIELDS.length);
    });

    it('leave values, and say how many no longer fit', async () => {
      const low = await app.task(bob, garden, { title: '1', metadata: { severity: 'low', score: 1, free: 1 } });
      await app.task(bob, garden, { title: '2', metadata: { severity: 'high', score: 2 } });
      await app.demand(bob, garden, { title: '3', metadata: { severity: 'low', note: 'x' } });
      const next = FIELDS.filter(({ key }) => key !== 'score').map((field) =>
        field.key === 'severity' ? { ...field, options: ['high'] } : field,
      );
      const { body } = await declare(next).expect(200);
      expect(body.data.unfitting_values).toEqual([
        { key: 'score', count: 2, count_is: 'exact' },
        { key: 'severity', count: 2, count_is: 'exact' },
      ]);
      expect((await read(`/tasks/${low}`)).metadata).toEqual({ severity: 'low', score: 1, free: 1 });
      expect(await titles('metadata.severity=high')).toEqual(['2']);
      expect(await titles('metadata.severity=none')).toEqual(['1']);
      const onlyTasks = next.map((field) => ({ ...field, ...(field.key === 'note' && { applies_to: 'task' }) }));
      const restricted = await declare(onlyTasks).expect(200);
      expect(restricted.body.data.unfitting_values).toEqual([{ key: 'note', count: 1, count_is: 'exact' }]);
      await declare(FIELDS).expect(200);
      expect(await titles('metadata.severity=low')).toEqual(['1']);
      expect(await titles('metadata.score.max=1')).toEqual(['1']);
    });
  });

  describe.each(['tasks', 'demands'])('of %s', (kind) => {
    const make = async (metadata: object, title = 'x') => {
      const { body } = await post(kind, { metadata, title }).expect(201);
      return body.data.id as string;
    };
    const change = (id: string, metadata: object | null, person = bob) => patch(`/${kind}/${id}`, { metadata }, person);

    it('take values that fit, beside free ones', async () => {
      const metadata = {
        severity: 'low',
        score: -1.5,
        found_on: '2024-02-29',
        areas: ['pond', 'gate'],
        note: 'Wet\nand muddy',
        link: 'https://example.org/a?b#c',
        checked_by: bob.resourceId,
        urgent: false,
        free: { any: ['thing'] },
      };
      const id = await make(metadata);
      expect((await read(`/${kind}/${id}`)).metadata).toEqual(metadata);
      await change(id, { severity: 'deadly', areas: [], free: null, score: 0 }).expect(200);
      await change(id, { note: '😀'.repeat(500), link: `https://example.org/${'ä'.repeat(2_000)}` }).expect(200);
      await change(id, { severity: null, note: null }).expect(200);
      await change(id, null).expect(200);
    });

    it('refuse values that do not fit, with one fault for each', async () => {
      const wrong = {
        severity: 'Low',
        score: '3',
        found_on: '2025-02-29',
        areas: ['gate', 'moat'],
        note: 'x'.repeat(501),
        link: 'ftp://example.org',
        checked_by: 'bob',
        urgent: 'true',
      };
      const expected = [
        'metadata.severity invalid_value',
        'metadata.score invalid_type',
        'metadata.found_on invalid_date',
        'metadata.areas invalid_value',
        'metadata.note too_long',
        'metadata.link invalid_format',
        'metadata.checked_by invalid_format',
        'metadata.urgent invalid_type',
      ];
      const created = await post(kind, { metadata: wrong }).expect(400);
      expect(faults(created)).toEqual(expected);
      expect(created.body.error.details.fields[0].allowed).toEqual(['low', 'high', 'deadly']);
      const id = await make({});
      expect(faults(await change(id, wrong).expect(400))).toEqual(expected);
      const others = {
        severity: 1,
        score: 5e15,
        found_on: 20,
        areas: 'gate',
        note: '',
        link: '',
        checked_by: 1,
        urgent: 0,
      };
      expect(faults(await change(id, others).expect(400))).toEqual([
        'metadata.severity invalid_type',
        'metadata.score out_of_range',
        'metadata.found_on invalid_type',
        'metadata.areas invalid_type',
        'metadata.note too_short',
        'metadata.link too_short',
        'metadata.checked_by invalid_type',
        'metadata.urgent invalid_type',
      ]);
      expect(faults(await change(id, { areas: ['gate', 'gate'] }).expect(400))).toEqual([
        'metadata.areas invalid_value',
      ]);
      expect((await read(`/${kind}/${id}`)).metadata).toEqual({});
    });

    it('take people who can be assigned there, and tell nothing about others', async () => {
      const id = await make({});
      for (const person of [vic, eve]) {
        const { body } = await change(id, { checked_by: person.resourceId }).expect(400);
        expect(fieldErrorsOf(body)).toEqual(['metadata.checked_by reference_not_found']);
      }
      const messageOf = async (resource: string): Promise<string> =>
        (await change(id, { checked_by: resource }).expect(400)).body.error.message;
      expect(await messageOf(eve.resourceId)).toBe(await messageOf(newId('resource')));
      await change(id, { checked_by: ann.resourceId }).expect(200);
    });

    it('keep values that were there before until they are touched', async () => {
      const id = await make({ severity: 'low', score: 1 });
      await declare([
        { key: 'severity', type: 'choice', options: ['high'] },
        { key: 'score', type: 'flag' },
      ]).expect(200);
      await patch(`/${kind}/${id}`, { title: 'y', metadata: { severity: 'low', other: 1 } }, bob).expect(200);
      expect(faults(await change(id, { score: 2 }).expect(400))).toEqual(['metadata.score invalid_type']);
      await change(id, { score: true }).expect(200);
      expect((await read(`/${kind}/${id}`)).metadata).toEqual({ severity: 'low', score: true, other: 1 });
    });

    it('are required where the endeavour says so', async () => {
      const only = kind === 'tasks' ? 'task' : 'demand';
      await declare([
        { key: 'severity', type: 'choice', options: ['low'], required_on: 'create' },
        { key: 'areas', type: 'choices', options: ['gate'], required_on: 'create', applies_to: only },
        { key: 'other', type: 'text', required_on: 'create', applies_to: only === 'task' ? 'demand' : 'task' },
      ]).expect(200);
      expect(faults(await post(kind, { metadata: { areas: [], severity: null } }).expect(400))).toEqual([
        'metadata.severity required',
        'metadata.areas required',
      ]);
      expect(faults(await post(kind, {}).expect(400))).toEqual([
        'metadata.severity required',
        'metadata.areas required',
      ]);
      const path = `/${kind}/by-external/jira/G-1?endeavour_id=${garden}`;
      const body = { title: 'x', ...(kind === 'demands' && { type: 'bug' }) };
      expect(faults(await app.as(bob).put(path).send(body).expect(400))).toHaveLength(2);
      const id = await make({ severity: 'low', areas: ['gate'], other: 5 });
      await change(id, { severity: null, other: 6 }).expect(200);
    });

    it('are unknown in lists without the endeavour, or undeclared', async () => {
      const wrong = async (query: string, person = ann): Promise<string[]> =>
        faults(await app.as(person).get(`/${kind}?${query}`).expect(400));
      expect(await wrong('metadata.severity=high&metadata.score.min=1')).toEqual([
        'metadata.severity unknown_field',
        'metadata.score.min unknown_field',
      ]);
      expect(await wrong('sort=metadata.score')).toEqual(['sort invalid_value']);
      expect(await wrong(`endeavour_id=${garden},${garden}&metadata.severity=high`)).toEqual([
        'metadata.severity unknown_field',
      ]);
      const here = `endeavour_id=${garden}`;
      const queries = ['metadata.free=1', 'metadata.severity.min=low', 'metadata.score.mid=1', 'metadata.=1'];
      expect(await wrong(`${here}&${queries.join('&')}`)).toEqual(
        queries.map((query) => `${query.split('=')[0]} unknown_field`),
      );
      for (const key of ['areas', 'checked_by', 'free']) {
        expect(await wrong(`${here}&sort=-metadata.${key}`)).toEqual(['sort invalid_value']);
      }
      expect(
        await wrong(`${here}&metadata.severity=low,huge&metadata.score=a&metadata.found_on=1&metadata.urgent=yes`),
      ).toEqual([
        'metadata.severity invalid_value',
        'metadata.score invalid_type',
        'metadata.found_on invalid_date',
        'metadata.urgent invalid_value',
      ]);
      expect(
        await wrong(`${here}&metadata.score.min=x&metadata.found_on.max=2025-02-29&metadata.checked_by=bob`),
      ).toEqual([
        'metadata.score.min invalid_type',
        'metadata.found_on.max invalid_date',
        'metadata.checked_by invalid_format',
      ]);
      // Those who do not see the endeavour learn nothing of its fields.
      const messages = await Promise.all(
        [garden, newId('endeavour')].map(async (id) => {
          const { body } = await app.as(eve).get(`/${kind}?endeavour_id=${id}&metadata.severity=high`).expect(400);
          return body.error.details;
        }),
      );
      expect(messages[0]).toEqual(messages[1]);
    });

    it('filter and sort: narrow, exact, negated, none, ranges, and in expressions', async () => {
      await make({ severity: 'low', score: 1, areas: ['gate', 'pond'], urgent: true, note: 'a' }, '1');
      await make({ severity: 'deadly', score: 10, found_on: '2026-01-01', areas: ['path'], urgent: false }, '2');
      await make({ severity: 'high', score: -3, found_on: '2025-12-31', checked_by: bob.resourceId, note: 'Ä10' }, '3');
      await make({ link: `https://example.org/${'x'.repeat(600)}1`, note: 'Ä9', areas: [] }, '4');
      const found = (query: string, person = ann) => titles(query, kind, person);
      expect(await found('metadata.severity=high')).toEqual(['3']);
      expect(await found('metadata.severity=high,low')).toEqual(['1', '3']);
      expect(await found('metadata.severity=!high,low')).toEqual(['2', '4']);
      expect(await found('metadata.severity=none')).toEqual(['4']);
      expect(await found('metadata.severity=!none')).toEqual(['1', '2', '3']);
      expect(await found('metadata.severity=none,low')).toEqual(['1', '4']);
      expect(await found('metadata.severity=high', vic)).toEqual(['3']);
      expect(await found('metadata.areas=gate,path')).toEqual(['1', '2']);
      expect(await found('metadata.areas=!pond')).toEqual(['2', '3', '4']);
      expect(await found('metadata.areas=none')).toEqual(['3', '4']);
      expect(await found('metadata.score=10,-3')).toEqual(['2', '3']);
      expect(await found('metadata.score.min=1')).toEqual(['1', '2']);
      expect(await found('metadata.score.max=1')).toEqual(['1', '3']);
      expect(await found('metadata.score.min=-2.5&metadata.score.max=9.5')).toEqual(['1']);
      expect(await found('metadata.found_on=2026-01-01')).toEqual(['2']);
      expect(await found('metadata.found_on.max=2025-12-31')).toEqual(['3']);
      expect(await found('metadata.found_on.min=2025-12-31')).toEqual(['2', '3']);
      expect(await found('metadata.urgent=true')).toEqual(['1']);
      expect(await found('metadata.urgent=false,none')).toEqual(['2', '3', '4']);
      expect(await found('metadata.checked_by=me', bob)).toEqual(['3']);
      expect(await found(`metadata.checked_by=me,${bob.resourceId}`)).toEqual(['3']);
      expect(await found(`metadata.checked_by=${newId('resource')}`)).toEqual([]);
      expect(await found('metadata.note=a')).toEqual(['1']);
      const url = (end: string) =>
        `metadata.link=${encodeURIComponent(`https://example.org/${'x'.repeat(600)}${end}`)}`;
      expect([await found(url('1')), await found(url('2')), await found('metadata.link=!none')]).toEqual([
        ['4'],
        [],
        ['4'],
      ]);
      const expressed = (filter: string) => found(`filter=${encodeURIComponent(filter)}`);
      expect(await expressed('metadata.severity = high OR metadata.score >= 10')).toEqual(['2', '3']);
      expect(await expressed('metadata.score < 10 AND metadata.score > -3')).toEqual(['1']);
      expect(await expressed('metadata.score <= 1 AND metadata.score != 1')).toEqual(['3']);
      expect(await expressed('metadata.score = 10')).toEqual(['2']);
      expect(await expressed('NOT metadata.score:*')).toEqual(['4']);
      expect(await expressed('metadata.found_on < 2026-01-01')).toEqual(['3']);
      const { body } = await app.as(ann).get(`/${kind}?endeavour_id=${garden}&filter=metadata.free%3D1`).expect(400);
      expect(fieldErrorsOf(body)).toEqual(['filter invalid_format']);
      const sorted = async (sort: string): Promise<string> =>
        (await read(`/${kind}?endeavour_id=${garden}&sort=${sort}`))
          .map(({ title }: { title: string }) => title)
          .join('');
      expect(await sorted('metadata.score,title')).toBe('3124');
      expect(await sorted('-metadata.score,title')).toBe('2134');
      expect(await sorted('metadata.severity,title')).toBe('1324');
      expect(await sorted('metadata.found_on,title')).toBe('3214');
      expect(await sorted('metadata.note,title')).toBe('1432');
      expect(await sorted('-metadata.urgent,title')).toBe('1234');
      expect(await sorted('metadata.link,title')).toBe('4123');
      // Pages follow the order; their cursors belong to it.
      const page = `/${kind}?endeavour_id=${garden}&sort=metadata.score&limit=2`;
      const { body: first } = await app.as(ann).get(page).expect(200);
      const { body: second } = await app.as(ann).get(`${page}&cursor=${first.meta.next_cursor}`).expect(200);
      expect([...first.data, ...second.data].map(({ title }) => title)).toEqual(['3', '1', '2', '4']);
      const yard = await app.endeavour(ann, { fields: [{ key: 'score', type: 'text' }] });
      const foreign = `/${kind}?endeavour_id=${yard}&sort=metadata.score&cursor=${first.meta.next_cursor}`;
      expect(faults(await app.as(ann).get(foreign).expect(400))).toEqual(['cursor invalid_format']);
    });

    it('are columns of CSV with the endeavour', async () => {
      await make({ severity: 'low', score: 2.5, areas: ['gate'], urgent: true }, '1');
      const csv = async (query: string): Promise<string[]> =>
        (await app.as(ann).get(`/${kind}?${query}`).set('Accept', 'text/csv').expect(200)).text.split('\r\n');
      const [header, row] = await csv(`endeavour_id=${garden}`);
      expect(header.endsWith(FIELDS.map(({ key }) => `,metadata.${key}`).join(''))).toBe(true);
      expect(row.endsWith(',low,2.5,,"[""gate""]",,,,true')).toBe(true);
      for (const query of ['', `endeavour_id=${garden}&fields=title,metadata`]) {
        expect((await csv(query))[0]).not.toContain('metadata.');
      }
    });
  });
});
