import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request of lines of JSON. */
export interface ReceivedLines {
  path: string;
  headers: IncomingHttpHeaders;
  lines: Record<string, unknown>[];
}

/** Receives lines of JSON on the loopback address, as a SIEM does. */
export class LineReceiver {
  readonly received: ReceivedLines[] = [];
  /** The status of its responses; undefined to break the connection off instead. */
  status: number | undefined = 204;

  private constructor(private readonly server: Server) {}

  static async open(): Promise<LineReceiver> {
    const server = createServer();
    const receiver = new LineReceiver(server);
    server.on('request', (request, response) => {
      void text(request).then((body) => {
        const lines = body
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as Record<string, unknown>);
        receiver.received.push({ path: request.url ?? '', headers: request.headers, lines });
        if (receiver.status === undefined) request.socket.destroy();
        else response.writeHead(receiver.status).end();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  /** All lines, in the order in which they arrived. */
  get lines(): Record<string, unknown>[] {
    return this.received.flatMap(({ lines }) => lines);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
