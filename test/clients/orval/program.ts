import {
  authLogin,
  changesList,
  endeavoursCreate,
  organizationsCreate,
  tasksCreate,
  tasksUpdate,
  usersCreate,
} from './api.js';

// Exercises the client that orval generates for fetch: each status of a response is a type of its own.

declare const process: { argv: string[] };

const [baseUrl = '', email = '', password = ''] = process.argv.slice(2);
const headers: Record<string, string> = {};
const plainFetch = globalThis.fetch;
globalThis.fetch = (path, init) =>
  plainFetch(new URL(String(path), baseUrl), { ...init, headers: { ...(init?.headers as object), ...headers } });

function same<T>(actual: T, expected: T): void {
  if (actual !== expected) throw new Error(`expected ${String(expected)}, got ${String(actual)}`);
}

const login = await authLogin({ email, password });
if (login.status !== 200) throw new Error('not signed in');
headers.Authorization = `Bearer ${login.data.data.token}`;

const organization = await organizationsCreate({ name: 'Riverside' });
if (organization.status !== 201) throw new Error('no organization');
const endeavour = await endeavoursCreate({ name: 'Garden', organization_id: organization.data.data.id });
if (endeavour.status !== 201) throw new Error('no endeavour');
const task = await tasksCreate({ title: 'Paint the gate', endeavour_id: endeavour.data.data.id, estimate: 1.5 });
if (task.status !== 201) throw new Error('no task');
same(task.data.data.estimate, 1.5);

const feed = await changesList();
if (feed.status !== 200 || feed.data.meta.next <= 0) throw new Error('the feed has no sequence');

const invalid = await tasksUpdate(task.data.data.id, { estimate: -1 });
if (invalid.status !== 400) throw new Error('not refused');
const { error } = invalid.data;
if (error.code !== 'invalid_input') throw new Error('another reason');
same(error.details?.fields?.[0]?.field, 'estimate');

const ann = { email: 'ann.orval@example.com', name: 'Ann Archer', password };
same((await usersCreate(ann)).status, 201);
const again = await usersCreate(ann);
if (again.status !== 409) throw new Error('not refused');
same(again.data.error.details?.reason, 'email_taken');
