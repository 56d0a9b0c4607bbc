import createClient, { type Middleware } from 'openapi-fetch';
import type { components, paths } from './schema.js';

// Exercises the client that openapi-typescript generates: every value below has the type in the OpenAPI document.

declare const process: { argv: string[] };

const [baseUrl = '', email = '', password = ''] = process.argv.slice(2);
const client = createClient<paths, 'application/json'>({
  baseUrl,
  querySerializer: { array: { style: 'form', explode: false } },
});

function must<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new Error(`no ${what}`);
  return value;
}

function same<T>(actual: T, expected: T): void {
  if (actual !== expected) throw new Error(`expected ${String(expected)}, got ${String(actual)}`);
}

const login = await client.POST('/api/v1/auth/login', { body: { email, password } });
const { token } = must(login.data, 'login').data;
if (token === undefined) throw new Error('the account has a second factor');
const authorize: Middleware = {
  onRequest({ request }) {
    request.headers.set('Authorization', `Bearer ${token}`);
    return request;
  },
};
client.use(authorize);

const organization = await client.POST('/api/v1/organizations', { body: { name: 'Riverside' } });
const { id: organization_id } = must(organization.data, 'organization').data;
const endeavour = await client.POST('/api/v1/endeavours', { body: { name: 'Garden', organization_id } });
const { id: endeavour_id } = must(endeavour.data, 'endeavour').data;
const task = await client.POST('/api/v1/tasks', { body: { title: 'Paint the gate', endeavour_id, estimate: 1.5 } });
const created: components['schemas']['Task'] = must(task.data, 'task').data;
same(created.estimate, 1.5);

const status: components['schemas']['TaskStatus'][] = ['planned', 'active'];
const query = { status, endeavour_id: [endeavour_id], unassigned: true };
const found = await client.GET('/api/v1/tasks', { params: { query } });
same(must(found.data, 'tasks').data[0]?.id, created.id);
same(must(found.data, 'tasks').meta.total, 1);

const path = { id: created.id };
const ifMatch = must(task.response.headers.get('etag'), 'ETag');
const params = { path, header: { 'If-Match': ifMatch } };
const patched = await client.PATCH('/api/v1/tasks/{id}', { params, body: { status: 'active' } });
same(must(patched.data, 'task').data.status, 'active');

const stale = await client.PATCH('/api/v1/tasks/{id}', { params, body: { title: 'Paint it twice' } });
same(stale.response.status, 412);
if (stale.error?.error.code !== 'precondition_failed') throw new Error('not refused as stale');
same(stale.error.error.details?.current_revision, must(patched.data, 'task').data.revision);

const conditions = [{ type: 'comment_required' as const }];
const policy = await client.POST('/api/v1/dod-policies', { body: { name: 'Discussed', conditions, endeavour_id } });
const { id: policy_id } = must(policy.data, 'policy').data;
await client.POST('/api/v1/endeavours/{id}/dod-policy', {
  params: { path: { id: endeavour_id } },
  body: { policy_id },
});
const refused = await client.PATCH('/api/v1/tasks/{id}', { params: { path }, body: { status: 'done' } });
if (refused.response.status !== 409 || refused.error === undefined || !('details' in refused.error.error)) {
  throw new Error('the task was closed without what its policy asks for');
}
const conflict = refused.error as components['schemas']['ConflictFailure'];
same(conflict.error.code, 'dod_not_met');
const [condition] = must(conflict.error.details?.conditions, 'conditions');
same(condition?.status, 'failed');
same(condition?.type, 'comment_required');

const schedule = { type: 'interval' as const, every: '1d' };
const ritual = await client.POST('/api/v1/rituals', { body: { name: 'Morning round', endeavour_id, schedule } });
const { id: ritual_id } = must(ritual.data, 'ritual').data;
const read = await client.GET('/api/v1/rituals/{id}', { params: { path: { id: ritual_id } } });
const { schedule: kept, last_run } = must(read.data, 'ritual').data;
same(kept.every, '1d');
same(last_run, null);
const resource = await client.GET('/api/v1/resources/{id}', { params: { path: { id: created.owner_id } } });
same(must(resource.data, 'resource').data.type, 'human');
