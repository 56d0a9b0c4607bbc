import { TestApp, type Person } from '../support/test-app.js';

const ROUNDS = 20;
const rounds = Array.from({ length: ROUNDS }, (_, round) => round);

describe('the rights of a user', () => {
  let app: TestApp;
  let replica: TestApp;
  let owner: Person;
  let administrator: Person;

  beforeAll(async () => {
    app = await TestApp.open();
    replica = await TestApp.open({}, app);
    [owner, administrator] = [await app.person('Owner'), await app.admin()];
  });

  afterAll(async () => {
    await replica.close();
    await app.close();
  });

  /** Revokes something at one replica, alternating between the two, and then sends a request to both. */
  const afterwards = async (
    round: number,
    take: (at: TestApp) => PromiseLike<unknown>,
    ask: (at: TestApp) => PromiseLike<unknown>,
  ): Promise<void> => {
    const [here, there] = round % 2 === 0 ? [app, replica] : [replica, app];
    await take(here);
    await ask(there);
    await ask(here);
  };

  /** The same for a change of the user by an administrator. */
  const afterChange = (
    round: number,
    { id }: Person,
    change: object,
    ask: (at: TestApp) => PromiseLike<unknown>,
  ): Promise<void> => {
    const take = (at: TestApp) => at.as(administrator).patch(`/users/${id}`).send(change).expect(200);
    return afterwards(round, take, ask);
  };

  /** Sends a request of the person to both replicas, so that anything that they cache could be stale. */
  const known = async (person: Person, path: string): Promise<void> => {
    for (const at of [app, replica]) await at.as(person).get(path).expect(200);
  };

  describe.each(['endeavours', 'organizations'] as const)('in %s', (containers) => {
    const make = async (role: string): Promise<{ person: Person; id: string; path: string; membership: string }> => {
      const id = containers === 'endeavours' ? await app.endeavour(owner) : await app.organization(owner);
      const person = await app.person('Member');
      await app.join(id, person, role);
      const path = `/${containers}/${id}`;
      await known(person, path);
      return { person, id, path, membership: `${path}/members/${person.id}` };
    };

    it('end with their removal, at the next request', async () => {
      for (const round of rounds) {
        const { person, path, membership } = await make('admin');
        await afterwards(
          round,
          (at) => at.as(owner).delete(membership).expect(200),
          async (at) => {
            await at.as(person).get(path).expect(404);
            await at.as(person).patch(path).send({ description: 'Mine' }).expect(404);
          },
        );
      }
    });

    it('shrink with their role, at the next request', async () => {
      for (const round of rounds) {
        const { person, path, membership } = await make('admin');
        await afterwards(
          round,
          (at) => at.as(owner).patch(membership).send({ role: 'member' }).expect(200),
          async (at) => {
            await at.as(person).get(path).expect(200);
            await at.as(person).patch(path).send({ description: 'Mine' }).expect(403);
          },
        );
      }
    });
  });

  it('in an endeavour end with their membership in its organization, and with the link between the two', async () => {
    for (const round of rounds) {
      const organization = await app.organization(owner);
      const endeavour = await app.endeavour(owner, { organization_id: organization });
      const person = await app.person('Member');
      await app.join(organization, person, 'member');
      await known(person, `/endeavours/${endeavour}`);
      const end =
        round % 4 < 2
          ? `/organizations/${organization}/members/${person.id}`
          : `/organizations/${organization}/endeavours/${endeavour}`;
      await afterwards(
        round,
        (at) => at.as(owner).delete(end).expect(200),
        async (at) => {
          await at.as(person).get(`/endeavours/${endeavour}`).expect(404);
          const { body } = await at.as(person).get('/endeavours').expect(200);
          expect(body.data).toEqual([]);
        },
      );
    }
  });

  it('end with their suspension, at the next request', async () => {
    for (const round of rounds) {
      const person = await app.person('Suspended');
      await known(person, '/auth/whoami');
      await afterChange(round, person, { status: 'suspended' }, (at) => at.as(person).get('/auth/whoami').expect(401));
    }
  });

  it('to write end with their suspension', async () => {
    for (const round of rounds) {
      const person = await app.person('Suspended');
      const garden = await app.endeavour(person);
      const task = await app.task(person, garden);
      await known(person, `/tasks/${task}`);
      await afterChange(round, person, { status: 'suspended' }, async (at) => {
        await at.as(person).patch(`/tasks/${task}`).send({ status: 'active' }).expect(401);
        await at.as(person).post('/tasks').send({ title: 'Mine', endeavour_id: garden }).expect(401);
        await at.as(person).post('/tasks').send({ title: '' }).expect(401);
      });
      const { body } = await app.as(administrator).get(`/tasks?endeavour_id=${garden}`).expect(200);
      expect(body.data).toMatchObject([{ id: task, status: 'planned', revision: 1 }]);
    }
  });

  it('include those of an administrator at the next request after a promotion', async () => {
    const garden = await app.endeavour(owner);
    const task = await app.task(owner, garden);
    for (const round of rounds) {
      const person = await app.person('Promoted');
      await known(person, '/auth/whoami');
      await afterChange(round, person, { is_admin: true }, (at) =>
        at
          .as(person)
          .patch(`/tasks/${task}`)
          .send({ description: `Ours, ${round}` })
          .expect(200),
      );
    }
  });

  it('are limited by a new tier at the next request', async () => {
    for (const round of rounds) {
      const person = await app.person('Moved down', { tier: 3 });
      await app.endeavour(person);
      await known(person, '/auth/whoami');
      await afterChange(round, person, { tier: 1 }, async (at) => {
        const body = { name: 'One more', status: 'active' };
        const { body: refusal } = await at.as(person).post('/endeavours').send(body).expect(403);
        expect(refusal.error.code).toBe('tier_limit');
      });
      const back = { tier: 3 };
      await app.as(administrator).patch(`/users/${person.id}`).send(back).expect(200);
      await replica.as(person).post('/endeavours').send({ name: 'Another', status: 'active' }).expect(201);
      const { body } = await app.as(person).get('/endeavours').expect(200);
      expect(body.meta.total).toBe(2);
    }
  });

  it('exclude those of an administrator at the next request after a demotion', async () => {
    for (const round of rounds) {
      const person = await app.admin('Deposed');
      await known(person, '/users');
      await afterChange(round, person, { is_admin: false }, (at) => at.as(person).get('/users').expect(403));
    }
  });

  const seesNothing = async (at: TestApp, person: Person, task: string) => {
    await at.as(person).get(`/tasks/${task}`).expect(404);
    const { body } = await at.as(person).get('/tasks').expect(200);
    expect(body.data).toEqual([]);
  };
  const changesNothing = (at: TestApp, person: Person, task: string) =>
    at.as(person).patch(`/tasks/${task}`).send({ description: 'Mine' }).expect(404);

  it.each([
    ['see all tasks', seesNothing],
    ['change all tasks', changesNothing],
  ])('let an administrator %s until a demotion, and only their own at the next request', async (_, ask) => {
    const garden = await app.endeavour(owner);
    const task = await app.task(owner, garden);
    for (const round of rounds) {
      const person = await app.admin('Deposed');
      await known(person, `/tasks/${task}`);
      await afterChange(round, person, { is_admin: false }, (at) => ask(at, person, task));
    }
  });

  it('grow with a promotion to administrator, at the next request', async () => {
    const garden = await app.endeavour(owner);
    for (const round of rounds) {
      const person = await app.person('Promoted');
      for (const at of [app, replica]) await at.as(person).get(`/endeavours/${garden}`).expect(404);
      await afterChange(round, person, { is_admin: true }, (at) =>
        at.as(person).get(`/endeavours/${garden}`).expect(200),
      );
    }
  });

  it('end with their logout, also for requests that are invalid anyway', async () => {
    for (const round of rounds) {
      const person = await app.person('Gone');
      await known(person, '/auth/whoami');
      await afterwards(
        round,
        (at) => at.as(person).post('/auth/logout').expect(200),
        async (at) => {
          await at.as(person).get('/tasks/no-id').expect(401);
          await at.as(person).get('/tasks?limit=none').expect(401);
        },
      );
    }
  });

  it('end with their logout for that token, and for no other, at the next request', async () => {
    for (const round of rounds) {
      const person = await app.person('Gone');
      const elsewhere = await app.signInAgain(person);
      await known(person, '/auth/whoami');
      await afterwards(
        round,
        (at) => at.as(person).post('/auth/logout').expect(200),
        async (at) => {
          await at.as(person).get('/auth/whoami').expect(401);
          await at.as(elsewhere).get('/auth/whoami').expect(200);
        },
      );
    }
  });
});
