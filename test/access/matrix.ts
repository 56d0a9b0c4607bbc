import { rankOf } from '../../src/common/roles.js';
import { brokenInvariants } from '../faults/support/invariants.mjs';
import { TestApp, type Person } from '../support/test-app.js';
import {
  CALLERS,
  INVALID_CALLERS,
  makeWorld,
  rankAt,
  CALLER_RANKS,
  type CallerName,
  type InvalidCallerName,
  type CallerRanks,
  type World,
} from './callers.js';
import { expectedRole, expectedScopes, isForAdministrators, isForSessions } from './expected-rights.js';
import { isDeep, isFull, itIf } from '../support/depth.js';
import { tokenOf } from '../support/tokens.js';
import { entityOf, questionOf } from './questions.js';
import { fingerprintOf } from './fingerprint.js';
import { withAbsentId, type ApiRequest, type Row } from './rows.js';
import { ROWS } from './routes/all.js';

/** The matrix sends more requests than the limits allow one user. */
const GENEROUS = { LIMIT_WRITES_PER_MINUTE: '100000', LIMIT_CODES_PER_HOUR: '1000' };

/** The status that the expected rights promise a caller. */
export function promised(
  { operation, needs, scope: at, success, inBody, exceptions: but }: Row,
  name: CallerName,
): number {
  if (but?.[name] !== undefined) return but[name];
  const role = expectedRole(needs ?? operation);
  const standing: CallerRanks = CALLER_RANKS[name];
  if (isForAdministrators(needs ?? operation)) return standing.isAdministrator ? success : 403;
  if (at === null) return success;
  const rank = rankAt(name, at);
  if (rank === 0) return inBody ? 400 : 404;
  return role !== undefined && rank < rankOf(role) ? 403 : success;
}

/** `npm test` sends each row as one caller per expected status; `npm run test:deep` as every caller. */
function sampled<T>(row: Row, names: readonly T[], answerOf: (name: T) => unknown): T[] {
  if (isDeep) return [...names];
  const alike = groupedBy(names, answerOf);
  return [...alike.values()].map((group) => group[ROWS.indexOf(row) % group.length]);
}

/** `npm test` makes one of these checks per row, in turn, and `npm run test:deep` two others; with TEST_DEPTH=full, all are made. */
const QUESTIONS = ['scope', 'restriction', 'POST /auth/can', 'GET /auth/can', 'invalid session'] as const;
type Question = (typeof QUESTIONS)[number];
const TURNS = isDeep ? [1, 3] : [0];
const isAsked = (row: Row, question: Question): boolean =>
  isFull || TURNS.some((turn) => QUESTIONS[(ROWS.indexOf(row) + turn) % QUESTIONS.length] === question);

