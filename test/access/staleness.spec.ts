import { House, type Person } from '../support/house.js';

const ROUNDS = 20;
const rounds = Array.from({ length: ROUNDS }, (_, round) => round);

describe('what somebody may do', () => {
  let house: House;
  let replica: House;
  let owner: Person;
  let administrator: Person;

  beforeAll(async () => {
    house = await House.open();
    replica = await House.open({}, house);
    [owner, administrator] = [await house.person('Owner'), await house.admin()];
  });

  afterAll(async () => {
    await replica.close();
    await house.close();
  });

  /** Takes something away at one replica, each in turn, and then asks at both. */
  const afterwards = async (
    round: number,
    take: (at: House) => PromiseLike<unknown>,
    ask: (at: House) => PromiseLike<unknown>,
  ): Promise<void> => {
    const [here, there] = round % 2 === 0 ? [house, replica] : [replica, house];
    await take(here);
    await ask(there);
    await ask(here);
  };

  /** Lets both replicas know them, so that anything they might remember is there to be stale. */
  const known = async (person: Person, path: string): Promise<void> => {
    for (const at of [house, replica]) await at.as(person).get(path).expect(200);
  };

  describe.each(['endeavours', 'organizations'] as const)('in %s', (containers) => {
    const make = async (role: string): Promise<{ person: Person; id: string; path: string; membership: string }> => {
      const id = containers === 'endeavours' ? await house.endeavour(owner) : await house.organization(owner);
      const person = await house.person('Member');
      await house.join(id, person, role);
      const path = `/${containers}/${id}`;
      await known(person, path);
      return { person, id, path, membership: `${path}/members/${person.id}` };
    };

    it('ends with their removal, at the next request', async () => {
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

    it('shrinks with their role, at the next request', async () => {
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

  it('in an endeavour ends with their place in its organization, and with the link between the two', async () => {
    for (const round of rounds) {
      const organization = await house.organization(owner);
      const endeavour = await house.endeavour(owner, { organization_id: organization });
      const person = await house.person('Member');
      await house.join(organization, person, 'member');
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

  it('ends with their suspension, at the next request', async () => {
    for (const round of rounds) {
      const person = await house.person('Suspended');
      await known(person, '/auth/whoami');
      await afterwards(
        round,
        (at) => at.as(administrator).patch(`/users/${person.id}`).send({ status: 'suspended' }).expect(200),
        (at) => at.as(person).get('/auth/whoami').expect(401),
      );
    }
  });

  it('ends with their suspension for writing too', async () => {
    for (const round of rounds) {
      const person = await house.person('Suspended');
      const garden = await house.endeavour(person);
      const task = await house.task(person, garden);
      await known(person, `/tasks/${task}`);
      await afterwards(
        round,
        (at) => at.as(administrator).patch(`/users/${person.id}`).send({ status: 'suspended' }).expect(200),
        async (at) => {
          await at.as(person).patch(`/tasks/${task}`).send({ status: 'active' }).expect(401);
          await at.as(person).post('/tasks').send({ title: 'Mine', endeavour_id: garden }).expect(401);
          await at.as(person).post('/tasks').send({ title: '' }).expect(401);
        },
      );
      const { body } = await house.as(administrator).get(`/tasks?endeavour_id=${garden}`).expect(200);
      expect(body.data).toMatchObject([{ id: task, status: 'planned', revision: 1 }]);
    }
  });

  it('is to change what everybody may, until they are no administrator; then, at the next request, what is theirs', async () => {
    const garden = await house.endeavour(owner);
    const task = await house.task(owner, garden);
    for (const round of rounds) {
      const person = await house.admin('Deposed');
      await known(person, `/tasks/${task}`);
      await afterwards(
        round,
        (at) => at.as(administrator).patch(`/users/${person.id}`).send({ is_admin: false }).expect(200),
        (at) => at.as(person).patch(`/tasks/${task}`).send({ description: 'Mine' }).expect(404),
      );
    }
  });

  it('is to change what everybody may, at the next request after they have become an administrator', async () => {
    const garden = await house.endeavour(owner);
    const task = await house.task(owner, garden);
    for (const round of rounds) {
      const person = await house.person('Promoted');
      await known(person, '/auth/whoami');
      await afterwards(
        round,
        (at) => at.as(administrator).patch(`/users/${person.id}`).send({ is_admin: true }).expect(200),
        (at) =>
          at
            .as(person)
            .patch(`/tasks/${task}`)
            .send({ description: `Ours, ${round}` })
            .expect(200),
      );
    }
  });

  it('is what their tier allows now, at the next request, and is done once', async () => {
    for (const round of rounds) {
      const person = await house.person('Moved down', { tier: 3 });
      await house.endeavour(person);
      await known(person, '/auth/whoami');
      await afterwards(
        round,
        (at) => at.as(administrator).patch(`/users/${person.id}`).send({ tier: 1 }).expect(200),
        async (at) => {
          const body = { name: 'One more', status: 'active' };
          const { body: refusal } = await at.as(person).post('/endeavours').send(body).expect(403);
          expect(refusal.error.code).toBe('tier_limit');
        },
      );
      const back = { tier: 3 };
      await house.as(administrator).patch(`/users/${person.id}`).send(back).expect(200);
      await replica.as(person).post('/endeavours').send({ name: 'Another', status: 'active' }).expect(201);
      const { body } = await house.as(person).get('/endeavours').expect(200);
      expect(body.meta.total).toBe(2);
    }
  });

  it('is that of everybody once they are no administrator, at the next request', async () => {
    for (const round of rounds) {
      const person = await house.admin('Deposed');
      await known(person, '/users');
      await afterwards(
        round,
        (at) => at.as(administrator).patch(`/users/${person.id}`).send({ is_admin: false }).expect(200),
        (at) => at.as(person).get('/users').expect(403),
      );
    }
  });

  it('is to see what everybody sees, until they are no administrator; then, at the next request, what is theirs', async () => {
    const garden = await house.endeavour(owner);
    const task = await house.task(owner, garden);
    for (const round of rounds) {
      const person = await house.admin('Deposed');
      await known(person, `/tasks/${task}`);
      await afterwards(
        round,
        (at) => at.as(administrator).patch(`/users/${person.id}`).send({ is_admin: false }).expect(200),
        async (at) => {
          await at.as(person).get(`/tasks/${task}`).expect(404);
          const { body } = await at.as(person).get('/tasks').expect(200);
          expect(body.data).toEqual([]);
        },
      );
    }
  });

  it('grows with what they become, at the next request', async () => {
    const garden = await house.endeavour(owner);
    for (const round of rounds) {
      const person = await house.person('Promoted');
      for (const at of [house, replica]) await at.as(person).get(`/endeavours/${garden}`).expect(404);
      await afterwards(
        round,
        (at) => at.as(administrator).patch(`/users/${person.id}`).send({ is_admin: true }).expect(200),
        (at) => at.as(person).get(`/endeavours/${garden}`).expect(200),
      );
    }
  });

  it('is nothing without a session, whatever is wrong with what they ask', async () => {
    for (const round of rounds) {
      const person = await house.person('Gone');
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

  it('ends with their logout for that token, and for no other, at the next request', async () => {
    for (const round of rounds) {
      const person = await house.person('Gone');
      const elsewhere = await house.again(person);
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
