import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readPidFile } from '../../src/embedded-postgres/pid-file.js';
import { servesDirectory } from '../../src/embedded-postgres/processes.js';
import { freePort, ServiceProcess } from '../support/service.js';

interface Line {
  worker?: number;
  msg?: string;
  route?: string;
  settings?: Record<string, unknown>;
}

describe('a service with two workers', () => {
  let directory: string;
  let dataDir: string;
  let service: ServiceProcess;
  let port: number;
  let metricsPort: number;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'worksmith-workers-'));
    // The account of the database enters it, too.
    chmodSync(directory, 0o755);
    dataDir = join(directory, 'data');
    symlinkSync(join(process.cwd(), 'node_modules'), join(directory, 'node_modules'));
    writeFileSync(join(directory, '.env'), 'LIMIT_LOGIN_PER_MINUTE=100\n');
    [port, metricsPort] = [await freePort(), await freePort()];
    service = start({ PORT: String(port) });
    await service.says('"msg":"listening');
  });
  afterAll(async () => {
    service.signal('SIGKILL');
    await service.exit();
    if (isServed()) process.kill(serverPid(), 'SIGQUIT');
    rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  const start = (environment: Record<string, string>): ServiceProcess =>
    new ServiceProcess(
      { DATA_DIR: dataDir, WORKERS: '2', METRICS_PORT: String(metricsPort), ...environment },
      'src/main.ts',
      directory,
    );
  const serverPid = (): number => readPidFile(join(dataDir, 'cluster'))?.pid ?? 0;
  const isServed = (): boolean => servesDirectory(serverPid(), join(dataDir, 'cluster'));

  const lines = (): Line[] =>
    service.output
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Line);
  /** The processes of the workers that have listened, the newest last. */
  const pids = (): number[] =>
    lines().flatMap(({ msg = '' }) => {
      const [, pid] = /^worker \d of process (\d+) listens$/.exec(msg) ?? [];
      return pid === undefined ? [] : [Number(pid)];
    });

  /** The status of a request on a connection of its own, which any worker may get. */
  const get = (path: string, at = port): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      request({ port: at, path, agent: false }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      })
        .on('error', reject)
        .end();
    });
  const metrics = async (): Promise<string> => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await sleep(20);
  };

  it('says what it starts with once, and serves requests with both of them', async () => {
    const listening = lines().filter(({ msg = '' }) => msg.startsWith('listening'));
    expect(listening).toEqual([
      expect.objectContaining({ settings: expect.objectContaining({ WORKERS: 2 }) as object }),
    ]);
    expect(lines().filter((line) => 'password' in line)).toHaveLength(1);
    // Each process writes its lines in batches.
    await until(() => new Set(pids()).size === 2);
    const served = (): Set<number | undefined> =>
      new Set(lines().flatMap(({ route, worker }) => (route === '/version' ? [worker] : [])));
    while (served().size < 2) expect(await get('/version')).toBe(200);
    expect([...served()].toSorted()).toEqual([1, 2]);
  });

  it('shows the metrics of both, told apart', async () => {
    const shown = await metrics();
    const workers = [...shown.matchAll(/^process_start_time_seconds\{worker="(\d)"\} /gm)].map(([, worker]) => worker);
    expect(workers.toSorted()).toEqual(['1', '2']);
    expect(shown.match(/^# TYPE process_start_time_seconds /gm)).toHaveLength(1);
    expect(shown.match(/^# EOF$/gm)).toHaveLength(1);
    expect(await get('/metrics')).toBe(404);
  });

  it('replaces a worker that is killed, while the other one serves', async () => {
    const before = pids();
    process.kill(before[0], 'SIGKILL');
    await service.says('Worker 1 ended by SIGKILL; another one starts in 0.');
    for (let count = 0; count < 20; count += 1) expect(await get('/health/ready')).toBe(200);
    await until(() => pids().length === before.length + 1);
    expect(await metrics()).toContain('process_start_time_seconds{worker="1"}');
    expect(isServed()).toBe(true);
  });

  it('reloads the settings in all of them, and in one that begins later', async () => {
    writeFileSync(join(directory, '.env'), 'LIMIT_LOGIN_PER_MINUTE=3\nSESSION_HOURS=4\n');
    service.signal('SIGHUP');
    const reloads = (): (number | undefined)[] =>
      lines().flatMap(({ msg, worker }) => (msg === 'settings were reloaded' ? [worker] : []));
    await until(() => reloads().length === 3);
    expect(new Set(reloads())).toEqual(new Set([undefined, 1, 2]));
    const [newest] = pids().slice(-1);
    process.kill(newest, 'SIGKILL');
    await until(() => reloads().length === 4);
  });

  it('replaces all of them by SIGUSR2 without a request that fails', async () => {
    const before = pids();
    service.signal('SIGUSR2');
    let served = 0;
    while (!service.output.includes('all workers were replaced')) {
      expect(await get('/health/ready')).toBe(200);
      served += 1;
    }
    expect(served).toBeGreaterThan(0);
    expect(pids().length).toBe(before.length + 2);
  });

  it('stops as a whole, the database last', async () => {
    service.signal('SIGTERM');
    expect(await service.exit()).toBe(0);
    expect(isServed()).toBe(false);
    expect(lines().filter(({ msg }) => msg === 'stopped').length).toBeGreaterThanOrEqual(2);
    expect(service.output).not.toContain('"level":"fatal"');
  });

  it('does not start on a port that is in use, and says so once', async () => {
    const other = start({ PORT: String(await freePort()) });
    await other.says('"msg":"listening');
    const [taken] = /"PORT":(\d+)/.exec(other.output)?.slice(1) ?? [];
    const refused = new ServiceProcess(
      { DATA_DIR: join(directory, 'other'), WORKERS: '2', PORT: taken },
      'src/main.ts',
      directory,
    );
    expect(await refused.exit()).toBe(1);
    expect(refused.output.match(/the port is in use/g)).toHaveLength(1);
    other.signal('SIGTERM');
    expect(await other.exit()).toBe(0);
  });
});
