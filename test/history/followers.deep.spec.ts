import { TestApp } from '../support/test-app.js';
import { Followers } from './followers.js';
import { Wire } from './wire.js';

const REPLICAS = 4;
const PLENTY = { LIMIT_READS_PER_MINUTE: '1000000', LIMIT_WRITES_PER_MINUTE: '1000000' };

describe('the feed that clients follow over four replicas', () => {
  it('has every committed event once, in order, beside transactions that stay open', async () => {
    const first = await TestApp.open(PLENTY);
    const apps = [first];
    while (apps.length < REPLICAS) apps.push(await TestApp.open(PLENTY, first));
    const ann = await first.person('Ann');
    const endeavour = await first.endeavour(ann);
    const world = { wire: new Wire(apps.map((app) => app.port())), tokens: [ann.token], endeavour };
    const sizes = { events: 5_000, writers: 16, readers: 4, atOnce: 20 };
    const { events, anomalies } = await new Followers(world, first.service.connection).run(sizes);
    world.wire.close();
    for (const app of apps.toReversed()) await app.close();
    expect(anomalies).toEqual([]);
    expect(events).toBeGreaterThanOrEqual(sizes.events);
  });
});
