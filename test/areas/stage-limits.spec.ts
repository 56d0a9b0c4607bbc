import { Agreement } from '../support/dod.js';
import { race } from '../support/races.js';
import type { Person, TestApp } from '../support/test-app.js';

const FIELD = { type: 'field_populated', params: { field: 'description' } };

describe('limits of stages', () => {
  let ours: Agreement;
  let app: TestApp;
  let [ann, bob]: Person[] = [];
  let crew: Person[];
  let garden: string;

  beforeAll(async () => {
    ours = await Agreement.open({ WORKERS: 'true', OPERATION_PIECE: '3', LIMIT_WRITES_PER_MINUTE: '100000' });
    ({ app, ann, bob } = ours);
    crew = [bob, await app.person('Cat'), await app.person('Dan'), await app.person('Eli')];
  });

  beforeEach(async () => {
    garden = await board(2);
  });

  afterAll(() => app.close());

  const board = async (limit: number): Promise<string> => {
    const id = await app.endeavour(ann, {
      stages: [
        { name: 'Backlog', status: 'planned' },
        { name: 'Ready', status: 'planned', wip_limit: limit },
        { name: 'Doing', status: 'active' },
        { name: 'Review', status: 'active', wip_limit: limit },
        { name: 'Shipped', status: 'done' },
      ],
    });
    for (const person of crew) await app.join(id, person, 'member');
    return id;
  };
  const patch = (path: string, body: object, person = bob) => app.as(person).patch(path).send(body);
  const move = (id: string, stage: string, person = bob) => patch(`/tasks/${id}`, { stage }, person);
  const tasks = (count: number, more: object = {}, endeavour = garden): Promise<string[]> =>
    Promise.all(Array.from({ length: count }, () => app.task(bob, endeavour, more)));
  const countIn = async (stage: string, endeavour = garden): Promise<number> =>
    (await app.as(ann).get(`/tasks/summary?endeavour_id=${endeavour}&stage=${stage}`).expect(200)).body.data.total;
  const full = { code: 'conflict', details: { reason: 'wip_limit', stage: expect.any(String), limit: 2 } };
  const fill = async (stage: string): Promise<void> => {
    for (const id of await tasks(2)) await move(id, stage).expect(200);
  };
  const bulk = async (body: object, person = bob) => {
    const filter = { endeavour_id: garden, stage: 'Backlog' };
    const { headers } = await app
      .as(person)
      .post('/tasks/bulk')
      .send({ filter, ...body })
      .expect(202);
    return (await app.ended(person, headers.location)).body.data.result;
  };

  it('refuse members and admit endeavour admins, whether the status changes or not', async () => {
    const [one, two, three] = await tasks(3);
    await fill('Review');
    expect((await move(one, 'Review').expect(409)).body.error).toMatchObject(full);
    await patch(`/tasks/${one}`, { status: 'active' }).expect(200);
    expect((await move(one, 'Review').expect(409)).body.error).toMatchObject(full);
    await move(one, 'Review', ann).expect(200);
    expect(await countIn('Review')).toBe(3);
    // Of those that are in it, each can be changed.
    await patch(`/tasks/${one}`, { stage: 'Review', title: 'Checked' }).expect(200);
    await fill('Ready');
    const sent = { title: 'Dig', endeavour_id: garden, stage: 'Ready' };
    expect((await app.as(bob).post('/tasks').send(sent).expect(409)).body.error).toMatchObject(full);
    await app.as(ann).post('/tasks').send(sent).expect(201);
    expect((await move(two, 'Ready').expect(409)).body.error).toMatchObject(full);
    const dry = await app.as(bob).patch(`/tasks/${three}?dry_run=true`).send({ stage: 'Ready' }).expect(409);
    expect(dry.body.error).toMatchObject(full);
  });

  it('do not meet a change of only the status, and nothing that was there before', async () => {
    const id = await app.endeavour(ann, { stages: [{ name: 'Doing', status: 'active', wip_limit: 1 }] });
    await app.join(id, bob, 'member');
    for (const task of await tasks(3, {}, id)) await patch(`/tasks/${task}`, { status: 'active' }).expect(200);
    expect(await countIn('Doing', id)).toBe(3);
    const shed = await app.endeavour(ann);
    await app.join(shed, bob, 'member');
    await tasks(2, {}, shed);
    const stages = [{ name: 'First', status: 'planned', wip_limit: 2 }];
    await patch(`/endeavours/${shed}`, { stages }, ann).expect(200);
    const sent = { title: 'Dig', endeavour_id: shed, stage: 'First' };
    expect((await app.as(bob).post('/tasks').send(sent).expect(409)).body.error).toMatchObject(full);
    await tasks(1, {}, shed);
    expect(await countIn('First', shed)).toBe(3);
  });

  it('come before the Definition of Done, which a change of the stage meets too', async () => {
    await ours.assign(garden, await ours.policy(FIELD)).expect(200);
    await ours.endorse(garden, bob).expect(201);
    const [task] = await tasks(1);
    await move(task, 'Doing').expect(200);
    expect((await move(task, 'Shipped').expect(409)).body.error.code).toBe('dod_not_met');
    await patch(`/tasks/${task}`, { description: 'Green' }).expect(200);
    expect((await move(task, 'Shipped').expect(200)).body.data).toMatchObject({
      status: 'done',
      stage_name: 'Shipped',
    });
    await fill('Review');
    expect((await move(task, 'Review').expect(409)).body.error).toMatchObject(full);
    expect((await app.as(bob).get(`/tasks/${task}`).expect(200)).body.data.status).toBe('done');
  });

  it('are a filled field for a Definition of Done', async () => {
    await ours.assign(garden, await ours.policy({ type: 'field_populated', params: { field: 'stage' } })).expect(200);
    await ours.endorse(garden, bob).expect(201);
    const [task] = await tasks(1);
    await move(task, 'Doing').expect(200);
    await patch(`/tasks/${task}`, { status: 'done' }).expect(200);
  });

  it('hold for bulk changes, and for what their dry run says', async () => {
    await tasks(4);
    const expected = { changed: 2, unchanged: 0, refused: 2 };
    const preview = await bulk({ changes: { stage: 'Ready' }, dry_run: true });
    expect(preview).toMatchObject({ dry_run: true, ...expected });
    expect(await countIn('Ready')).toBe(0);
    const result = await bulk({ changes: { stage: 'Ready' } });
    expect(result).toMatchObject({ dry_run: false, ...expected, refusals: preview.refusals });
    expect(result.refusals).toMatchObject([{ reason: 'wip_limit' }, { reason: 'wip_limit' }]);
    expect(await countIn('Ready')).toBe(2);
    expect(await bulk({ changes: { stage: 'Review' } }, ann)).toMatchObject({ changed: 2, refused: 0 });
    await tasks(2);
    expect(await bulk({ changes: { status: 'active' } })).toMatchObject({ changed: 2, refused: 0 });
    expect(await countIn('Doing')).toBe(2);
  });

  race('are never exceeded by twenty who move tasks at once', 2, async (round) => {
    const limit = 1 + ((round * 7 + 3) % 6);
    const yard = await board(limit);
    const [early, late] = [await tasks(10, {}, yard), await tasks(10, {}, yard)];
    for (const id of late) await patch(`/tasks/${id}`, { status: 'active' }).expect(200);
    const answers = await Promise.all(
      [...early, ...late].map(async (id, at) => (await move(id, 'Review', crew[at % crew.length])).status),
    );
    expect(answers.filter((status) => status === 200)).toHaveLength(limit);
    expect(answers.filter((status) => status === 409)).toHaveLength(20 - limit);
    expect(await countIn('Review', yard)).toBe(limit);
  });

  it('and stages stay consistent if statements write the rows directly', async () => {
    const yard = await board(2);
    const shed = await app.endeavour(ann);
    const ids = await tasks(4, {}, yard);
    const stage = async (name: string): Promise<string> => {
      const { stages } = (await app.as(ann).get(`/endeavours/${yard}`).expect(200)).body.data;
      return (stages as { id: string; name: string }[]).find((one) => one.name === name)?.id ?? '';
    };
    const [ready, review] = [await stage('Ready'), await stage('Review')];
    const writes = [
      `status = 'active', started_at = now()`,
      `stage = '${ready}'`,
      `stage = '${review}'`,
      `stage = 'stg_0'`,
      'stage = NULL',
      `status = 'planned', started_at = NULL`,
      `status = 'canceled', canceled_at = now(), canceled_reason = 'Rain'`,
      `status = 'planned', canceled_at = NULL, canceled_reason = NULL`,
      `status = 'active', stage = '${review}', canceled_at = NULL, canceled_reason = NULL`,
      `endeavour_id = '${shed}'`,
      `stage = '${ready}'`,
      `endeavour_id = '${yard}'`,
    ];
    const broken = `SELECT t.id FROM tasks t JOIN endeavours e ON e.id = t.endeavour_id
      WHERE t.id = ANY($1) AND CASE WHEN e.stages IS NULL THEN t.stage IS NOT NULL
        ELSE t.status <> 'canceled' AND (t.stage IS NULL OR stage_in(e.stages, t.status, t.stage) ->> 'id' <> t.stage) END`;
    for (const set of writes) {
      await app.database.query(`UPDATE tasks SET ${set} WHERE id = ANY($1)`, [ids]);
      expect([set, await app.database.query(broken, [ids])]).toEqual([set, []]);
    }
  });
});
