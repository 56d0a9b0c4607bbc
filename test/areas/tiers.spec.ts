import type { Caller } from '../../src/access/authentication/caller.js';
import { CreationTally } from '../../src/access/tiers/creation-tally.js';
import { Tiers } from '../../src/access/tiers/tiers.js';
import { TIER_LIMITS, type TierLimits } from '../../src/common/tiers.js';
import { InProcessApp } from '../support/in-process-app.js';
import type { Person } from '../support/test-app.js';

let app: InProcessApp;
beforeAll(async () => (app = await InProcessApp.open()));
afterAll(() => app.close());

const limits = (...values: number[]): TierLimits =>
  Object.fromEntries(TIER_LIMITS.map((name, index) => [name, values[index]])) as TierLimits;

const LIMITS: Record<number, TierLimits> = {
  1: limits(1, 1, 3, 5, 5, 60),
  2: limits(5, 10, -1, 25, 25, 300),
  3: limits(-1, -1, -1, -1, -1, -1),
};

/** The person as services see the caller. */
const caller = (person: Person, tier: number, isAdmin = false): Caller => ({
  sessionId: '',
  userId: person.id,
  resourceId: person.resourceId,
  name: person.name,
  isAdmin,
  tier,
  limits: LIMITS[tier],
});

const tiers = () => app.nest.get(Tiers);
const usage = async (person: Person) => (await app.as(person).get('/auth/whoami').expect(200)).body.data.tier_usage;

describe('the limits of a tier', () => {
  it('allow an explorer one organization and one active endeavour; archived ones do not count', async () => {
    const ann = await app.person('Ann', { tier: 1 });
    const me = caller(ann, 1);
    await tiers().assertMayCreateOrganization(me);
    await tiers().assertMayActivateEndeavour(me);
    const [shop, garden] = [await app.organization(ann), await app.endeavour(ann)];
    const refusal = { code: 'tier_limit', details: { limit: 'max_orgs', allowed: 1, used: 1 } };
    await expect(tiers().assertMayCreateOrganization(me)).rejects.toMatchObject(refusal);
    await expect(tiers().assertMayActivateEndeavour(me)).rejects.toMatchObject({ code: 'tier_limit' });
    const { body } = await app.as(ann).post('/organizations').send({ name: 'Second' }).expect(403);
    expect(body.error).toMatchObject(refusal);
    await app.as(ann).post('/endeavours').send({ name: 'Second' }).expect(403);
    expect(await usage(ann)).toMatchObject({ orgs: 1, active_endeavours: 1, creations_per_hour: 2 });

    await app.database.query(`UPDATE organizations SET status = 'archived' WHERE id = $1`, [shop]);
    await app.database.query(`UPDATE endeavours SET status = 'archived' WHERE id = $1`, [garden]);
    await tiers().assertMayCreateOrganization(me);
    await tiers().assertMayActivateEndeavour(me);
    expect(await usage(ann)).toMatchObject({ orgs: 0, active_endeavours: 0 });
  });

  it('count endeavours, agents and teams in one organization', async () => {
    const [ann, ben] = [await app.person('Ann', { tier: 1 }), await app.person('Ben')];
    const shop = await app.organization(ann);
    for (let n = 0; n < 3; n++) await app.link(shop, await app.endeavour(ben));
    for (let n = 0; n < 5; n++) await app.join(shop, await app.person(`Bot ${n}`, { userType: 'agent' }), 'member');
    const me = caller(ann, 1);
    await expect(tiers().assertMayLinkEndeavour(me, shop)).rejects.toMatchObject({
      details: { limit: 'max_endeavours_per_org', allowed: 3, used: 3 },
    });
    await expect(tiers().assertMayActivateEndeavour(me, shop)).rejects.toMatchObject({ code: 'tier_limit' });
    await expect(tiers().assertMayAddResource(me, shop, 'agent')).rejects.toMatchObject({
      details: { limit: 'max_agents_per_org', allowed: 5, used: 5 },
    });
    await tiers().assertMayAddResource(me, shop, 'team');
    await tiers().assertMayAddResource(me, shop, 'human');
    await tiers().assertMayLinkEndeavour(caller(ann, 2), shop);
    expect(await usage(ann)).toMatchObject({ endeavours_per_org: 3, agents_per_org: 5, teams_per_org: 0 });
  });

  it('need no query if there are none', async () => {
    const ann = await app.person('Ann');
    const query = jest.spyOn(app.database, 'query');
    for (const me of [caller(ann, 3), caller(ann, 1, true)]) {
      await tiers().assertMayCreateOrganization(me);
      await tiers().assertMayActivateEndeavour(me, 'org_anything');
      await tiers().countCreated(me);
    }
    expect(query).not.toHaveBeenCalled();
    query.mockRestore();
  });

  it('hold for two concurrent creations', async () => {
    const me = caller(await app.person('Ann', { tier: 1 }), 1);
    const create = (id: string, meanwhile?: () => Promise<unknown>) =>
      app.database.transaction(async () => {
        await tiers().assertMayCreateOrganization(me);
        await app.database.query(
          `WITH placed AS (INSERT INTO entities (id, kind, organization_id, title) VALUES ($1, 'organization', $1, 'X'))
           INSERT INTO organizations (id, name, created_by) VALUES ($1, 'X', $2)`,
          [id, me.resourceId],
        );
        await meanwhile?.();
      });
    const [written, ended] = [new Signal(), new Signal()];
    const first = create(`org_${'1'.repeat(32)}`, () => {
      written.send();
      return ended.awaited;
    });
    await written.awaited;
    const second = create(`org_${'2'.repeat(32)}`);
    second.catch(() => undefined);
    await Promise.race([second, app.untilLockWaits(1)]);
    ended.send();
    await first;
    await expect(second).rejects.toMatchObject({ code: 'tier_limit' });
  });
});

