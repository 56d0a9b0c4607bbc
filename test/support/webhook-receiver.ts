import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A message as it arrived. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Responder = (response: ServerResponse, received: Received) => void;

const accept: Responder = (response) => void response.writeHead(204).end();

/** Receives webhooks on the loopback address. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  /** The first test of each webhook, which the receiver accepts by itself unless {@link isWilling} is false. */
  readonly handshakes = new Map<string, Received>();
  isWilling = true;
  /** Responds to each message. */
  respond: Responder = accept;
  private readonly waiting: { isThere: () => boolean; resolve: () => void }[] = [];

  private constructor(private readonly server: Server) {}

  static async open(): Promise<WebhookReceiver> {
    const server = createServer();
    const receiver = new WebhookReceiver(server);
    server.on('request', (request, response) => {
      void text(request).then((body) => {
        const received = { path: request.url ?? '', headers: request.headers, body };
        if (receiver.isHandshake(received)) return void response.writeHead(204).end();
        receiver.received.push(received);
        receiver.respond(response, received);
        for (const waiting of receiver.waiting) if (waiting.isThere()) waiting.resolve();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  private isHandshake(received: Received): boolean {
    const { type, data } = JSON.parse(received.body) as { type: string; data: { webhook_id: string } };
    if (!this.isWilling || type !== 'webhook.test' || this.handshakes.has(data.webhook_id)) return false;
    this.handshakes.set(data.webhook_id, received);
    return true;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  url(path = '/'): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  accept(): void {
    this.respond = accept;
  }

  refuse(status = 500, headers: Record<string, string> = {}): void {
    this.respond = (response) => void response.writeHead(status, headers).end('No.');
  }

  /** The parsed messages to that path. */
  messages(path = '/'): { type: string; timestamp: string; data: Record<string, unknown> }[] {
    return this.received.filter((one) => one.path === path).map(({ body }) => JSON.parse(body));
  }

  /** Returns once `count` messages have arrived at that path. */
  async until(count: number, path = '/'): Promise<void> {
    const isThere = () => this.received.filter((one) => one.path === path).length >= count;
    if (!isThere()) await new Promise<void>((resolve) => this.waiting.push({ isThere, resolve }));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
