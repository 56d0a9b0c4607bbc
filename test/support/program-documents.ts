import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A web server with what programs say of themselves; each test decides what it answers. */
export class ProgramDocuments {
  /** The paths that were asked for, in order. */
  readonly asked: string[] = [];
  private readonly answers = new Map<string, Answer>();

  private constructor(private readonly server: Server) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const path = request.url ?? '';
      this.asked.push(path);
      const answer = this.answers.get(path);
      if (answer === undefined) response.writeHead(404).end();
      else answer(request, response);
    });
  }

  static async start(): Promise<ProgramDocuments> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new ProgramDocuments(server);
  }

  /** The address of a path, by which host it is asked for. */
  at(path: string, host = '127.0.0.1'): string {
    return `http://${host}:${(this.server.address() as AddressInfo).port}${path}`;
  }

  answer(path: string, answer: Answer): string {
    this.answers.set(path, answer);
    return this.at(path);
  }

  /** Serves a document about a program, and returns its address. */
  publish(path: string, more: object = {}, headers: Record<string, string> = {}): string {
    const client_id = this.at(path);
    const redirect_uris = ['http://127.0.0.1/callback'];
    const document = JSON.stringify({ client_id, client_name: 'Gardener', redirect_uris, ...more });
    return this.answer(path, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(document);
    });
  }

  /** How often a path was asked for. */
  timesAsked(path: string): number {
    return this.asked.filter((one) => one === path).length;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
