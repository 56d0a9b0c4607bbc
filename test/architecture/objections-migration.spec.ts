import { makeDataSource } from '../../src/platform/database/data-source.js';
import { ExistingObjections1763700003101 } from '../../src/migrations/1763700003101-existing-objections.js';
import { InvisibleComments1763700003102 } from '../../src/migrations/1763700003102-invisible-comments.js';
import { SCHEMA } from '../../src/schema.js';
import { Agreement, results } from '../support/dod.js';
import type { Person } from '../support/test-app.js';

const INVISIBLE = ['\u200b', '<!-- done -->', '&nbsp;&#8203;', '\u2060\ufeff'];

describe('evidence of a release that did not store all of it', () => {
  let agreed: Agreement;
  let cat: Person;

  beforeAll(async () => {
    agreed = await Agreement.open({ WORKERS: 'true' });
    cat = await agreed.app.person('Cat');
  });
  afterAll(() => agreed.app.close());

  /** Puts the rows into the state of that release, and applies the migrations that fill them. */
  async function upgrade(): Promise<void> {
    const source = await makeDataSource(agreed.app.service.connection, SCHEMA).initialize();
    const runner = source.createQueryRunner();
    await runner.query('SET session_replication_role = replica');
    await runner.query(
      'UPDATE approvals SET given_in = NULL, held_roles = NULL, kept_roles = NULL, lifted_at = NULL, ended_by_author = NULL',
    );
    await runner.query('UPDATE comments SET shows_text = true');
    await runner.query('SET session_replication_role = origin');
    await new ExistingObjections1763700003101().up(runner);
    await new InvisibleComments1763700003102().up(runner);
    await runner.release();
    await source.destroy();
  }
  const say = (id: string, person: Person, verdict: string) =>
    agreed.app.as(person).post('/approvals').send({ entity_type: 'task', entity_id: id, verdict }).expect(201);

  it('keeps a rejection that a move left behind, and judges that of one who had left as before', async () => {
    const { app, bob } = agreed;
    const [garden, shed] = [await agreed.bound({ type: 'peer_review' }), await agreed.bound({ type: 'peer_review' })];
    const [dia, fay] = [await app.person('Dia'), await app.person('Fay')];
    await app.join(garden, dia, 'admin');
    await app.join(garden, cat, 'member');
    const rejectedBy = async (person: Person): Promise<string> => {
      const id = await agreed.active(garden);
      await say(id, person, 'rejected');
      await say(id, bob, 'approved');
      return id;
    };
    const moved = await rejectedBy(cat);
    await agreed.patch(moved, { endeavour_id: shed }).expect(200);
    await app.join(garden, fay, 'member');
    const left = await rejectedBy(fay);
    await app.as(dia).delete(`/endeavours/${garden}/members/${fay.id}`).expect(200);
    await upgrade();
    expect((await agreed.check(moved)).result).toBe('not_met');
    expect((await agreed.check(left)).result).toBe('met');
    await agreed.patch(left, { title: 'Oil the gate' }, dia).expect(200);
    await say(left, bob, 'approved');
    expect((await agreed.check(left)).result).toBe('not_met');
    await app.as(dia).delete(`/endeavours/${garden}/members/${cat.id}`).expect(200);
    expect((await agreed.check(moved)).result).toBe('met');
  });

  it('counts no comment that shows nothing', async () => {
    const { app, ann } = agreed;
    const garden = await agreed.bound({ type: 'comment_required', params: { min_comments: 2 } });
    const id = await agreed.active(garden);
    for (const content of [...INVISIBLE, 'Fine', 'A & B']) {
      await app.as(ann).post('/comments').send({ entity_type: 'task', entity_id: id, content }).expect(201);
    }
    await upgrade();
    const check = await agreed.check(id);
    expect(results(check)).toEqual(['comment_required passed']);
    expect(check.rested_on).toHaveLength(2);
    const other = await agreed.active(garden);
    for (const content of [...INVISIBLE, 'Fine']) {
      await app.as(ann).post('/comments').send({ entity_type: 'task', entity_id: other, content }).expect(201);
    }
    await upgrade();
    expect(results(await agreed.check(other))).toEqual(['comment_required failed']);
  });
});
