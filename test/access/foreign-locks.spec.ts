import type pg from 'pg';
import { TestApp, type Person } from '../support/test-app.js';

let app: TestApp;
let ann: Person;
let stranger: Person;
let own: string;
let theirs: string;
beforeAll(async () => {
  app = await TestApp.open();
  [ann, stranger] = [await app.person('Ann'), await app.person('Stranger')];
  theirs = await app.task(ann, await app.endeavour(ann));
  own = await app.task(stranger, await app.endeavour(stranger));
});
afterAll(() => app.close());

/** Sends a request while another transaction holds the lock on Ann's task. */
async function whileItIsHeld<T>(ask: (holder: pg.Client) => Promise<T>): Promise<T> {
  const holder = await app.openConnection();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM entities WHERE id = $1 FOR UPDATE', [theirs]);
    return await ask(holder);
  } finally {
    await holder.end();
  }
}

describe("another tenant's task that is locked by a member", () => {
  const relation = (source_entity_id: string, target_entity_id: string) => ({
    source_entity_type: 'task',
    source_entity_id,
    target_entity_type: 'task',
    target_entity_id,
    relationship_type: 'relates_to',
  });

  it.each<[string, () => [path: string, body: object]]>([
    ['a comment on it', () => ['/comments', { entity_type: 'task', entity_id: theirs, content: 'Mine?' }]],
    ['an approval of it', () => ['/approvals', { entity_type: 'task', entity_id: theirs, verdict: 'approved' }]],
    ['an artifact at it', () => ['/artifacts', { task_id: theirs, title: 'Plan', kind: 'doc' }]],
    ['a relation from it', () => ['/relations', relation(theirs, own)]],
    ['a relation to it', () => ['/relations', relation(own, theirs)]],
  ])('neither delays nor is locked by a stranger who creates %s', async (_, make) => {
    const [path, body] = make();
    await whileItIsHeld(() => app.as(stranger).post(path).send(body).expect(400));
  });

  it('delays writes of members until the lock is released', async () => {
    const body = { entity_type: 'task', entity_id: theirs, content: 'Mine.' };
    await whileItIsHeld(async (holder) => {
      const asked = Promise.resolve(app.as(ann).post('/comments').send(body).expect(201));
      await app.untilLockWaits(1);
      await holder.query('COMMIT');
      await asked;
    });
  });
});
