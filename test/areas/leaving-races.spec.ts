import type pg from 'pg';
import { TestApp, type Person } from '../support/test-app.js';

const PASSWORD = 'two wooden ladders';

/** Accounts that close while other transactions change the containers of the account. */
describe('an account that closes', () => {
  let app: TestApp;
  let admin: Person;
  let ann: Person;
  let mia: Person;
  let zoe: Person;
  let riverside: string;
  let outside: pg.Client;

  beforeAll(async () => {
    app = await TestApp.open();
    admin = await app.admin();
  });
  beforeEach(async () => {
    const passwordHash = await app.service.hashPassword(PASSWORD);
    [ann, mia, zoe] = [
      await app.person('Ann'),
      await app.person('Mia', { passwordHash }),
      await app.person('Zoe', { passwordHash }),
    ];
    riverside = await app.organization(mia);
    outside = await app.openConnection();
    await outside.query('BEGIN');
  });
  afterEach(() => outside.end());
  afterAll(() => app.close());

  type HttpResponse = { status: number; body: { error?: { code: string } } };
  const leave = (person: Person, heirs: Record<string, string> = {}) =>
    app.as(person).post('/auth/delete-account').send({ current_password: PASSWORD, heirs });
  const erase = (person: Person) => app.as(admin).delete(`/users/${person.id}?erase=now`);
  const dismiss = (organization: string, person: Person, by: Person) =>
    app.as(by).delete(`/organizations/${organization}/members/${person.id}`);
  const rolesOf = async (person: Person) => {
    const { body } = await app.as(person).get('/auth/whoami').expect(200);
    return { organizations: body.data.organizations, endeavours: body.data.endeavours };
  };

  const tableOf = (id: string): string => (id.startsWith('org_') ? 'organizations' : 'endeavours');
  const container = (id: string, strength = 'NO KEY UPDATE'): [string, string] => [
    `SELECT 1 FROM ${tableOf(id)} WHERE id = $1 FOR ${strength}`,
    id,
  ];
  const hold = (id: string, strength?: string) => {
    const [sql, ...values] = container(id, strength);
    return outside.query(sql, values);
  };

  /** Makes Ann a member whose removal from the organization waits until the outside transaction ends. */
  async function joinHeld(organization: string, owner: Person): Promise<void> {
    const shed = await app.endeavour(owner, { organization_id: organization });
    await app.join(organization, ann, 'member');
    await app.join(shed, ann, 'viewer');
    await outside.query('SELECT 1 FROM endeavour_members WHERE endeavour_id = $1 AND user_id = $2 FOR UPDATE', [
      shed,
      ann.id,
    ]);
  }

  /** Sends a second request while the first waits for the outside transaction; returns both responses. */
  async function during(
    first: PromiseLike<HttpResponse>,
    second: PromiseLike<HttpResponse>,
  ): Promise<[HttpResponse, HttpResponse]> {
    const ended = Promise.resolve(first);
    await app.untilLockWaits(1);
    const answered = Promise.resolve(second);
    await Promise.race([answered, app.untilLockWaits(2)]);
    await outside.query('COMMIT');
    return Promise.all([ended, answered]);
  }

  /** Returns the rows that a request locks while it waits for the organization, and the status of its response. */
  async function lockedMeanwhile(
    request: PromiseLike<HttpResponse>,
    rows: Record<string, [sql: string, ...values: string[]]>,
  ): Promise<{ status: number; locked: string[] }> {
    const answered = Promise.resolve(request);
    await app.untilLockWaits(1);
    const locked: string[] = [];
    for (const [name, [sql, ...values]] of Object.entries(rows)) {
      await outside.query('SAVEPOINT attempt');
      const isFree = await outside.query(`${sql} NOWAIT`, values).catch(() => false as const);
      if (isFree === false) locked.push(name);
      await outside.query('ROLLBACK TO attempt');
    }
    await outside.query('COMMIT');
    return { status: (await answered).status, locked };
  }
  const account = ({ id }: { id: string }): [string, string] => [
    'SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE',
    id,
  ];

  describe('does not make a person an owner', () => {
    it('who is removed from the organization meanwhile', async () => {
      await app.join(riverside, zoe, 'admin');
      await joinHeld(riverside, mia);
      const [dismissed, left] = await during(dismiss(riverside, ann, zoe), leave(mia, { [riverside]: ann.id }));
      expect([dismissed.status, left.status]).toEqual([200, 400]);
      expect(await rolesOf(ann)).toEqual({ organizations: {}, endeavours: {} });
    });

    it('who is removed from the home organization of the endeavour meanwhile', async () => {
      await app.join(riverside, zoe, 'owner');
      await joinHeld(riverside, mia);
      const garden = await app.endeavour(mia, { organization_id: riverside });
      const [dismissed, left] = await during(dismiss(riverside, ann, zoe), leave(mia, { [garden]: ann.id }));
      expect([dismissed.status, left.status]).toEqual([200, 400]);
      expect(await rolesOf(ann)).toEqual({ organizations: {}, endeavours: {} });
    });

    it('who is removed from an organization with which the endeavour is shared meanwhile', async () => {
      const [partner, garden] = [await app.organization(zoe), await app.endeavour(mia)];
      await app.link(partner, garden);
      await joinHeld(partner, zoe);
      const [dismissed, left] = await during(dismiss(partner, ann, zoe), leave(mia, { [garden]: ann.id }));
      expect([dismissed.status, left.status]).toEqual([200, 400]);
      expect(await rolesOf(ann)).toEqual({ organizations: {}, endeavours: {} });
    });

    it('who closes their account meanwhile', async () => {
      await app.join(riverside, zoe, 'member');
      await outside.query('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [zoe.id]);
      const [closed, left] = await during(leave(zoe), leave(mia, { [riverside]: zoe.id }));
      expect([closed.status, left.status]).toEqual([200, 400]);
      await app.as(mia).get('/auth/whoami').expect(200);
    });
  });

  /** Transactions that lock the same rows in different orders deadlock. */
  describe('waits for an organization without holding a lock on', () => {
    it('an endeavour that gets a new owner', async () => {
      const garden = await app.endeavour(mia, { organization_id: riverside });
      await app.join(riverside, ann, 'member');
      await hold(riverside);
      const leaving = leave(mia, { [garden]: ann.id, [riverside]: ann.id });
      expect(await lockedMeanwhile(leaving, { garden: container(garden) })).toEqual({ status: 200, locked: [] });
    });

    it('an endeavour that is archived with the account', async () => {
      const garden = await app.endeavour(mia);
      await hold(riverside, 'KEY SHARE');
      const rows = { garden: container(garden, 'KEY SHARE') };
      expect(await lockedMeanwhile(leave(mia), rows)).toEqual({ status: 200, locked: [] });
    });

    it('endeavours, teams and the account itself when it is erased', async () => {
      const home = await app.organization(ann);
      const garden = await app.endeavour(ann, { organization_id: home });
      await app.join(home, mia, 'member');
      await app.join(garden, mia, 'member');
      const sent = { name: 'Crew', type: 'team', organization_id: home };
      const crew = (await app.as(ann).post('/resources').send(sent).expect(201)).body.data.id;
      await app.as(ann).post(`/resources/${crew}/members`).send({ resource_id: mia.id }).expect(201);
      await hold(home);
      const rows = {
        account: account(mia),
        garden: container(garden),
        seat: ['SELECT 1 FROM team_members WHERE team_id = $1 FOR UPDATE', crew] as [string, string],
      };
      expect(await lockedMeanwhile(erase(mia), rows)).toEqual({ status: 200, locked: [] });
    });
  });

  it('archives an organization in which another transaction writes and then changes a member', async () => {
    await hold(riverside, 'KEY SHARE');
    // If the request upgraded a lock that it already holds, it and this transaction would deadlock.
    const rows = { riverside: container(riverside) };
    expect(await lockedMeanwhile(leave(mia), rows)).toEqual({ status: 200, locked: [] });
  });
});
