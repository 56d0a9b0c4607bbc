import { brokenInvariants } from '../faults/support/invariants.mjs';
import { TestApp } from '../support/test-app.js';
import { CommentLists } from './comment-lists.js';
import { Keys } from './keys.js';
import { Registers } from './registers.js';
import { ReplicaClient } from './wire.js';
import type { World } from './world.js';

const REPLICAS = 4;
const CLIENTS = 16;
const PLENTY = { LIMIT_READS_PER_MINUTE: '1000000', LIMIT_WRITES_PER_MINUTE: '1000000' };

describe('concurrent clients of four replicas', () => {
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
    world = { client: new ReplicaClient(ports), tokens: people.map(({ token }) => token), endeavour };
  });

  afterAll(async () => {
    world.client.close();
    for (const app of apps.toReversed()) await app.close();
  });

  it('see the revisions of a task in one order, in 3,000 reads and writes', async () => {
    const registers = new Registers(world, 8);
    const { anomalies, unknown } = await registers.run(3_000);
    expect(anomalies).toEqual([]);
    expect(unknown).toBeGreaterThan(0);
  });

  it('see the comments on a task only grow, in one order, in 1,325 reads and writes', async () => {
    const { anomalies, unknown } = await new CommentLists(world).run(1_325);
    expect(anomalies).toEqual([]);
    expect(unknown).toBeGreaterThan(0);
  });

  it('get one effect and one response for each of 75 idempotency keys, each used nine times', async () => {
    const { anomalies, unknown } = await new Keys(world).run(75);
    expect(anomalies).toEqual([]);
    expect(unknown).toBeGreaterThan(0);
  });

  it('leave one event for each revision in the change log, in the order of the revisions', async () => {
    const astray = await apps[0].database.query(
      `SELECT * FROM (
         SELECT entity_id, (data->>'revision')::integer AS revision,
           row_number() OVER (PARTITION BY entity_id ORDER BY sequence) AS nth
         FROM events WHERE entity_type IN ('task', 'comment')) told
       WHERE revision <> nth`,
    );
    expect(astray).toEqual([]);
    expect(await brokenInvariants((sql) => apps[0].database.query(sql))).toEqual([]);
  });
});
