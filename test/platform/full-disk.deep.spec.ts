import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, ServiceProcess } from '../support/service.js';

const MEGABYTES = 160;
const BLOCK = Buffer.alloc(256 * 1024);
const SAYS = 'The disk of the database is full; changes cannot be saved at the moment.';
const ADMIN = { email: 'root@example.org', password: 'a river of quiet lamps' };

const isRoot = process.getuid?.() === 0;

interface HttpResponse {
  status: number;
  data: { token: string; id: string };
  error: { message: string; details?: { problems: string[] } };
}

/** Only root can mount a file system. */
(isRoot ? describe : describe.skip)('a full disk (as root)', () => {
  let disk: string;
  let service: ServiceProcess;
  let port: number;

  beforeAll(async () => {
    disk = mkdtempSync(join(tmpdir(), 'worksmith-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${MEGABYTES}m,mode=755`, 'tmpfs', disk]);
    port = await freePort();
    service = new ServiceProcess({
      DATA_DIR: join(disk, 'data'),
      PORT: String(port),
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      LIMIT_WRITES_PER_MINUTE: '1000000',
    });
    await service.says('"msg":"listening');
  });

  afterAll(async () => {
    service.signal('SIGTERM');
    await service.exit();
    execFileSync('umount', [disk]);
    rmSync(disk, { recursive: true });
  });

  /** Fills the disk to the last byte. */
  function fill(): void {
    const file = openSync(join(disk, 'filler'), 'a');
    for (let size = BLOCK.length; size > 0;) {
      try {
        writeSync(file, BLOCK, 0, size);
      } catch {
        size = Math.floor(size / 2);
      }
    }
    closeSync(file);
  }

  async function ask(method: string, path: string, token?: string, body?: object): Promise<HttpResponse> {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, ...((await response.json()) as Omit<HttpResponse, 'status'>) };
  }

  it('is reported in the response, the log and the readiness check, and ends when there is space again', async () => {
    const { token } = (await ask('POST', '/api/v1/auth/login', undefined, ADMIN)).data;
    const { id } = (await ask('POST', '/api/v1/endeavours', token, { name: 'Garden' })).data;
    const write = () =>
      ask('POST', '/api/v1/tasks', token, { title: 'Big', endeavour_id: id, description: 'x'.repeat(40_000) });
    expect((await write()).status).toBe(201);

    fill();
    let refused = await write();
    while (refused.status === 201) refused = await write();
    expect(refused).toMatchObject({ status: 503, error: { code: 'unavailable', message: SAYS } });
    expect((await ask('GET', `/api/v1/endeavours/${id}`, token)).status).toBe(200);

    let ready = await ask('GET', '/health/ready', token);
    for (; ready.status === 200; ready = await ask('GET', '/health/ready', token)) await sleep(200);
    expect(ready).toMatchObject({ status: 503, error: { details: { problems: [`disk_full: ${SAYS}`] } } });
    expect((await ask('GET', '/health/ready')).error).not.toHaveProperty('details');
    expect((await ask('GET', '/health/ready?for=read')).status).toBe(200);
    expect((await ask('GET', `/api/v1/endeavours/${id}`, token)).status).toBe(200);
    await service.says('"cause":"disk_full: could not');
    await service.says('"level":"error"');

    rmSync(join(disk, 'filler'));
    while ((await ask('GET', '/health/ready')).status !== 200) await sleep(200);
    expect((await write()).status).toBe(201);
    await service.says('the database accepts writes again');
  });
});
