import { Agent, request, type IncomingMessage } from 'node:http';

/** A request as it is sent. */
export interface Sent {
  operation: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
  isChunked: boolean;
  /** The caller as an index into the people of the world; undefined without a token or with an invalid one. */
  person: number | undefined;
}

export interface HttpResponse {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
  milliseconds: number;
}

/** Whether the response is a stream of changes, which ends only with its session: only its headers are checked. */
const isEndless = ({ headers }: IncomingMessage): boolean =>
  headers['content-type']?.startsWith('text/event-stream') === true;

/** Sends requests over keep-alive connections. */
export class Client {
  private readonly agent = new Agent({ keepAlive: true });

  constructor(private readonly port: number) {}

  send({ method, path, headers, body, isChunked }: Sent): Promise<HttpResponse> {
    const begun = performance.now();
    const length = body && (isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': body.length });
    return new Promise((resolve, reject) => {
      const asked = request(
        { agent: this.agent, host: '127.0.0.1', port: this.port, method, path, headers: { ...headers, ...length } },
        (response) => {
          const pieces: Buffer[] = [];
          const finish = (): void =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text: Buffer.concat(pieces).toString(),
              milliseconds: performance.now() - begun,
            });
          response.on('data', (piece: Buffer) => pieces.push(piece));
          response.on('error', reject);
          response.on('end', finish);
          if (isEndless(response)) {
            finish();
            response.destroy();
          }
        },
      );
      asked.on('error', reject);
      asked.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
