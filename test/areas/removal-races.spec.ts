import type pg from 'pg';
import { Agreement, attestation } from '../support/dod.js';
import { race } from '../support/races.js';
import type { Person, TestApp } from '../support/test-app.js';

/** Members who are removed from an endeavour while they are removed from its home organization. */
describe('a removal from an endeavour', () => {
  let agreed: Agreement;
  let app: TestApp;
  let ann: Person;
  let riverside: string;
  let garden: string;
  let policy: string;

  beforeAll(async () => {
    agreed = await Agreement.open();
    ({ app, ann } = agreed);
    policy = await agreed.policy(attestation);
  });
  beforeEach(async () => {
    riverside = await app.organization(ann);
    garden = await app.endeavour(ann, { organization_id: riverside });
  });
  afterAll(() => app.close());

  const leaveGarden = ({ id }: Person, query = '') => app.as(ann).delete(`/endeavours/${garden}/members/${id}${query}`);
  const leaveRiverside = ({ id }: Person, query = '') =>
    app.as(ann).delete(`/organizations/${riverside}/members/${id}${query}`);

  /** Creates a member of the organization and its endeavour. */
  async function member(role = 'member'): Promise<Person> {
    const person = await app.person('Mia');
    await app.join(riverside, person, 'member');
    await app.join(garden, person, role);
    return person;
  }

  /** The times at which clients were told that the person does not see the endeavour any more. */
  const told = ({ id }: Person) =>
    app.database.query(
      `SELECT type FROM events
       WHERE entity_id = $1 AND type = 'visibility.lost' AND data::jsonb -> 'endeavour_ids' ? $2`,
      [id, garden],
    );

  it('and from its home organization at the same time end what the member could do with either', async () => {
    await agreed.assign(garden, policy).expect(200);
    const mia = await member();
    const { id } = (await agreed.endorse(garden, mia).expect(201)).body.data;
    const outside = await app.openConnection();
    // The removal from the endeavour waits for this row after it has deleted the membership.
    await outside.query('BEGIN');
    await outside.query('INSERT INTO former_members (container_id, user_id) VALUES ($1, $2)', [garden, mia.id]);
    const first = Promise.resolve(leaveGarden(mia));
    await app.untilLockWaits(1);
    const second = Promise.resolve(leaveRiverside(mia));
    await app.untilLockWaits(2);
    await outside.query('ROLLBACK');
    await outside.end();
    expect([(await first).status, (await second).status]).toEqual([200, 200]);
    expect(await told(mia)).toHaveLength(1);
    const { body } = await app.as(ann).get(`/dod-endorsements/${id}`).expect(200);
    expect(body.data.status).toBe('withdrawn');
  });

  race('of many, also as dry runs, ends all roles, and clients are told once', 2, async () => {
    const people = await Promise.all(Array.from({ length: 8 }, () => member()));
    const responses = await Promise.all(
      people.flatMap((person) => [
        leaveGarden(person),
        leaveRiverside(person, '?dry_run=true'),
        leaveGarden(person, '?dry_run=true'),
        leaveRiverside(person),
      ]),
    );
    // 409: who is no direct member any more still has the role that derives from the organization.
    for (const { status } of responses) expect([200, 404, 409]).toContain(status);
    for (const person of people) {
      const { body } = await app.as(person).get('/auth/whoami').expect(200);
      expect([body.data.organizations, body.data.endeavours, (await told(person)).length]).toEqual([{}, {}, 1]);
    }
  });

  /** Transactions that lock the same rows in different orders deadlock. */
  describe('waits for the endeavour that gets a copy of a personal policy before it locks a membership', () => {
    let mia: Person;
    let outside: pg.Client;

    beforeEach(async () => {
      mia = await member('admin');
      const { body } = await app
        .as(mia)
        .post('/dod-policies')
        .send({ name: 'Own', conditions: [attestation] })
        .expect(201);
      await agreed.assign(garden, body.data.id, mia).expect(200);
      outside = await app.openConnection();
      await outside.query('BEGIN');
      await outside.query('SELECT 1 FROM endeavours WHERE id = $1 FOR NO KEY UPDATE', [garden]);
    });
    afterEach(() => outside.end());

    const setRole = (person: Person, role: string) =>
      app.as(ann).patch(`/organizations/${riverside}/members/${person.id}`).send({ role });
    const ends: Record<string, () => PromiseLike<{ status: number }>> = {
      'a removal from the home organization': () => leaveRiverside(mia),
      'a dry run of it': () => leaveRiverside(mia, '?dry_run=true'),
    };

    /** Returns the memberships that a request has locked while it waits for the endeavour. */
    async function lockedBy(request: PromiseLike<{ status: number }>): Promise<string[]> {
      const answered = Promise.resolve(request);
      await app.untilLockWaits(1);
      const locked: string[] = [];
      for (const table of ['organization_resources', 'endeavour_members']) {
        await outside.query('SAVEPOINT attempt');
        const attempt = outside.query(`SELECT 1 FROM ${table} WHERE user_id = $1 FOR SHARE NOWAIT`, [mia.id]);
        await attempt.catch(() => locked.push(table));
        await outside.query('ROLLBACK TO attempt');
      }
      await outside.query('COMMIT');
      expect((await answered).status).toBe(200);
      return locked;
    }

    it.each(Object.keys(ends))('in %s', async (name) => {
      expect(await lockedBy(ends[name]())).toEqual([]);
    });

    describe('with a role that derives from the organization', () => {
      beforeEach(async () => {
        await outside.query('ROLLBACK');
        await app.database.query('DELETE FROM endeavour_members WHERE user_id = $1', [mia.id]);
        await setRole(mia, 'admin').expect(200);
        await outside.query('BEGIN');
        await outside.query('SELECT 1 FROM endeavours WHERE id = $1 FOR NO KEY UPDATE', [garden]);
      });

      it('in the end of that role', async () => {
        expect(await lockedBy(setRole(mia, 'member'))).toEqual([]);
        const { body } = await app.as(ann).get(`/endeavours/${garden}`).expect(200);
        const copy = await app.as(ann).get(`/dod-policies/${body.data.dod_policy_id}`).expect(200);
        expect(copy.body.data.container).toBe('endeavour');
      });

      it('in the erasure of the account', async () => {
        expect(await lockedBy(app.as(agreed.ada).delete(`/users/${mia.id}?erase=now`))).toEqual([]);
      });
    });
  });
});
