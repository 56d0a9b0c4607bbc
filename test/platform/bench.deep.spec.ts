import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ensureBuilt } from '../../scripts/build.mjs';

const run = promisify(execFile);

/** The cells of the table below the heading, without the header row. */
function rowsOf(report: string, heading: string): string[][] {
  const [, section] = report.split(`## ${heading}\n`);
  const lines = section
    .split('\n## ')[0]
    .split('\n')
    .filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) => line.split('|').map((cell) => cell.trim()));
}

describe('npm run bench', () => {
  beforeAll(ensureBuilt);

  it('measures the service on every route', async () => {
    const { stdout } = await run(process.execPath, ['bench/run.mjs', '--smoke', '--servers', 'bare,naive']);
    const routes = rowsOf(stdout, 'Who asks what').map(([, route]) => route);
    expect(routes.length).toBeGreaterThan(10);
    const figures = rowsOf(stdout, 'Figures').filter(([, , , server]) => server === 'service');
    expect(figures.map(([, , route]) => route)).toEqual(routes);
    for (const [, , , , , , median] of figures) expect(median).toMatch(/^\d+\.\d\d$/);
  });

  it('measures what users cost, and calculates for companies', async () => {
    const { stdout } = await run(process.execPath, ['bench/run.mjs', '--smoke', '--sizing']);
    expect(rowsOf(stdout, 'What users cost')).toHaveLength(3);
    const costs = rowsOf(stdout, 'What a request costs');
    expect(costs.map(([, route]) => route)).toEqual(expect.arrayContaining(['get', 'list', 'patch', 'feed', 'search']));
    for (const [, , , , median] of costs) expect(median).toMatch(/^\d+\.\d$/);
    const database = Number.parseFloat(rowsOf(stdout, 'Space')[0][2]);
    expect(database).toBeGreaterThan(0);
    const companies = rowsOf(stdout, 'Calculator');
    expect(companies).toHaveLength(5);
    expect(Number(companies[1][6])).toBeCloseTo((database * 100) / 1024, 0);
  });
});
