import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { TestDirectory } from '../support/directory.js';
import { DomainProxy } from '../support/domain-proxy.js';
import { SCIM_TESTER } from '../support/production/programs.js';
import { requiring } from '../support/production/requiring.js';
import { TestApp } from '../support/test-app.js';

const program = join(SCIM_TESTER, 'bin/scim');
const isInstalled = existsSync(program);
const say = `scripts/production-programs.sh installs scim2-cli, which tests SCIM and which this machine lacks (${program}).`;
const describeIfInstalled = requiring(isInstalled ? undefined : say);

/** Runs the compliance tester, and returns a line for each check, with the reason. */
async function checks(url: string, token: string): Promise<string[]> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn('python3', [program, '--url', url, 'test'], {
    env: {
      PATH,
      HOME,
      PYTHONPATH: SCIM_TESTER,
      PYTHONDONTWRITEBYTECODE: '1',
      NO_COLOR: '1',
      SCIM_CLI_HEADERS: `Authorization: Bearer ${token}`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return (await text(child.stdout))
    .replaceAll(/\n {2}/g, ': ')
    .split('\n')
    .filter((line) => /^[A-Z]+ \w+/.test(line));
}

/**
 * The tester expects of every change to be answered with exactly what was sent. The extension tells which work a dismissed person
 * has left, and members have the names of people: both are read only.
 */
const READ_ONLY = ['urn:worksmith:params:scim:schemas:extension:2.0:User', 'members'];
const EXPECTED = READ_ONLY.flatMap((attribute) =>
  ['add', 'replace'].map(
    (act) => `ERROR check_${act}_attribute: PATCH modify() returned unexpected value for '${attribute}'.`,
  ),
);

describeIfInstalled('the public compliance tester of SCIM 2.0', () => {
  it('finds no fault but that some attributes are read only', async () => {
    const app = await TestApp.open({ LIMIT_WRITES_PER_MINUTE: '100000', LIMIT_READS_PER_MINUTE: '100000' });
    const directory = await TestDirectory.of(app, await app.person('Ann'), await app.admin());
    const proxy = await DomainProxy.open(`http://127.0.0.1:${app.port()}`, directory.domain);
    const url = `http://127.0.0.1:${proxy.port}/scim/v2/${directory.organization}`;
    const found = await checks(url, directory.token);
    await proxy.close();
    await app.close();
    expect(found.filter((line) => line.startsWith('ERROR'))).toEqual(EXPECTED);
    expect(found.filter((line) => line.startsWith('SUCCESS')).length).toBeGreaterThanOrEqual(60);
  });
});
