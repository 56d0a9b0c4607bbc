import { once } from 'node:events';
import { createServer, get, Agent, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { closeIdleWhenCrowded } from './idle-connections.js';

describe('a server with many idle connections', () => {
  const CROWDED = 20;
  let server: Server;
  let port: number;
  const opened: Socket[] = [];
  const held: (() => void)[] = [];

  beforeEach(async () => {
    server = createServer((request, response) => {
      if (request.url === '/held') held.push(() => void response.end('late'));
      else response.end('hello');
    });
    server.maxConnections = CROWDED + 2;
    closeIdleWhenCrowded(server, CROWDED);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });

  afterEach(async () => {
    for (const socket of opened) socket.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  const open = async (localAddress: string): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    opened.push(socket.on('error', () => undefined));
    await Promise.all([once(socket, 'connect'), once(server, 'connection')]);
    return socket;
  };
  const request = async (path: string, agent?: Agent): Promise<string> => {
    const [response] = (await once(get({ port, host: '127.0.0.1', path, agent }), 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of response) text += String(chunk);
    return text;
  };

  it('still serves others, and closes those of the address with the most', async () => {
    const quiet = await open('127.0.0.2');
    const late = request('/held');
    await once(server, 'request');
    for (let n = 0; n < 3 * CROWDED; n += 1) await open('127.0.0.3');
    const agent = new Agent({ keepAlive: true, localAddress: '127.0.0.4' });
    expect(await request('/', agent)).toBe('hello');
    expect(await request('/', agent)).toBe('hello');
    agent.destroy();
    expect(quiet.destroyed).toBe(false);
    for (const end of held) end();
    expect(await late).toBe('late');
  });

  it('closes connections that have had a request too, the longest idle first', async () => {
    const talked = [];
    for (let n = 0; n < 2 * CROWDED; n += 1) {
      const socket = await open('127.0.0.3');
      const answered = once(socket, 'data');
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      await answered;
      talked.push(socket);
    }
    expect(await request('/')).toBe('hello');
    expect(talked.at(0)?.closed).toBe(true);
    expect(talked.at(-1)?.closed).toBe(false);
  });
});
