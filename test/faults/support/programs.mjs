import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBuilt } from '../../../scripts/build.mjs';
import { FLAGS } from '../../../scripts/flags.mjs';
import { registerCleanup } from './opened.mjs';

/** The project's folder. */
export const ROOT = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const LOADER = ['--import', `file://${ROOT}/scripts/typescript-loader.mjs`];

let built;

/**
 * The arguments of Node for a module of the service: the built one if dist/ is up to date, else its source. `release` is
 * the folder of another, built release.
 */
export function nodeArguments(module, release) {
  if (release !== undefined) return [join(release, 'dist', `${module}.js`)];
  built ??= isBuilt();
  return built ? [join(ROOT, 'dist', `${module}.js`)] : [...LOADER, join(ROOT, 'src', `${module}.ts`)];
}

/** The arguments of Node that run the service as `npm start` does. */
export const serviceArguments = (release) => [...FLAGS, ...nodeArguments('main', release)];

/** The URL of a module of the service for `import`, and the flags that Node needs for it. */
export function moduleOf(module) {
  const program = nodeArguments(module);
  return { url: `file://${program.at(-1)}`, flags: program.slice(0, -1) };
}

/** An environment without the other variables of this process, so that they cannot set settings of the service. */
export function cleanEnvironment() {
  const { PATH = '', HOME = '', SystemRoot } = process.env;
  return { PATH, HOME, ...(SystemRoot && { SystemRoot }), TS_NODE_PROJECT: join(ROOT, 'tsconfig.json') };
}

/** Creates a temporary folder that is removed at the end; other users can enter it, as that of the database must. */
export function temporaryFolder(name) {
  const folder = mkdtempSync(join(tmpdir(), `worksmith-${name}-`));
  chmodSync(folder, 0o755);
  registerCleanup(async () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
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
