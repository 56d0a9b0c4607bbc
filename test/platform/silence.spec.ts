import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable } from '../../src/platform/database/connections/driver-errors.js';
import { PreparedClient } from '../../src/platform/database/connections/prepared-client.js';
import { cloneDatabase, dropDatabase } from '../support/database.js';

/** Shorter than the slow statements below, and longer than the others. */
const SOON_MS = 300;

describe('a connection to the database', () => {
  let clone: Awaited<ReturnType<typeof cloneDatabase>>;
  let client: PreparedClient;

  beforeAll(async () => {
    clone = await cloneDatabase();
  });
  beforeEach(async () => {
    client = new PreparedClient(clone);
    await client.connect();
    await client.send('SELECT $1', [1]);
  });
  afterEach(() => client.end().catch(() => undefined));
  afterAll(() => dropDatabase(clone));

  it('that breaks while no statement runs does not end the process', async () => {
    const other = new PreparedClient(clone);
    await other.connect();
    const gone = new Promise<void>((resolve) => client.once('end', resolve));
    const { rows } = await client.send('SELECT pg_backend_pid() AS pid WHERE $1', [true]);
    await other.send('SELECT pg_terminate_backend($1)', [(rows[0] as { pid: number }).pid]);
    await gone;
    await expect(client.send('SELECT $1', [1])).rejects.toThrow('not queryable');
    await other.end();
  });

  it('that the pool closes between two statements of a request counts as unavailable', async () => {
    await client.end();
    const error: unknown = await client.send('SELECT $1', [1]).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(isUnavailable(error)).toBe(true);
  });

  it('that fails with EPIPE counts as unavailable', () => {
    expect(isUnavailable(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))).toBe(true);
  });

  it('that stops responding fails the running statement', async () => {
    client.setSocketTimeout(SOON_MS);
    await expect(client.send('SELECT pg_sleep($1)', [60])).rejects.toThrow(
      'Connection terminated: the database sent nothing for 300 ms',
    );
  });

  it('whose result arrives while this process is paused stays open', async () => {
    client.setSocketTimeout(SOON_MS);
    const result = client.send('SELECT $1::integer AS sent', [1]);
    await new Promise(setImmediate);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * SOON_MS);
    expect((await result).rows).toEqual([{ sent: 1 }]);
    await new Promise(setImmediate);
    expect((await client.send('SELECT $1::integer AS sent', [2])).rows).toEqual([{ sent: 2 }]);
  });

  it('may be idle for longer than the timeout, and silent up to the timeout during a statement', async () => {
    client.setSocketTimeout(SOON_MS);
    await sleep(2 * SOON_MS);
    client.setSocketTimeout(600_000);
    await client.send('SELECT $1', [1]);
    await client.send('SELECT pg_sleep($1)', [(2 * SOON_MS) / 1_000]);
  });
});
