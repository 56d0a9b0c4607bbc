import { TestApp } from '../support/test-app.js';
import { Followers } from './followers.js';
import { ReplicaClient } from './wire.js';

const REPLICAS = 4;
const PLENTY = { LIMIT_READS_PER_MINUTE: '1000000', LIMIT_WRITES_PER_MINUTE: '1000000' };

describe('the feed, read from four replicas', () => {
  it('contains every committed event once and in order, despite long-running transactions', async () => {
    const first = await TestApp.open(PLENTY);
    const apps = [first];
    while (apps.length < REPLICAS) apps.push(await TestApp.open(PLENTY, first));
    const ann = await first.person('Ann');
    const endeavour = await first.endeavour(ann);
    const world = { client: new ReplicaClient(apps.map((app) => app.port())), tokens: [ann.token], endeavour };
    const sizes = { events: 5_000, writers: 16, readers: 4, maxEventsPerTransaction: 20 };
    const { events, anomalies } = await new Followers(world, first.service.connection).run(sizes);
    world.client.close();
    for (const app of apps.toReversed()) await app.close();
    expect(anomalies).toEqual([]);
    expect(events).toBeGreaterThanOrEqual(sizes.events);
  });
});
