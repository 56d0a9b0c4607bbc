import { once } from 'node:events';
import { createServer as createPlainServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createServer as createSecureServer, type TlsOptions } from 'node:tls';

/** What it does with a connection: reads all and closes it then, closes it at once, or breaks it off. */
type Behaviour = 'read' | 'close' | 'reset';

/** Receives syslog with octet counting (RFC 5425, 6587) on the loopback address. */
export class SyslogReceiver {
  /** The messages of each connection that was read to its end. */
  readonly received: string[][] = [];
  behaviour: Behaviour = 'read';

  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => this.sockets.add(socket));
  }

  /** With a certificate, receives over TLS. */
  static async open(tls?: TlsOptions): Promise<SyslogReceiver> {
    const options = { ...tls, allowHalfOpen: true };
    const server = tls === undefined ? createPlainServer(options) : createSecureServer(options);
    const receiver = new SyslogReceiver(server);
    server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
      socket.on('error', () => undefined);
      receiver.take(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get messages(): string[] {
    return this.received.flat();
  }

  async close(): Promise<void> {
    this.server.close();
    // Clients that refuse the certificate leave theirs open.
    for (const socket of this.sockets) socket.destroy();
    await once(this.server, 'close');
  }

  private take(socket: Socket): void {
    if (this.behaviour === 'close') socket.resume().end();
    else if (this.behaviour === 'reset') socket.resetAndDestroy();
    else {
      buffer(socket)
        .then((bytes) => {
          this.received.push([...messagesIn(bytes)]);
          socket.end();
        })
        .catch(() => socket.destroy());
    }
  }
}

function* messagesIn(bytes: Buffer): Generator<string> {
  for (let rest = bytes; rest.length > 0;) {
    const space = rest.indexOf(' ');
    const end = space + 1 + Number(rest.toString('ascii', 0, space));
    if (!(end > space && end <= rest.length)) throw new Error(`no message: ${rest.toString('utf8', 0, 80)}`);
    yield rest.toString('utf8', space + 1, end);
    rest = rest.subarray(end);
  }
}
