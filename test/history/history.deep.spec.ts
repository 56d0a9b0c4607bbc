import { sweep } from '../faults/support/invariants.mjs';
import { TestApp } from '../support/test-app.js';
import { CommentLists } from './comment-lists.js';
import { Keys } from './keys.js';
import { Registers } from './registers.js';
import { Wire } from './wire.js';
import type { World } from './world.js';

const REPLICAS = 4;
const CLIENTS = 16;
const PLENTY = { LIMIT_READS_PER_MINUTE: '1000000', LIMIT_WRITES_PER_MINUTE: '1000000' };

describe('what many clients of four replicas see', () => {
  const apps: TestApp[] = [];
  let world: World;

  beforeAll(async () => {
    const first = await TestApp.open(PLENTY);
    apps.push(first);
    while (apps.length < REPLICAS) apps.push(await TestApp.open(PLENTY, first));
    const ports = apps.map((app) => app.port());
    const people = await Promise.all(Array.from({ length: CLIENTS }, (_, n) => first.person(`Client ${n}`)));
    const endeavour = await first.endeavour(people[0]);
    for (const person of people.slice(1)) await first.join(endeavour, person, 'member');
    world = { wire: new Wire(ports), tokens: people.map(({ token }) => token), endeavour };
  });

  afterAll(async () => {
    world.wire.close();
    for (const app of apps.toReversed()) await app.close();
  });

  it('of a task is one revision after the other, for every client, in 3,000 reads and writes', async () => {
    const registers = new Registers(world, 8);
    const { anomalies, unknown } = await registers.run(3_000);
    expect(anomalies).toEqual([]);
    expect(unknown).toBeGreaterThan(0);
  });

  it('of the comments on a task only grows, in one order, in 1,325 reads and writes', async () => {
    const { anomalies, unknown } = await new CommentLists(world).run(1_325);
    expect(anomalies).toEqual([]);
    expect(unknown).toBeGreaterThan(0);
  });

  it('of 75 idempotency keys, each used eight times at once and once later, is one effect and one answer', async () => {
    const { anomalies, unknown } = await new Keys(world).run(75);
    expect(anomalies).toEqual([]);
    expect(unknown).toBeGreaterThan(0);
  });

  it('is what the change log tells, one event for each revision and in their order', async () => {
    const astray = await apps[0].database.query(
      `SELECT * FROM (
         SELECT entity_id, (data->>'revision')::integer AS revision,
           row_number() OVER (PARTITION BY entity_id ORDER BY sequence) AS nth
         FROM events WHERE entity_type IN ('task', 'comment')) told
       WHERE revision <> nth`,
    );
    expect(astray).toEqual([]);
    expect(await sweep((sql) => apps[0].database.query(sql))).toEqual([]);
  });
});
