import { TestApp } from '../support/test-app.js';
import { CALLERS, makeWorld, type CallerName, type World } from './callers.js';
import { fingerprintOf } from './fingerprint.js';
import type { Row } from './rows.js';
import { ROWS } from './routes/all.js';

interface Operation {
  method: string;
  operationId: string;
  responses: Record<string, unknown>;
}

/** A caller who is admitted: an administrator if possible, else the first one that the row admits. */
const admittedCaller = ({ exceptions: but }: Row): CallerName | undefined =>
  ['administrator' as const, ...CALLERS].find((name) => (but?.[name] ?? 200) < 400);

/** They are refused after the check of the precondition: no name server answers, and no store of files is configured. */
const LATER_REFUSED = ['organizations_domains_verify', 'artifacts_upload', 'artifacts_upload_complete'];

/** The first row of an operation that succeeds; rows of built-in resources are refused for another reason. */
const rowOf = (operation: string): Row | undefined =>
  ROWS.find(
    (row) =>
      row.operation === operation &&
      (row.success < 400 || LATER_REFUSED.includes(operation)) &&
      admittedCaller(row) !== undefined,
  );

describe('a write with a stale If-Match', () => {
  let world: World;
  let documented: Operation[];
  let fingerprint: () => Promise<string[]>;

  beforeAll(async () => {
    world = await makeWorld(await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000' }));
    fingerprint = await fingerprintOf(world.app);
    documented = Object.values(world.app.document.paths).flatMap((methods) =>
      Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({ ...operation, method })),
    );
  });

  afterAll(() => world.app.close());

  it('is refused by every operation that takes If-Match, and changes nothing', async () => {
    // A batch has an If-Match for each of its requests.
    const conditional = documented.filter(({ responses }) => '412' in responses && !('207' in responses));
    expect(conditional.length).toBeGreaterThan(35);
    for (const { operationId: operation } of conditional) {
      const row = rowOf(operation);
      if (row === undefined) throw new Error(`no row for ${operation}`);
      const name = admittedCaller(row) as CallerName;
      const { method, path, body } = await row.request(world, name);
      const before = await fingerprint();
      const call = world.app.as(world.callers[name])[method](path).set('If-Match', '"999"');
      const response = await (body === undefined ? call : call.send(body));
      expect([operation, response.status, response.body.error?.code]).toEqual([operation, 412, 'precondition_failed']);
      expect([operation, await fingerprint()]).toEqual([operation, before]);
    }
  });

  it('can be sent to every operation that changes a resource with a revision', () => {
    const changing = documented.filter(({ method }) => ['patch', 'put', 'delete'].includes(method));
    const others = changing.filter(({ responses }) => !('412' in responses)).map(({ operationId }) => operationId);
    expect(others.sort()).toEqual([
      'auth_profile_update',
      'auth_sessions_delete',
      'auth_sessions_delete_others',
      'demands_watch_put',
      'demands_watch_remove',
      'endeavours_watch_put',
      'endeavours_watch_remove',
      'messages_delete',
      'messages_update',
      'notifications_update',
      'tasks_watch_put',
      'tasks_watch_remove',
    ]);
  });
});
