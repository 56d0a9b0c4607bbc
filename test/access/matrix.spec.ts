import { permissionOf, PERMISSIONS, type OperationId } from '../../src/access/permissions.js';
import { rankOf } from '../../src/common/roles.js';
import { sweep } from '../faults/support/invariants.mjs';
import { House, type Person } from '../support/house.js';
import {
  CALLERS,
  DEAD,
  makeWorld,
  rankAt,
  STANDINGS,
  type CallerName,
  type DeadName,
  type Standing,
  type World,
} from './callers.js';
import { fingerprintOf } from './fingerprint.js';
import { absent, type Asked, type Row } from './rows.js';
import { ROWS } from './routes/all.js';

/** The matrix asks more than any person would. */
const GENEROUS = { LIMIT_WRITES_PER_MINUTE: '100000', LIMIT_CODES_PER_HOUR: '1000' };

/** Operations that need no row: their doors are public, or they are part of others. */
const WITHOUT_ROW = (Object.keys(PERMISSIONS) as OperationId[]).filter((operation) => {
  const { door, isPart } = permissionOf(operation);
  return door === 'public' || isPart === true;
});

/** What the permission table promises somebody of that standing. */
function promised({ operation, at, success, inBody, but }: Row, name: CallerName): number {
  if (but?.[name] !== undefined) return but[name];
  const { door, role } = permissionOf(operation);
  const standing: Standing = STANDINGS[name];
  if (door === 'administrator') return standing.isAdministrator ? success : 403;
  if (at === null) return success;
  const rank = rankAt(name, at);
  if (rank === 0) return inBody ? 400 : 404;
  return role !== undefined && rank < rankOf(role) ? 403 : success;
}

describe('the access matrix', () => {
  let world: World;
  let fingerprint: () => Promise<string[]>;

  beforeAll(async () => {
    world = await makeWorld(await House.open(GENEROUS));
    fingerprint = await fingerprintOf(world.house);
  }, 60_000);

  afterAll(() => world.house.close());

  const send = ({ method, path, body }: Asked, person: Person | null) => {
    const call = world.house.as(person)[method](path);
    return body === undefined ? call : call.send(body);
  };

  it('has a row for every operation', () => {
    const rows = new Set<string>(ROWS.map(({ operation }) => operation));
    const all = Object.keys(PERMISSIONS) as OperationId[];
    expect(all.filter((operation) => !rows.has(operation) && !WITHOUT_ROW.includes(operation))).toEqual([]);
  });

  describe.each(ROWS.map((row) => [row.operation, row.when ?? '', row] as const))('%s %s', (_operation, _when, row) => {
    const admitted = CALLERS.filter((name) => promised(row, name) === row.success);
    const refused = CALLERS.filter((name) => !admitted.includes(name));

    it('lets these in', async () => {
      const answers: Record<string, number> = {};
      for (const name of admitted) {
        const asked = await row.ask(world, name);
        const { status } = await send(asked, asked.by ?? world.callers[name]);
        answers[name] = status;
      }
      expect(answers).toEqual(Object.fromEntries(admitted.map((name) => [name, row.success])));
    });

    it('refuses the others as the permission table says, and changes nothing for them', async () => {
      const answers: Record<string, number> = {};
      for (const name of refused) {
        const asked = await row.ask(world, name);
        const before = await fingerprint();
        const { status, body } = await send(asked, world.callers[name]);
        answers[name] = status;
        expect([name, await fingerprint()]).toEqual([name, before]);
        if (status === 404) await expectSameAsAbsent(asked, name, body);
      }
      expect(answers).toEqual(Object.fromEntries(refused.map((name) => [name, promised(row, name)])));
    });

    it('refuses those whose token is worth nothing, and changes nothing for them', async () => {
      const asked = await row.ask(world, 'administrator');
      const before = await fingerprint();
      const codes: Record<string, string> = {};
      for (const name of DEAD) {
        const { body } = await send(asked, world.dead[name]).expect(401);
        codes[name] = body.error.code;
      }
      expect(codes).toEqual(Object.fromEntries(DEAD.map((name: DeadName) => [name, 'unauthorized'])));
      expect(await fingerprint()).toEqual(before);
    });
  });

  it('has left everything in the database in order', async () => {
    expect(await sweep((sql) => world.house.database.query(sql))).toEqual([]);
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
