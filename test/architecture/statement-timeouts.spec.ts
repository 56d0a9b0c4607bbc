import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files that also change the socket timeout, only shorten the statement timeout, or use sockets without a timeout. */
const ALLOWED = [
  'src/doctor.ts',
  'src/embedded-postgres/backup/table-digests.ts',
  'src/external-postgres/server.ts',
  'src/platform/database/database.ts',
  'src/platform/database/transactions/transaction-completion.ts',
  'src/platform/doctor/orphan-examination.ts',
  'src/platform/partitions/partition-removal.ts',
];

it('sets statement timeouts only in files where the socket waits at least as long', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const setting = files
    .map((name) => join('src', name))
    .filter((path) => /SET (?:LOCAL )?statement_timeout/.test(readFileSync(path, 'utf8')));
  expect(setting.toSorted()).toEqual(ALLOWED);
});
