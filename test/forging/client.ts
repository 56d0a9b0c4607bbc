import { Agent, request } from 'node:http';

export type Method = 'get' | 'post' | 'patch' | 'put' | 'delete';

/** A response, whose body is JSON. */
export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: unknown;
}

/** A request: its body is sent as it is if it is a text, otherwise as JSON. */
interface Sent {
  token: string;
  method: Method;
  path: string;
  body?: object | string;
  headers?: Record<string, string>;
}

/**
 * Sends requests over connections that stay open, and checks nothing. The client of other tests opens a connection for each
 * request and validates each response, which takes longer than the service needs for it.
 */
export class Client {
  // Ends idle connections long before the service does, so that a request never meets a connection that is ending.
  private readonly agent = new Agent({ keepAlive: true, timeout: 30_000 });

  constructor(private readonly port: number) {}

  send({ token, method, path, body, headers = {} }: Sent): Promise<Answer> {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const type = text !== body && { 'Content-Type': 'application/json' };
    const options = {
      agent: this.agent,
      host: '127.0.0.1',
      port: this.port,
      method: method.toUpperCase(),
      path: `/api/v1${path}`,
      headers: {
        Authorization: `Bearer ${token}`,
        ...type,
        ...(text !== undefined && { 'Content-Length': Buffer.byteLength(text) }),
        ...headers,
      },
    };
    return new Promise((resolve, reject) => {
      const begun = performance.now();
      const sent = request(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const answer = Buffer.concat(chunks).toString();
          const { statusCode: status = 0, headers: received } = response;
          resolve({ status, headers: received, body: answer === '' ? {} : JSON.parse(answer) });
        });
      });
      sent.on('error', (error) => {
        const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
        const connection = sent.reusedSocket ? 'a connection that was open' : 'a new connection';
        reject(
          new Error(`${method} ${path} over ${connection} after ${seconds} s: ${error.message}`, { cause: error }),
        );
      });
      sent.end(text);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
