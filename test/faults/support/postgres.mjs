import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { registerCleanup } from './opened.mjs';
import { postmasterOf } from './processes.mjs';
import { moduleOf, temporaryFolder, cleanEnvironment, nodeArguments } from './programs.mjs';

const HOST = fileURLToPath(new URL('postgres-host.mjs', import.meta.url));
const run = promisify(execFile);

/** A folder name that leaves no room for the path of a Unix socket: the server then listens on the loopback address. */
const TOO_LONG = `faults-database-${'x'.repeat(90)}`;

/**
 * Starts a migrated PostgreSQL server for several replicas, on a TCP port of the loopback address. `unsafe` trades
 * durability for speed; `folder` is the parent of its data folder, by default a new temporary folder;
 * `release` is the folder of the release that migrates it, by default this one.
 */
export async function startPostgres({ unsafe = false, folder, release } = {}) {
  const dataDir = folder === undefined ? temporaryFolder(TOO_LONG) : join(folder, TOO_LONG);
  mkdirSync(dataDir, { recursive: true });
  const { url, flags } = moduleOf('embedded-postgres/embedded-postgres');
  const host = fork(HOST, [url, dataDir, String(unsafe)], {
    cwd: dataDir,
    env: { ...cleanEnvironment(), TMPDIR: dataDir },
    execArgv: flags,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const gone = once(host, 'exit');
  const close = registerCleanup(async () => {
    if (host.connected) host.disconnect();
    await gone;
  });
  const failure = gone.then(([code]) => Promise.reject(new Error(`PostgreSQL for the suite did not start (${code})`)));
  const [connection] = await Promise.race([once(host, 'message'), failure]);
  failure.catch(() => undefined);
  const { host: address, port, user, password, database } = connection;
  const databaseUrl = `postgres://${user}:${encodeURIComponent(password)}@${address}:${port}/${database}`;
  await migrate(databaseUrl, release);
  return {
    connection,
    databaseUrl,
    dataDir,
    close,
    get postmaster() {
      return postmasterOf(dataDir)?.pid;
    },
  };
}

async function migrate(databaseUrl, release) {
  const env = { ...cleanEnvironment(), DATABASE_URL: databaseUrl };
  await run(process.execPath, nodeArguments('migrate', release), { env, cwd: new URL('.', import.meta.url) });
}
