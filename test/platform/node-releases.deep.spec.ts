import { chmodSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NODE_RELEASES, nodeOf } from '../support/production/programs.js';
import { freePort, ServiceProcess } from '../support/service.js';

const missing = NODE_RELEASES.filter((release) => !existsSync(nodeOf(release)));
const say = `scripts/production-programs.sh fetches Node ${missing.join(', ')}, which this machine lacks.`;
if (missing.length > 0) process.stderr.write(`NOT RUN  ${say}\n`);
const found = NODE_RELEASES.filter((release) => !missing.includes(release));

it('has all releases of Node, or says which are missing and fails in CI', () => {
  if (process.env.CI === 'true') expect(missing.length === 0 ? '' : say).toBe('');
});

(found.length > 0 ? describe : describe.skip)('the service', () => {
  it.each(found)('starts, signs in, writes, reads and stops with Node %s', async (release) => {
    const directory = mkdtempSync(join(tmpdir(), 'worksmith-node-'));
    chmodSync(directory, 0o755);
    symlinkSync(join(process.cwd(), 'node_modules'), join(directory, 'node_modules'));
    const port = await freePort();
    const settings = { DATA_DIR: join(directory, 'data'), PORT: String(port), WORKERS: '2' };
    const service = new ServiceProcess(settings, 'src/main.ts', directory, [], undefined, nodeOf(release));
    await service.says('"msg":"listening');
    const line = service.output.split('\n').find((text) => text.includes('"msg":"listening')) ?? '';
    const { node, administrator, password } = JSON.parse(line) as Record<string, string>;
    expect(node).toMatch(new RegExp(`^v${release}\\.`));
    const api = async (path: string, body?: object, token = ''): Promise<Record<string, string>> => {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'content-type': 'application/json', ...(token !== '' && { authorization: `Bearer ${token}` }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const answer = (await response.json()) as { data: Record<string, string> };
      expect([response.ok, answer]).toEqual([true, expect.anything()]);
      return answer.data;
    };
    const { token } = await api('/auth/login', { email: administrator, password });
    const endeavour = await api('/endeavours', { name: 'Garden' }, token);
    await api('/tasks', { title: 'Sow', endeavour_id: endeavour.id }, token);
    expect(await api(`/tasks?endeavour_id=${endeavour.id}`, undefined, token)).toHaveLength(1);
    service.signal('SIGTERM');
    expect(await service.exit()).toBe(0);
    rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
});
