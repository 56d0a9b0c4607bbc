import { TestApp } from '../support/test-app.js';
import { fieldErrorsOf } from '../support/refusals.js';
import { CALLERS, makeWorld, type CallerName, type World } from './callers.js';
import { fingerprintOf } from './fingerprint.js';
import type { Row } from './rows.js';
import { ROWS } from './routes/all.js';

/** Operations without a dry run: on accounts, those that return secrets, and those that workers or others carry out. */
const WITHOUT =
  /^(?:auth|identity_providers|organizations_domains|organizations_scim_tokens|oauth_clients|oauth_registration_tokens|invitations|agents|webhooks)_|_(?:archive|unarchive)$|^(?:endeavours|organizations)_delete$/;
const ALSO_WITHOUT = ['iterations_close', 'rules_dry_run', 'tasks_bulk', 'tasks_claim', 'templates_preview'];
/** Operations whose dry run returns a report instead of the usual response. */
const REPORTS = ['endeavours_dod_policy_set', 'imports_create', 'imports_undo'];

/** A caller who is admitted: an administrator if possible, else the first one that the row admits. */
const admittedCaller = ({ exceptions: but }: Row): CallerName | undefined =>
  ['administrator' as const, ...CALLERS].find((name) => (but?.[name] ?? 200) < 400);

describe('dry_run=true', () => {
  let world: World;
  let fingerprint: () => Promise<string[]>;
  let accepting: Set<string>;

  beforeAll(async () => {
    world = await makeWorld(await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000', LIMIT_CODES_PER_HOUR: '1000' }));
    fingerprint = await fingerprintOf(world.app);
    const operations = Object.values(world.app.document.paths).flatMap(
      (methods) => Object.values(methods as object) as { operationId: string; parameters?: { name: string }[] }[],
    );
    const documented = operations.filter(({ parameters = [] }) => parameters.some(({ name }) => name === 'dry_run'));
    accepting = new Set(documented.map(({ operationId }) => operationId));
  });

  afterAll(() => world.app.close());

  it('returns the status of the write and writes nothing, or is rejected as an unknown field', async () => {
    const seen = new Set<string>();
    for (const row of ROWS.filter(({ success }) => success < 400)) {
      const { operation } = row;
      const name = admittedCaller(row);
      if (name === undefined || seen.has(operation)) continue;
      const { method, path, body, by } = await row.request(world, name);
      if (method === 'get' || REPORTS.includes(operation)) continue;
      seen.add(operation);
      const before = await fingerprint();
      const url = `${path}${path.includes('?') ? '&' : '?'}dry_run=true`;
      const call = world.app.as(by ?? world.callers[name])[method](url);
      const response = await (body === undefined ? call : call.send(body));
      expect([operation, await fingerprint()]).toEqual([operation, before]);
      const isRefused = WITHOUT.test(operation) || ALSO_WITHOUT.includes(operation);
      expect([operation, accepting.has(operation)]).toEqual([operation, !isRefused]);
      if (isRefused) {
        expect([operation, fieldErrorsOf(response.body)]).toEqual([operation, ['dry_run unknown_field']]);
      } else {
        const { 'dry-run': mark, location, etag } = response.headers as Record<string, string | undefined>;
        expect([operation, response.status, mark, location, etag]).toEqual([
          operation,
          row.success,
          'true',
          undefined,
          undefined,
        ]);
      }
    }
    expect(seen.size).toBeGreaterThan(80);
  });
});
