/** `node scripts/request-files.mjs`: lists the source files that run during four requests (docs/internals.md). */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import inspector from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

const sources = join(dirname(dirname(fileURLToPath(import.meta.url))), 'src/');
const ADMIN = { email: 'ada@example.org', password: 'a river of quiet lamps' };

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const port = await freePort();
const origin = `http://127.0.0.1:${port}`;
const folder = mkdtempSync(join(tmpdir(), 'worksmith-files-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
Object.assign(process.env, {
  DATA_DIR: folder,
  PORT: String(port),
  HOST: '127.0.0.1',
  WORKERS: 'false',
  LOG_LEVEL: 'error',
  ADMIN_EMAIL: ADMIN.email,
  ADMIN_PASSWORD: ADMIN.password,
});

const session = new inspector.Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
await import('./typescript-loader.mjs');
await import(pathToFileURL(join(sources, 'main.ts')).href);

let token;
async function send(method, path, body) {
  const headers = {
    ...(body && { 'content-type': 'application/json' }),
    ...(token && { authorization: `Bearer ${token}` }),
  };
  const answer = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const { data, error } = await answer.json();
  if (!answer.ok) throw new Error(`${method} ${path}: ${error.message}`);
  return data;
}

/** The files of which a function has run since the last call. */
async function filesUsed() {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const isUsed = ({ functionName, ranges }) => functionName !== '' && ranges[0].startOffset > 0 && ranges[0].count > 0;
  return result
    .filter(({ url, functions }) => url.startsWith(pathToFileURL(sources).href) && functions.some(isUsed))
    .map(({ url }) => fileURLToPath(url).slice(sources.length));
}

while (
  !(await fetch(`${origin}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  ))
)
  await pause(200);
({ token } = await send('POST', '/auth/login', ADMIN));
const endeavour = (await send('POST', '/endeavours', { name: 'Garden' })).id;
const task = (await send('POST', '/tasks', { title: 'Paint', endeavour_id: endeavour })).id;
const ways = {
  'GET /tasks/{id}': () => send('GET', `/tasks/${task}`),
  'GET /tasks': () => send('GET', `/tasks?endeavour_id=${endeavour}`),
  'POST /tasks': () => send('POST', '/tasks', { title: 'Hang', endeavour_id: endeavour }),
  'PATCH /tasks/{id}': () => send('PATCH', `/tasks/${task}`, { title: `Paint ${Date.now()}` }),
};
for (const [name, ask] of Object.entries(ways)) {
  // The first run does not count: code that runs only once is not part of a request.
  await ask();
  await pause(500);
  await filesUsed();
  await pause(1_500);
  const idle = await filesUsed();
  await ask();
  await pause(200);
  const used = (await filesUsed()).filter((file) => !idle.includes(file)).sort();
  process.stdout.write(`${name}: ${used.length} files\n${used.map((file) => `  ${file}\n`).join('')}`);
}
process.kill(process.pid, 'SIGTERM');
