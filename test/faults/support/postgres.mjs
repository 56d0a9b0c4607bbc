import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { opened } from './opened.mjs';
import { postmasterOf } from './processes.mjs';
import { moduleOf, ownFolder, plainEnvironment, programOf } from './programs.mjs';

const HOST = fileURLToPath(new URL('postgres-host.mjs', import.meta.url));
const run = promisify(execFile);

/** A folder name that leaves no room for the path of a Unix socket: the server then listens on the loopback address. */
const TOO_LONG = `faults-database-${'x'.repeat(90)}`;

/**
 * A PostgreSQL for several replicas: a server of its own on a TCP port of the loopback address, migrated. `unsafe`
 * trades durability for speed; `folder` is where its data is to lie, if not in a folder of its own.
 */
export async function startPostgres({ unsafe = false, folder } = {}) {
  const dataDir = folder === undefined ? ownFolder(TOO_LONG) : join(folder, TOO_LONG);
  mkdirSync(dataDir, { recursive: true });
  const { url, flags } = moduleOf('embedded-postgres/embedded-postgres');
  const host = fork(HOST, [url, dataDir, String(unsafe)], {
    cwd: dataDir,
    env: { ...plainEnvironment(), TMPDIR: dataDir },
    execArgv: flags,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const gone = once(host, 'exit');
  const close = opened(async () => {
    if (host.connected) host.disconnect();
    await gone;
  });
  const failure = gone.then(([code]) => Promise.reject(new Error(`PostgreSQL for the suite did not start (${code})`)));
  const [connection] = await Promise.race([once(host, 'message'), failure]);
  failure.catch(() => undefined);
  const { host: address, port, user, password, database } = connection;
  const databaseUrl = `postgres://${user}:${encodeURIComponent(password)}@${address}:${port}/${database}`;
  await migrate(databaseUrl);
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

async function migrate(databaseUrl) {
  const env = { ...plainEnvironment(), DATABASE_URL: databaseUrl };
  await run(process.execPath, programOf('migrate'), { env, cwd: new URL('.', import.meta.url) });
}