function groupedBy<T>(items: readonly T[], keyOf: (item: T) => unknown): Map<unknown, T[]> {
  const groups = new Map<unknown, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/** This caller may do everything, so that only the token can be the reason for a rejection. */
const ASKING = 'administrator';

/** For each of the scopes, scopes that include the others but not this one. */
const lackingOne = (scopes: readonly string[]): { missing: string; given: string[] }[] =>
  scopes.map((missing) => {
    const others = scopes.filter((scope) => scope !== missing);
    if (others.length > 0) return { missing, given: others };
    const isOfArtifacts = missing.startsWith('artifacts') || missing.endsWith(':read');
    return { missing, given: [isOfArtifacts ? 'demands:write' : 'artifacts:read'] };
  });

/**
 * Declares the tests of these rows, on a world of their own.
 *
 * @param rows all rows, or a part of them: `test:deep` divides them between its processes.
 */
export function describeMatrix(rows: readonly Row[]): void {
  describe('the access matrix', () => testRows(rows));
}

function testRows(rows: readonly Row[]): void {
  let world: World;
  let fingerprint: () => Promise<string[]>;

  beforeAll(async () => {
    world = await makeWorld(await TestApp.open(GENEROUS));
    fingerprint = await fingerprintOf(world.app);
  });

  afterAll(() => world.app.close());

  const tokens = new Map<string, Promise<Person>>();
  /** Returns a token of the caller; creates it at the first call. */
  const tokenWith = (name: CallerName, body: object): Promise<Person> => {
    const key = `${name} ${JSON.stringify(body)}`;
    const token = tokens.get(key) ?? tokenOf(world.app, world.callers[name], body);
    tokens.set(key, token);
    return token;
  };
  /** Another container of the organization's owner, to which the tokens of some requests are restricted. */
  let elsewhere: Promise<string> | undefined;

  const send = ({ method, path, body }: ApiRequest, person: Person | null) => {
    const call = world.app.as(person)[method](path);
    return body === undefined ? call : call.send(body);
  };

  it('has a fingerprint that detects each written row and ignores rolled back writes', async () => {
    const { app, endeavour } = world;
    const before = await fingerprint();
    await expect(app.database.query(`UPDATE endeavours SET name = 'x'; SELECT 1 / 0`)).rejects.toThrow('zero');
    await app.as(world.founder).get(`/endeavours/${endeavour}`).expect(200);
    expect(await fingerprint()).toEqual(before);
    await app.database.query('UPDATE endeavours SET name = name WHERE id = $1', [endeavour]);
    expect(await fingerprint()).not.toEqual(before);
  });

  describe.each(rows.map((row) => [row.operation, row.when ?? '', row] as const))('%s %s', (_operation, _when, row) => {
    const callers = sampled(row, CALLERS, (name) => promised(row, name));
    const dead = sampled(row, INVALID_CALLERS, () => 401);
    const admitted = callers.filter((name) => promised(row, name) === row.success);
    const refused = callers.filter((name) => !admitted.includes(name));

    itIf(admitted.length > 0)('admits the callers that are expected', async () => {
      const responses: Record<string, number> = {};
      for (const name of admitted) {
        const asked = await row.request(world, name);
        const { status } = await send(asked, asked.by ?? world.callers[name]);
        responses[name] = status;
      }
      expect(responses).toEqual(Object.fromEntries(admitted.map((name) => [name, row.success])));
    });

    itIf(refused.length > 0)('rejects all other callers as expected, and changes nothing', async () => {
      const responses: Record<string, number> = {};
      for (const name of refused) {
        const asked = await row.request(world, name);
        const before = await fingerprint();
        const { status, body } = await send(asked, world.callers[name]);
        responses[name] = status;
        expect([name, await fingerprint()]).toEqual([name, before]);
        if (status === 404) await expectSameAsAbsent(asked, name, body);
      }
      expect(responses).toEqual(Object.fromEntries(refused.map((name) => [name, promised(row, name)])));
    });

    const required = row.needs ?? row.operation;
    const scopes = expectedScopes(required);
    const needsSession = isForSessions(required);
    /** The operation's own scopes, which a token needs in addition if the row has `needs`. */
    const ofDoor =
      row.needs === undefined ? [] : expectedScopes(row.operation).filter((scope) => !scopes.includes(scope));

    itIf(scopes.length > 0 || needsSession)(
      'rejects access tokens without the required scopes or session, and changes nothing',
      async () => {
        const lacking = needsSession
          ? [{ missing: undefined, given: ofDoor.length > 0 ? ofDoor : ['artifacts:read'] }]
          : lackingOne(scopes).map(({ missing, given }) => ({ missing, given: ofDoor.length > 0 ? ofDoor : given }));
        for (const { missing, given } of lacking) {
          const asked = await row.request(world, ASKING);
          const token = await tokenWith(ASKING, { scopes: given });
          const before = await fingerprint();
          expect(await isAllowed(asked, token)).toBe(false);
          const { body } = await send(asked, token).expect(403);
          const expected = needsSession
            ? { reason: 'session_required' }
            : { reason: 'scope_required', required_scope: ofDoor.length > 0 ? expect.any(String) : missing };
          expect(body.error.details).toMatchObject(expected);
          expect(await fingerprint()).toEqual(before);
        }
      },
    );

    const [holder] = admitted.filter((name) => name !== 'former member');
    itIf(!needsSession && holder !== undefined && isAsked(row, 'scope'))(
      'admits access tokens that have its scopes',
      async () => {
        const asked = await row.request(world, holder);
        if (asked.by !== undefined) return;
        const all = [...ofDoor, ...scopes];
        const token = await tokenWith(holder, { scopes: all.length > 0 ? all : ['demands:read'] });
        const { status } = await send(asked, token);
        expect([holder, status]).toEqual([holder, row.success]);
      },
    );

    /** The decision of POST /auth/can about the request. */
    const isAllowed = async (asked: ApiRequest, person: Person): Promise<boolean> => {
      const questions = [questionOf(world.app.document, row.operation, asked)];
      const { body } = await world.app.as(person).post('/auth/can').send({ questions }).expect(200);
      return body.data[0].allowed;
    };

    const isContained = row.scope === 'organization' || row.scope === 'endeavour';
    itIf(!needsSession && isContained && isAsked(row, 'restriction'))(
      'does not exist for access tokens that are restricted to another container',
      async () => {
        const name = 'organization owner';
        elsewhere ??= world.app.organization(world.callers[name], { name: 'Elsewhere' });
        const asked = await row.request(world, name);
        const token = await tokenWith(name, { scopes: ['*'], organization_id: await elsewhere });
        const before = await fingerprint();
        const allowed = await isAllowed(asked, token);
        const { status } = await send(asked, token);
        expect([row.operation, allowed]).toEqual([row.operation, status < 400]);
        // Built-in resources are visible to outsiders, and so to these tokens.
        expect([promised(row, 'outsider'), 404]).toContain(status);
        expect(await fingerprint()).toEqual(before);
      },
    );

    // `POST /auth/can` does not execute streams and requests to providers and stores: it only consults the permission table,
    // which ignores parameters and bodies.
    const canBeTried = ![
      'artifacts_upload_complete',
      'changes_stream_get',
      'auth_consents_create',
      'auth_consents_preview',
      'auth_consents_refuse',
      'auth_identities_create',
      'auth_step_up_oidc_create',
      'organizations_domains_verify',
    ].includes(row.operation);
    itIf(canBeTried && isAsked(row, 'POST /auth/can'))(
      'gets the same decision from POST /auth/can, which changes nothing',
      async () => {
        const responses: Record<string, boolean> = {};
        for (const name of callers) {
          const asked = await row.request(world, name);
          const before = await fingerprint();
          const questions = [questionOf(world.app.document, row.operation, asked)];
          const call = world.app
            .as(asked.by ?? world.callers[name])
            .post('/auth/can')
            .send({ questions });
          responses[name] = (await call.expect(200)).body.data[0].allowed;
          expect([name, await fingerprint()]).toEqual([name, before]);
        }
        const expected = callers.map((name) => [name, promised(row, name) === row.success && row.success < 400]);
        expect(responses).toEqual(Object.fromEntries(expected));
      },
    );

    // The person in the path does not tell in which endeavour the caller needs a role.
    const isOfPerson = row.operation === 'users_endeavours_add';
    const isPlain = row.when === undefined && row.needs === undefined && row.success < 400 && !isOfPerson;
    itIf(canBeTried && isPlain && isAsked(row, 'GET /auth/can'))(
      'gets the same decision from GET /auth/can with the entity only, which changes nothing',
      async () => {
        const responses: Record<string, boolean> = {};
        const expected: Record<string, boolean> = {};
        for (const name of callers) {
          const asked = await row.request(world, name);
          const entity = entityOf(world.app.document, row.operation, asked);
          if (entity === undefined) continue;
          const before = await fingerprint();
          const path = `/auth/can?action=${row.operation}&entity_id=${entity}`;
          const { body } = await world.app
            .as(asked.by ?? world.callers[name])
            .get(path)
            .expect(200);
          responses[name] = body.data.allowed;
          expected[name] = promised(row, name) === row.success;
          expect([name, await fingerprint()]).toEqual([name, before]);
        }
        expect(responses).toEqual(expected);
      },
    );

    itIf(isAsked(row, 'invalid session'))('rejects callers without a valid session, and changes nothing', async () => {
      const asked = await row.request(world, 'administrator');
      const before = await fingerprint();
      const codes: Record<string, string> = {};
      for (const name of dead) {
        const { body } = await send(asked, world.invalidCallers[name]).expect(401);
        codes[name] = body.error.code;
      }
      expect(codes).toEqual(Object.fromEntries(dead.map((name: InvalidCallerName) => [name, 'unauthorized'])));
      expect(await fingerprint()).toEqual(before);
    });
  });

  it('leaves the invariants of the database intact', async () => {
    expect(await brokenInvariants((sql) => world.app.database.query(sql))).toEqual([]);
  });

  async function expectSameAsAbsent(asked: ApiRequest, name: CallerName, invisible: object): Promise<void> {
    const { body } = await send({ ...asked, path: withAbsentId(asked) }, world.callers[name]).expect(404);
    expect(withoutId(invisible)).toEqual(withoutId(body));
  }
}

const withoutId = (body: object): object => {
  const { error } = body as { error: object };
  return { ...error, request_id: '' };
};
