import type pg from 'pg';
import { House, type Person } from '../support/house.js';

let house: House;
let ann: Person;
let stranger: Person;
let own: string;
let theirs: string;
beforeAll(async () => {
  house = await House.open();
  [ann, stranger] = [await house.person('Ann'), await house.person('Stranger')];
  theirs = await house.task(ann, await house.endeavour(ann));
  own = await house.task(stranger, await house.endeavour(stranger));
});
afterAll(() => house.close());

/** Asks while somebody else has Ann's task in hand. */
async function whileItIsHeld<T>(ask: (holder: pg.Client) => Promise<T>): Promise<T> {
  const holder = await house.outside();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM entities WHERE id = $1 FOR UPDATE', [theirs]);
    return await ask(holder);
  } finally {
    await holder.end();
  }
}

describe("another tenant's task, held by somebody who works on it", () => {
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
  ])('is neither waited for nor locked by a stranger who asks for %s', async (_, make) => {
    const [path, body] = make();
    await whileItIsHeld(() => house.as(stranger).post(path).send(body).expect(400));
  });

  it('is waited for by its own people', async () => {
    const body = { entity_type: 'task', entity_id: theirs, content: 'Mine.' };
    await whileItIsHeld(async (holder) => {
      const asked = Promise.resolve(house.as(ann).post('/comments').send(body).expect(201));
      await house.untilWaiting(1);
      await holder.query('COMMIT');
      await asked;
    });
  });
});
