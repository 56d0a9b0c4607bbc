import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBuilt } from '../../../scripts/build.mjs';
import { FLAGS } from '../../../scripts/flags.mjs';
import { opened } from './opened.mjs';

/** The project's folder. */
export const ROOT = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const LOADER = ['--import', `file://${ROOT}/scripts/typescript-loader.mjs`];

let built;

/** What Node is given to run a module of the service: the built one where dist/ is up to date, else its source. */
export function programOf(module) {
  built ??= isBuilt();
  return built ? [join(ROOT, 'dist', `${module}.js`)] : [...LOADER, join(ROOT, 'src', `${module}.ts`)];
}

/** What Node is given to run the service, as `npm start` does. */
export const serviceProgram = () => [...FLAGS, ...programOf('main')];

/** Where a module of the service is to be imported from, and the flags that Node needs for it. */
export function moduleOf(module) {
  const program = programOf(module);
  return { url: `file://${program.at(-1)}`, flags: program.slice(0, -1) };
}

/** Nothing of our own environment, above all no settings of the service, may steer what is started. */
export function plainEnvironment() {
  const { PATH = '', HOME = '', SystemRoot } = process.env;
  return { PATH, HOME, ...(SystemRoot && { SystemRoot }), TS_NODE_PROJECT: join(ROOT, 'tsconfig.json') };
}

/** A folder that is removed in the end; the database's user may walk into it. */
export function ownFolder(name) {
  const folder = mkdtempSync(join(tmpdir(), `worksmith-${name}-`));
  chmodSync(folder, 0o755);
  opened(async () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** A port of the loopback address that was free a moment ago. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
