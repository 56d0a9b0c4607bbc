import { setRoleLimits } from '../../src/platform/process/role-limits.js';
import { asService } from '../../src/platform/process/service-role.js';
import { TestApp } from '../support/test-app.js';

/** Longer than the default statement timeout of the service. */
const LONG_SECONDS = 8;

describe('the feed of a database that was restored into another cluster', () => {
  let app: TestApp;
  let restored: TestApp;

  beforeAll(async () => {
    app = await TestApp.open();
    await setRoleLimits(asService(app.service.connection));
    restored = await TestApp.open({}, app);
  });

  afterAll(async () => {
    await restored.close();
    await app.close();
  });

  it('is renumbered, even if a statement takes longer than other requests allow', async () => {
    const ann = await app.person('Ann');
    const { body: now } = await app.as(ann).get('/changes?after=now').expect(200);
    const garden = await app.endeavour(ann);
    await app.observer.query(`
      UPDATE feed_state SET seen = '4000000000:4000000000:';
      CREATE FUNCTION take_long() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_sleep(${LONG_SECONDS});
        RETURN NEW;
      END $$;
      CREATE TRIGGER takes_long BEFORE UPDATE ON feed_state FOR EACH ROW WHEN (NEW.seen = '2:2:')
        EXECUTE FUNCTION take_long()`);
    const { body } = await restored.as(ann).get(`/changes?after=${now.meta.next}&entity_id=${garden}`).expect(200);
    expect(body.data).toEqual([expect.objectContaining({ type: 'endeavour.created', entity_id: garden })]);
  });
});
