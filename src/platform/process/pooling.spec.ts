import { createServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import { explain } from './explain.js';
import { clientOf } from '../database/connections/client.js';
import { examinePooling } from '../database/connections/pooling.js';

const message = (type: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};
const READY = [message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))];
const fatal = (code: string, text: string): Buffer =>
  message('E', Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${text}\0\0`));

/** A pooler that accepts connections, and answers every statement with this; or accepts nothing if there is no answer. */
async function poolerThatSays(answer?: Buffer): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    if (answer === undefined) return;
    socket.once('data', () => {
      socket.write(Buffer.concat(READY));
      socket.on('data', () => socket.end(answer));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

describe('a pooler', () => {
  let server: Server;
  const url = (): string => `postgres://user:password@127.0.0.1:${(server.address() as AddressInfo).port}/work`;
  afterEach(() => server.close());

  it.each([
    ['26000', 'prepared statement "pooling" does not exist'],
    ['42P05', 'prepared statement "pooling" already exists'],
    ['08P01', 'transaction blocks not allowed in statement pooling mode'],
  ])('is unfit if it says %s: %s', async (code, text) => {
    server = await poolerThatSays(fatal(code, text));
    expect(await examinePooling({ url: url() })).toBe('unfit');
  });

  it.each(['server login has been failing, cached error: connect failed (server_login_retry)', 'query_wait_timeout'])(
    'is not to blame for a server that is down: %s',
    async (text) => {
      server = await poolerThatSays(fatal('08P01', text));
      const failure: unknown = await examinePooling({ url: url() }).catch((error: unknown) => error);
      expect(explain(failure)).toBe(
        `The database is unreachable (${text}). Check that it is running, and the host and port in DATABASE_URL.`,
      );
    },
  );

  it('that does not answer is explained in a sentence', async () => {
    server = await poolerThatSays();
    const client = clientOf({ url: url() }, { connectionTimeoutMillis: 50 });
    client.on('error', () => undefined);
    const failure: unknown = await client.connect().catch((error: unknown) => error);
    await client.end();
    expect(explain(failure)).toMatch(/^The database is unreachable \(timeout expired\)\./);
  });
});
