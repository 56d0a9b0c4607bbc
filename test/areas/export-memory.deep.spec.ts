import { get } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { InProcessApp } from '../support/in-process-app.js';

const MEBIBYTE = 1_048_576;
const LOOK_EVERY = 4 * MEBIBYTE;
const ROWS = Number(process.env.EXPORT_ROWS ?? 20_000);

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Returns the heap size after a garbage collection. */
function heapInUse(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

describe('the export of an organization', () => {
  let app: InProcessApp;

  beforeAll(async () => {
    app = await InProcessApp.open();
  });

  afterAll(() => app.close());

  it(`of ${ROWS} tasks uses less than 20 MiB of heap`, async () => {
    const ann = await app.person('Ann');
    const organization = await app.organization(ann);
    const endeavour = await app.endeavour(ann, { organization_id: organization });
    await app.database.query(
      `WITH made AS (SELECT 'tsk_' || replace(gen_random_uuid()::text, '-', '') AS id FROM generate_series(1, $2)),
       placed AS (INSERT INTO entities (id, kind, endeavour_id, title) SELECT id, 'task', $1, 'Row' FROM made)
       INSERT INTO tasks (id, title, description, endeavour_id, owner_id, creator_id)
       SELECT id, 'Row', $4, $1, $3, $3 FROM made`,
      [endeavour, ROWS, ann.resourceId, 'Water it twice a day. '.repeat(20)],
    );
    const before = heapInUse();
    const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
      const headers = { authorization: `Bearer ${ann.token}` };
      const path = `/api/v1/organizations/${organization}/export`;
      get({ host: '127.0.0.1', port: app.port(), path, headers }, resolve).on('error', reject);
    });
    let [bytes, looked, peak] = [0, 0, 0];
    for await (const chunk of response) {
      bytes += (chunk as Buffer).length;
      if (bytes - looked < LOOK_EVERY) continue;
      looked = bytes;
      peak = Math.max(peak, heapInUse() - before);
    }
    expect(response.complete).toBe(true);
    expect(bytes).toBeGreaterThan(ROWS * 500);
    expect(Math.round(peak / MEBIBYTE)).toBeLessThan(20);
  });
});