/** A signal that others can wait for. */
class Signal {
  send: () => void;
  readonly awaited = new Promise<void>((resolve) => (this.send = resolve));
}

describe('creations per hour', () => {
  it('stop at the limit of the tier, and count successes only', async () => {
    const ann = await app.person('Ann');
    const garden = await app.endeavour(ann);
    await app.database.query('UPDATE users SET tier = 1 WHERE id = $1', [ann.id]);
    const create = (title: string) => app.as(ann).post('/tasks').send({ title, endeavour_id: garden });
    for (let tries = 0; tries < 5; tries++) await create('').expect(400);
    await create('First').expect(201);
    // The endeavour that was created before the limit applied counts, too.
    expect(await usage(ann)).toMatchObject({ creations_per_hour: 2 });
    await app.nest.get(CreationTally).flush();
    await app.database.query("UPDATE rate_counters SET count = 59 WHERE key LIKE 'creations:%'");

    const responses = await Promise.all(Array.from({ length: 4 }, (_, index) => create(`Task ${index}`)));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 429, 429, 429]);
    const refused = responses.find(({ status }) => status === 429);
    expect(refused?.body.error).toMatchObject({
      code: 'velocity_limit',
      details: { limit: 'max_creations_per_hour', allowed: 60 },
    });
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(3000);
    expect(await app.database.query('SELECT 1 FROM tasks WHERE endeavour_id = $1', [garden])).toHaveLength(2);
    expect(await usage(ann)).toMatchObject({ creations_per_hour: 60 });

    await app.database.query('UPDATE users SET is_admin = true WHERE id = $1', [ann.id]);
    await create('As an administrator').expect(201);
  });

  it('are shown in every tier, also where they are not limited, and for administrators', async () => {
    for (const person of [await app.person('Ben', { tier: 3 }), await app.admin('Ada')]) {
      const garden = await app.endeavour(person);
      const before = (await usage(person)).creations_per_hour;
      const create = (title: string, query = '') =>
        app.as(person).post(`/tasks${query}`).send({ title, endeavour_id: garden });
      await create('First').expect(201);
      await create('Second').set('Idempotency-Key', 'once').expect(201);
      await create('Second').set('Idempotency-Key', 'once').expect(201);
      await create('').expect(400);
      await create('Never', '?dry_run=true').expect(201);
      await app.as(person).get('/tasks').expect(200);
      expect(await usage(person)).toMatchObject({ creations_per_hour: before + 2, active_endeavours: 1 });
    }
  });

  it('of two replicas are shown together', async () => {
    const replica = await InProcessApp.open({}, app);
    const ben = await app.person('Ben', { tier: 3 });
    for (const each of [app, replica]) await each.as(ben).post('/organizations').send({ name: 'Shop' }).expect(201);
    await replica.close();
    expect(await usage(ben)).toMatchObject({ orgs: 2, creations_per_hour: 2 });
  });
});
