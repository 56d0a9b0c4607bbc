import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROMETHEUS } from '../support/production/programs.js';
import { requiring } from '../support/production/requiring.js';
import { ALERT_TESTS, readAlerts, readDashboard } from '../support/alerts.js';

const say = 'scripts/production-programs.sh installs promtool, which tests the alerts and which this machine lacks.';
const isInstalled = existsSync(PROMETHEUS.promtool);
const describeIfInstalled = requiring(isInstalled ? undefined : say);

/** The exit code and what promtool wrote. */
function promtool(...words: string[]): [code: number | null, output: string] {
  const { status, stdout, stderr } = spawnSync(PROMETHEUS.promtool, words, { encoding: 'utf8' });
  return [status, `${stdout}${stderr}`];
}

/** A file of rules in a new folder. */
function written(name: string, content: string, folder = mkdtempSync(join(tmpdir(), 'worksmith-alerts-'))): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

describeIfInstalled('the alerts', () => {
  it('are rules that Prometheus accepts', () => {
    expect(promtool('check', 'rules', 'deploy/alerts.yaml')).toEqual([
      0,
      expect.stringContaining(`SUCCESS: ${readAlerts().length} rules found`),
    ]);
  });

  it('pass their tests', () => {
    expect(promtool('test', 'rules', ALERT_TESTS)).toEqual([0, expect.stringContaining('SUCCESS')]);
  });

  it('have a test of each that notices if it never fires', () => {
    const rules = readFileSync('deploy/alerts.yaml', 'utf8');
    const silent = rules.replaceAll(/^( +expr: )(?:>-\n(?: {10}.*\n)+|.*\n)/gm, '$1vector(0) > 1\n');
    expect(silent.match(/vector\(0\) > 1/g)).toHaveLength(readAlerts().length);
    const folder = mkdtempSync(join(tmpdir(), 'worksmith-alerts-'));
    written('alerts.yaml', silent, folder);
    const test = written('alerts.test.yaml', readFileSync(ALERT_TESTS, 'utf8'), folder);
    const [code, output] = promtool('test', 'rules', test);
    expect([code, readAlerts().filter(({ alert }) => !output.includes(`alertname: ${alert}`))]).toEqual([1, []]);
  });

  it('notice a series that keeps firing where all is well', () => {
    const folder = mkdtempSync(join(tmpdir(), 'worksmith-alerts-'));
    written('alerts.yaml', readFileSync('deploy/alerts.yaml', 'utf8').replace('> 900e6', '> 700e6'), folder);
    const test = written('alerts.test.yaml', readFileSync(ALERT_TESTS, 'utf8'), folder);
    expect(promtool('test', 'rules', test)).toEqual([1, expect.stringContaining('ALERTS{')]);
  });
});

describeIfInstalled('the dashboard', () => {
  it('has queries that Prometheus accepts', () => {
    const rules = readDashboard().map(({ expr }, at) => ({
      record: `dashboard:query_${at}`,
      expr: expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*'),
    }));
    const file = written('dashboard.yaml', JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
    expect(promtool('check', 'rules', file)).toEqual([
      0,
      expect.stringContaining(`SUCCESS: ${rules.length} rules found`),
    ]);
  });
});
