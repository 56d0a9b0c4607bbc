import { PERMISSIONS, permissionOf, type OperationId } from '../../src/access/permissions.js';
import { rankOf } from '../../src/common/roles.js';
import { House, type Person } from '../support/house.js';
import { DEAD, makeWorld, STANDINGS, type CallerName, type DeadName, type Standing, type World } from './callers.js';
import { absent, type Asked, type Row } from './rows.js';
import { ROWS } from './routes.js';

/** Operations that need no row: their doors are public, or they are no route. */
const WITHOUT_ROW = Object.keys(PERMISSIONS).filter(
  (operation) => permissionOf(operation as OperationId).door === 'public' || operation === 'organizations_take_in',
);

/** What the permission table promises somebody of that standing. */
function promised({ operation, at, success, inBody, but }: Row, name: CallerName): number {
  if (but?.[name] !== undefined) return but[name];
  const { door, role } = permissionOf(operation);
  const standing: Standing = STANDINGS[name];
  if (door === 'administrator') return standing.isAdministrator ? success : 403;
  if (at === null || standing.isAdministrator) return success;
  if (standing[at] === 0) return inBody ? 400 : 404;
  return role !== undefined && standing[at] < rankOf(role) ? 403 : success;
}

describe('the access matrix', () => {
  let world: World;

  beforeAll(async () => {
    world = await makeWorld(await House.open());
  }, 60_000);

  afterAll(() => world.house.close());

  const send = ({ method, path, body }: Asked, person: Person | null) => {
    const call = world.house.as(person)[method](path);
    return body === undefined ? call : call.send(body);
  };

  /** Changes with any row that a refused request must leave alone. */
  const fingerprint = async (): Promise<string> => {
    const row = await world.house.database.one<{ print: string }>(
      `SELECT (SELECT count(*) FROM events) || ' ' || (SELECT count(*) FROM entities) || ' ' ||
              (SELECT coalesce(sum(hashtext(t::text)::bigint), 0) FROM tasks t) || ' ' ||
              (SELECT coalesce(sum(hashtext(m::text)::bigint), 0) FROM endeavour_members m) || ' ' ||
              (SELECT coalesce(sum(hashtext(m::text)::bigint), 0) FROM organization_resources m) AS print`,
    );
    return row?.print ?? '';
  };

  it('has a row for every operation', () => {
    const rows = new Set<string>(ROWS.map(({ operation }) => operation));
    expect(
      Object.keys(PERMISSIONS).filter((operation) => !rows.has(operation) && !WITHOUT_ROW.includes(operation)),
    ).toEqual([]);
  });

  describe.each(ROWS.map((row) => [row.operation, row] as const))('%s', (_, row) => {
    it('answers each caller as the permission table says, and a refusal changes nothing', async () => {
      const answers: Record<string, number> = {};
      for (const name of Object.keys(STANDINGS) as CallerName[]) {
        const asked = await row.ask(world, name);
        const before = await fingerprint();
        const { status, body } = await send(asked, world.callers[name]);
        answers[name] = status;
        if (status >= 400) expect([name, await fingerprint()]).toEqual([name, before]);
        if (status === 404) await expectSameAsAbsent(asked, name, body);
      }
      const expected = Object.fromEntries(
        (Object.keys(STANDINGS) as CallerName[]).map((name) => [name, promised(row, name)]),
      );
      expect(answers).toEqual(expected);
    });

    it.each(DEAD)('refuses somebody %s', async (name: DeadName) => {
      const asked = await row.ask(world, 'administrator');
      const before = await fingerprint();
      const { body } = await send(asked, world.dead[name]).expect(401);
      expect(body.error.code).toBe('unauthorized');
      expect(await fingerprint()).toBe(before);
    });
  });

  async function expectSameAsAbsent(asked: Asked, name: CallerName, invisible: object): Promise<void> {
    const { body } = await send({ ...asked, path: absent(asked) }, world.callers[name]).expect(404);
    expect(withoutId(invisible)).toEqual(withoutId(body));
  }
});

const withoutId = (body: object): object => {
  const { error } = body as { error: object };
  return { ...error, request_id: '' };
};
