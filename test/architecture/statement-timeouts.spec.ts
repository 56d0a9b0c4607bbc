import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** These change the socket with it, or only shorten it, or use connections whose socket has no timeout. */
const ALLOWED = [
  'src/doctor.ts',
  'src/embedded-postgres/backup/table-digests.ts',
  'src/platform/database/database.ts',
  'src/platform/database/transaction-completion.ts',
];

it('allows statements more time only where their connection waits as long for the result', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const setting = files
    .map((name) => join('src', name))
    .filter((path) => /SET (?:LOCAL )?statement_timeout/.test(readFileSync(path, 'utf8')));
  expect(setting.toSorted()).toEqual(ALLOWED);
});
