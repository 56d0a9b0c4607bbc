import { join } from 'node:path';
import { ROOT, startServer } from './processes.mjs';

export const SECRETS = {
  JWT_SECRET: 'bench-signing-key-0f3c9a7e5d1b2846',
  PEPPER: 'bench-pepper-8a6e4c2f0d1b3957-not-for-use',
  MAIL: 'files',
};
const HIGH = '100000000';

/** Starts the service as in production, without limits that would stop the measurement or remove the old events. */
export function startService({ host, port, user, database }, env = {}) {
  return startServer('dist/main.js', {
    ...SECRETS,
    DATABASE_URL: `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
    LIMIT_READS_PER_MINUTE: HIGH,
    LIMIT_WRITES_PER_MINUTE: HIGH,
    LIMIT_LOGIN_PER_MINUTE: HIGH,
    EVENTS_DAYS: '3650',
    ...env,
  });
}

const ownServer = (program) => (connection) =>
  startServer(program, {
    ...SECRETS,
    CONNECTION: JSON.stringify(connection),
    TS_NODE_PROJECT: join(ROOT, 'tsconfig.json'),
  });

export const STARTERS = {
  bare: ownServer('bench/servers/bare.mjs'),
  service: startService,
  naive: ownServer('bench/servers/naive/main.ts'),
};
