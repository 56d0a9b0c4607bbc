import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SYSTEMD = '/usr/bin/systemd-analyze';
const isInstalled = existsSync(SYSTEMD);
if (!isInstalled) process.stderr.write('NOT RUN  This machine has no systemd, which reads its unit.\n');

(isInstalled ? describe : describe.skip)('the unit for systemd', () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'worksmith-unit-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** What systemd finds wrong in a unit, here with the Node of this process. Its exit code ignores unknown names. */
  function faults(unit: string): string {
    const file = join(folder, 'worksmith.service');
    writeFileSync(file, unit.replace('/usr/bin/node', process.execPath));
    const { stdout, stderr } = spawnSync(SYSTEMD, ['verify', '--man=no', file], {
      encoding: 'utf8',
    });
    return `${stdout}${stderr}`;
  }

  it('has only names and values that systemd knows', () => {
    const unit = readFileSync('deploy/systemd/worksmith.service', 'utf8');
    expect(faults(unit.replace('ProtectClock=', 'ProtectClocks='))).toContain('ProtectClocks');
    expect(faults(unit.replace('KillMode=mixed', 'KillMode=mixt'))).toContain('mixt');
    expect(faults(unit)).toBe('');
  });
});
