import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const ADDRESS = new RegExp(`(${UUID})@${UUID}\\.com`, 'g');
const NAME = new RegExp(`("userName": ?")(${UUID})(")`, 'g');
const NEW_NAME = new RegExp(`("path": ?"(?:[^"]+:)?userName", ?"value": ?")(${UUID})(")`, 'g');

/**
 * Stands between a directory that invents addresses in any domains, and a service that accepts those of one domain: what is
 * sent has addresses in that domain, and what is answered those that were sent.
 */
export class DomainProxy {
  private readonly sent = new Map<string, string>();
  private readonly own: RegExp;

  private constructor(
    private readonly server: Server,
    private readonly service: string,
    private readonly domain: string,
  ) {
    this.own = new RegExp(`(${UUID})@${domain.replaceAll('.', '\\.')}`, 'g');
  }

  static async open(service: string, domain: string): Promise<DomainProxy> {
    const server = createServer();
    const proxy = new DomainProxy(server, service, domain);
    server.on('request', (request, response) => void proxy.pass(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request;
    const body = this.withDomain(await text(request));
    const kept = ['authorization', 'content-type', 'if-match', 'if-none-match', 'accept'];
    const answer = await fetch(this.service + this.withDomain(url), {
      method,
      headers: Object.fromEntries(kept.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : []))),
      ...(body !== '' && { body }),
    });
    const shown = this.withSent(await answer.text());
    const type = answer.headers.get('content-type');
    const etag = answer.headers.get('etag');
    const location = answer.headers.get('location');
    response.writeHead(answer.status, {
      ...(type !== null && { 'content-type': type }),
      ...(etag !== null && { etag }),
      ...(location !== null && { location }),
    });
    response.end(shown);
  }

  private withDomain(sent: string): string {
    return sent
      .replaceAll(ADDRESS, (whole, local: string) => {
        this.sent.set(local, whole);
        return `${local}@${this.domain}`;
      })
      .replaceAll(NAME, `$1$2@${this.domain}$3`)
      .replaceAll(NEW_NAME, `$1$2@${this.domain}$3`);
  }

  private withSent(answered: string): string {
    return answered.replaceAll(this.own, (_, local: string) => this.sent.get(local) ?? local);
  }
}
