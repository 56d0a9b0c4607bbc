import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FLAGS } from '../../scripts/flags.mjs';
import { NODE_RELEASES, nodeOf } from '../support/production/programs.js';
import { freePort, ServiceProcess } from '../support/service.js';

const missing = NODE_RELEASES.filter((release) => !existsSync(nodeOf(release)));
const say = `scripts/production-programs.sh fetches Node ${missing.join(', ')}, which this machine lacks.`;
if (missing.length > 0) process.stderr.write(`NOT RUN  ${say}\n`);
const found = NODE_RELEASES.filter((release) => !missing.includes(release));
const ADMIN = { email: 'node@worksmith.example', password: 'a garden gate of iron' };

it('has all releases of Node, or says which are missing and fails in CI', () => {
  if (process.env.CI === 'true') expect(missing.length === 0 ? '' : say).toBe('');
});

(found.length > 0 ? describe : describe.skip)('npm start', () => {
  const directory = mkdtempSync(join(tmpdir(), 'worksmith-node-'));
  /** The names of the endeavours that the releases before have created. */
  const written: string[] = [];

  let running: ServiceProcess | undefined;

  beforeAll(() => chmodSync(directory, 0o755));
  afterEach(async () => {
    running?.signal('SIGTERM');
    await running?.exit();
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

  it.each(found)(
    'with Node %s goes on with the data of the release before, signs in, writes and stops',
    async (release) => {
      const port = await freePort();
      const settings = {
        DATA_DIR: join(directory, 'data'),
        PORT: String(port),
        WORKERS: '2',
        ADMIN_EMAIL: ADMIN.email,
        ADMIN_PASSWORD: ADMIN.password,
        NODE_OPTIONS: FLAGS.join(' '),
      };
      const service = new ServiceProcess(settings, 'scripts/start.mjs', directory, [], undefined, nodeOf(release));
      running = service;
      await service.says('"msg":"listening');
      const line = service.output.split('\n').find((text) => text.includes('"msg":"listening')) ?? '';
      expect((JSON.parse(line) as { node: string }).node).toMatch(new RegExp(`^v${release}\\.`));
      const api = async (path: string, body?: object, token = ''): Promise<unknown> => {
        const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
          method: body === undefined ? 'GET' : 'POST',
          headers: { 'content-type': 'application/json', ...(token !== '' && { authorization: `Bearer ${token}` }) },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        const answer = (await response.json()) as { data: unknown };
        expect([response.ok, answer]).toEqual([true, expect.objectContaining({ data: expect.anything() as unknown })]);
        return answer.data;
      };
      const { token } = (await api('/auth/login', ADMIN)) as { token: string };
      const name = `Garden of Node ${release}`;
      await api('/endeavours', { name }, token);
      written.push(name);
      const endeavours = (await api('/endeavours', undefined, token)) as { name: string }[];
      expect(endeavours.map((endeavour) => endeavour.name).toSorted()).toEqual(written);
      service.signal('SIGTERM');
      expect(await service.exit()).toBe(0);
    },
  );
});
