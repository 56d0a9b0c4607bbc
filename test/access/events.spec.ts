import { TestApp } from '../support/test-app.js';
import { CALLERS, makeWorld, type World } from './callers.js';
import { ROWS } from './routes/all.js';

/** Operations without an event: on sessions, passwords and settings of the service, and those that only render. */
const SILENT = [
  'auth_can_check',
  'auth_change_password',
  'auth_email_cancel',
  'auth_email_change',
  'auth_logout',
  'auth_sessions_delete',
  'auth_sessions_delete_others',
  'auth_step_up',
  'auth_passkeys_options_create',
  'auth_step_up_code_create',
  'auth_step_up_options_create',
  'auth_totp_disable',
  'auth_totp_enable',
  'auth_totp_recovery_codes_create',
  'auth_totp_setup',
  'identity_providers_test',
  'notifications_read',
  'notifications_update',
  'operations_cancel',
  'templates_preview',
  'tiers_update',
  'webhooks_deliveries_redeliver',
  'webhooks_test',
  'rules_dry_run',
  'tasks_watch_put',
  'tasks_watch_remove',
  'demands_watch_put',
  'demands_watch_remove',
  'endeavours_watch_put',
  'endeavours_watch_remove',
];

/** Operations that change nothing in their row, or leave the change to a worker; `test/areas` tests their events. */
const ELSEWHERE = [
  'tasks_dod_override_remove',
  'imports_create',
  'imports_undo',
  'invitations_accept',
  'resources_reassign',
  'tasks_bulk',
  'tasks_claim',
];

describe('every operation that writes', () => {
  let world: World;

  beforeAll(async () => {
    world = await makeWorld(await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000', LIMIT_CODES_PER_HOUR: '1000' }));
  });

  afterAll(() => world.app.close());

  const lastEvent = async (): Promise<number> => {
    const row = await world.app.database.one<{ last: string }>('SELECT coalesce(max(sequence), 0) AS last FROM events');
    return Number(row?.last);
  };

  it('records an event, except for the listed operations', async () => {
    const loud = new Set<string>();
    const asked = new Set<string>();
    for (const row of ROWS.filter(({ success }) => success < 400)) {
      for (const name of CALLERS.toReversed().filter((each) => (row.exceptions?.[each] ?? 200) < 400)) {
        const { method, path, body, by } = await row.request(world, name);
        if (method === 'get' || loud.has(row.operation)) break;
        const before = await lastEvent();
        const call = world.app.as(by ?? world.callers[name])[method](path);
        const { status } = await (body === undefined ? call : call.send(body));
        if (status === row.success) asked.add(row.operation);
        if ((await lastEvent()) > before) loud.add(row.operation);
      }
    }
    const silent = [...asked].filter((operation) => !loud.has(operation));
    expect(silent.sort()).toEqual([...SILENT, ...ELSEWHERE].sort());
  });
});
