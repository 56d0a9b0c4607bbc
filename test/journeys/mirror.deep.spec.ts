import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { TestApp, type Person } from '../support/test-app.js';
import { tokenOf } from '../support/tokens.js';

const PROGRAM = join(__dirname, '../../examples/mirror/mirror.mjs');
const ROUNDS = 6;
const WRITES = 40;

describe('the mirror of examples/mirror', () => {
  let app: TestApp;
  let ann: Person;
  let mia: Person;
  let token: string;
  let file: string;

  beforeAll(async () => {
    app = await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000' });
    [ann, mia] = [await app.person('Ann', { tier: 3 }), await app.person('Mia')];
    ({ token } = await tokenOf(app, mia, { scopes: ['*:read'] }));
    file = join(app.dataDir, 'mirror.sqlite');
  });

  afterAll(() => app.close());

  const run = (...args: string[]): ChildProcess =>
    spawn(process.execPath, [PROGRAM, ...args], {
      env: { ...process.env, API: `http://127.0.0.1:${app.port()}/api/v1`, TOKEN: token, FILE: file },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const verify = async (): Promise<string> => {
    const child = run('verify');
    const [out, err] = await Promise.all([text(child.stdout!), text(child.stderr!)]);
    return out + err;
  };
  /** Starts the program and returns once it has printed its position. */
  const following = async (): Promise<ChildProcess> => {
    const child = run();
    await once(child.stdout!, 'data');
    return child;
  };
  const kill = async (child: ChildProcess): Promise<void> => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };

  it(`equals the lists after ${ROUNDS} kills during changes, lost and gained rights, moves and archiving`, async () => {
    const [garden, shed, other] = [await app.endeavour(ann), await app.endeavour(ann), await app.endeavour(ann)];
    for (const place of [garden, shed]) await app.join(place, mia, 'viewer');
    const tasks: string[] = [];
    const demands: string[] = [];
    const write = async (n: number): Promise<void> => {
      const place = n % 3 === 0 ? shed : garden;
      const [task, demand] = [tasks[n % Math.max(1, tasks.length)], demands[n % Math.max(1, demands.length)]];
      if (n % 5 === 0) demands.push(await app.demand(ann, place, { title: `Wish ${n}` }));
      if (n % 4 === 0) tasks.push(await app.task(ann, place, { title: `Task ${n}`, assignee_id: 'me' }));
      else if (n % 4 === 1)
        await app
          .as(ann)
          .patch(`/tasks/${task}`)
          .send({ estimate: n, title: `Task, again ${n}` });
      else if (n % 4 === 2)
        await app
          .as(ann)
          .patch(`/tasks/${task}`)
          .send({ status: n % 8 < 4 ? 'active' : 'planned' });
      else
        await app
          .as(ann)
          .patch(`/demands/${demand}`)
          .send({ priority: n % 2 === 0 ? 'low' : 'high' });
    };
    for (let n = 0; n < WRITES; n += 1) await write(n);
    for (let round = 0; round < ROUNDS; round += 1) {
      const child = await following();
      if (round === 1)
        await app.database.query('DELETE FROM endeavour_members WHERE endeavour_id = $1 AND user_id = $2', [
          shed,
          mia.id,
        ]);
      if (round === 2) await app.join(other, mia, 'viewer');
      if (round === 3) await app.join(shed, mia, 'viewer');
      if (round === 4) await app.as(ann).post(`/endeavours/${other}/archive`).send({ reason: 'Over' }).expect(200);
      for (let n = 0; n < WRITES; n += 1) {
        await write(round * WRITES + n);
        if (n === WRITES / 2) await kill(child);
      }
    }
    const [hidden, away] = [await app.endeavour(ann), await app.task(ann, garden)];
    const moved = await app.task(ann, garden);
    expect(await verify()).toContain('equal');
    // One task moves to an endeavour that the reader cannot see, the other to one that they can.
    await app.as(ann).patch(`/tasks/${away}`).send({ endeavour_id: hidden }).expect(200);
    await app.as(ann).patch(`/tasks/${moved}`).send({ endeavour_id: shed }).expect(200);
    const rows = tasks.length + demands.length + 1;
    expect(await verify()).toContain(`equal: ${rows} rows`);
    // A new copy has the same rows.
    rmSync(file);
    expect(await verify()).toContain(`equal: ${rows} rows`);
  });

  it('equals the lists while an endeavour is linked, made public and private, and transferred', async () => {
    const [home, next] = [await app.organization(ann), await app.organization(ann)];
    await app.join(home, mia, 'admin');
    const place = await app.endeavour(ann, { is_private: true });
    await app.task(ann, place);
    const rows = async (): Promise<number> => Number(/equal: (\d+) rows/.exec(await verify())?.[1]);
    const before = await rows();
    const link = (id: string) => app.as(ann).post(`/organizations/${id}/endeavours`).send({ endeavour_id: place });
    const hide = (isPrivate: boolean) => app.as(ann).patch(`/endeavours/${place}`).send({ is_private: isPrivate });
    const admit = (role: string) => app.as(ann).patch(`/organizations/${home}/members/${mia.id}`).send({ role });
    await link(home).expect(200);
    expect(await rows()).toBe(before + 1);
    await hide(false).expect(200);
    expect(await rows()).toBe(before + 1);
    await hide(true).expect(200);
    expect(await rows()).toBe(before + 1);
    await admit('member').expect(200);
    expect(await rows()).toBe(before);
    await admit('admin').expect(200);
    expect(await rows()).toBe(before + 1);
    await app.as(ann).post(`/endeavours/${place}/transfer`).send({ organization_id: next }).expect(200);
    expect(await rows()).toBe(before);
    await app.as(ann).post(`/endeavours/${place}/transfer`).send({ organization_id: home }).expect(200);
    expect(await rows()).toBe(before + 1);
    await app.as(ann).delete(`/organizations/${home}/endeavours/${place}`).expect(200);
    expect(await rows()).toBe(before);
  });

  it('starts again if the feed no longer contains its position', async () => {
    await app.task(ann, await app.endeavour(ann));
    await app.as(ann).get('/changes?after=now').expect(200);
    await app.database.query(`UPDATE feed_state SET dropped = head`);
    expect(await verify()).toMatch(/starting again[^]*equal: \d+ rows/);
  });
});
