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

/**
 * The properties of each type of event that name a person whom it is told to (spec 08). Events of accounts, credentials
 * and the like reach their owner and the administrators, and those of visibility the ones who gained or lost it.
 */
const TOLD: Readonly<Record<string, readonly string[]>> = {
  'access_token.created': [],
  'access_token.deleted': [],
  'access_token.rotated': [],
  'access_token.updated': [],
  'alert.raised': [],
  'approval.created': ['approver_id'],
  'approval.dismissed': ['approver_id'],
  'artifact.created': ['created_by'],
  'artifact.deleted': ['created_by'],
  'artifact.updated': ['created_by'],
  'comment.created': ['author_id'],
  'comment.deleted': ['author_id'],
  'comment.updated': ['author_id'],
  'demand.created': ['creator_id', 'owner_id'],
  'demand.updated': ['creator_id', 'owner_id'],
  'dod.assigned': ['created_by'],
  'dod.checked': ['checked_by'],
  'dod.overridden': ['creator_id', 'owner_id'],
  'dod.unassigned': ['created_by'],
  'dod_endorsement.created': ['resource_id'],
  'dod_endorsement.withdrawn': ['resource_id'],
  'dod_policy.created': ['created_by'],
  'dod_policy.forked': ['created_by'],
  'dod_policy.status_changed': ['created_by'],
  'dod_policy.updated': ['created_by'],
  'dod_policy.versioned': ['created_by'],
  'dod_result.created': ['posted_by'],
  'domain.created': [],
  'domain.deleted': [],
  'domain.updated': [],
  'endeavour.archived': ['created_by'],
  'endeavour.created': ['created_by'],
  'endeavour.label_renamed': ['created_by'],
  'endeavour.linked': ['created_by'],
  'endeavour.transferred': ['created_by'],
  'endeavour.unarchived': ['created_by'],
  'endeavour.unlinked': ['created_by'],
  'endeavour.updated': ['created_by'],
  'identity.created': [],
  'identity.deleted': [],
  'identity_provider.created': [],
  'identity_provider.deleted': [],
  'identity_provider.updated': [],
  'invitation.created': [],
  'invitation.deleted': [],
  'invitation.refused': [],
  'invitation.updated': [],
  'iteration.created': ['created_by'],
  'iteration.deleted': ['created_by'],
  'iteration.status_changed': ['created_by'],
  'iteration.updated': ['created_by'],
  'member.added': ['resource_id'],
  'member.changed': ['resource_id'],
  'member.removed': ['resource_id'],
  'message.read': [],
  'message.removed': [],
  'message.sent': [],
  'oauth_client.created': [],
  'oauth_client.deleted': [],
  'oauth_client.updated': [],
  'organization.alert_terms_changed': [],
  'organization.archived': ['created_by'],
  'organization.created': ['created_by'],
  'organization.unarchived': ['created_by'],
  'organization.updated': ['created_by'],
  'passkey.created': [],
  'passkey.deleted': [],
  'passkey.updated': [],
  redacted: [],
  'registration_token.created': [],
  'registration_token.deleted': [],
  'relation.created': ['created_by'],
  'resource.created': ['id'],
  'resource.deleted': ['id'],
  'resource.linked': ['id'],
  'resource.transferred': ['id'],
  'resource.unlinked': ['id'],
  'resource.updated': ['id'],
  'ritual.created': ['created_by'],
  'ritual.forked': ['created_by'],
  'ritual.updated': ['created_by'],
  'ritual_run.created': ['run_by'],
  'ritual_run.status_changed': ['run_by'],
  'rule.created': ['created_by', 'owner_id'],
  'rule.deleted': ['created_by', 'owner_id'],
  'rule.updated': ['created_by', 'owner_id'],
  'scim_token.created': [],
  'scim_token.deleted': [],
  'task.created': ['assignee_id', 'creator_id', 'owner_id'],
  'task.review_requested': [],
  'task.status_changed': ['assignee_id', 'creator_id', 'owner_id'],
  'task.updated': ['creator_id', 'owner_id'],
  'template.created': ['created_by'],
  'template.forked': ['created_by'],
  'template.updated': ['created_by'],
  'time_entry.created': ['created_by', 'resource_id'],
  'time_entry.deleted': ['created_by', 'resource_id'],
  'time_entry.updated': ['created_by', 'resource_id'],
  'user.created': [],
  'user.updated': [],
  'view.created': ['created_by'],
  'view.deleted': ['created_by'],
  'view.updated': ['created_by'],
  'visibility.gained': [],
  'visibility.lost': [],
  'webhook.created': [],
  'webhook.deleted': [],
  'webhook.secret_rotated': [],
  'webhook.updated': [],
};

/** Properties that name people without telling them, because they did it, or are told as users. */
const UNTOLD: Readonly<Record<string, readonly string[]>> = {
  'approval.dismissed': ['dismissed_by'],
  'message.read': ['sender_id'],
  'message.removed': ['sender_id'],
  'message.sent': ['sender_id'],
  'resource.created': ['created_by'],
  'resource.deleted': ['created_by'],
  'resource.linked': ['created_by'],
  'resource.transferred': ['created_by'],
  'resource.unlinked': ['created_by'],
  'resource.updated': ['created_by'],
  'user.created': ['resource_id'],
  'user.updated': ['resource_id'],
  'webhook.created': ['owner_id'],
  'webhook.deleted': ['owner_id'],
  'webhook.secret_rotated': ['owner_id'],
  'webhook.updated': ['owner_id'],
};

interface Named {
  type: string;
  told: string[];
  untold: string[];
}

/** SQL: the properties of each type of event that name people, by whether every event of the type is told to them. */
const NAMED = `SELECT e.type, array_remove(array_agg(DISTINCT n.name ORDER BY n.name) FILTER (WHERE n.is_told), NULL) AS told,
    array_remove(array_agg(DISTINCT n.name ORDER BY n.name) FILTER (WHERE NOT n.is_told), NULL) AS untold
  FROM (SELECT DISTINCT type FROM events) e LEFT JOIN (
    SELECT x.type, p.key AS name, bool_and(p.value #>> '{}' = ANY(x.audience)) AS is_told
    FROM events x CROSS JOIN json_each(x.data) p WHERE p.value #>> '{}' ~ '^res_[0-9a-f]{32}$' GROUP BY x.type, p.key
  ) n ON n.type = e.type GROUP BY e.type ORDER BY e.type`;

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

  it('tells everyone whom the event concerns', async () => {
    const rows = await world.app.database.query<Named>(NAMED);
    const known = (table: typeof TOLD) => ({ ...Object.fromEntries(rows.map(({ type }) => [type, []])), ...table });
    const seen = (side: 'told' | 'untold') => Object.fromEntries(rows.map((row) => [row.type, row[side] ?? []]));
    expect(seen('told')).toEqual(TOLD);
    expect(seen('untold')).toEqual(known(UNTOLD));
  });
});
