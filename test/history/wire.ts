import { Agent, request, type IncomingHttpHeaders } from 'node:http';

/** One request to a replica. */
export interface Ask {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  token: string;
  body?: object;
  headers?: Record<string, string>;
  /** Milliseconds after which the client hangs up, even before an answer. */
  patience?: number;
}

/** What came back, and when, by the one clock of this process. Without a status it is not known what happened. */
export interface Answer {
  begun: number;
  ended: number;
  status?: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Clients' connections to several replicas, each of which is asked in turn. */
export class Wire {
  private readonly agent = new Agent({ keepAlive: true });
  private turn = 0;

  constructor(private readonly ports: number[]) {}

  /** Never throws: a connection that breaks is an answer too. One that is refused has asked nothing: the next is tried. */
  async ask(ask: Ask): Promise<Answer> {
    const begun = performance.now();
    let answer = await this.send(ask);
    for (let tries = 1; answer.status === 0 && tries < this.ports.length; tries += 1) answer = await this.send(ask);
    return { ...answer, begun };
  }

  private send(ask: Ask): Promise<Answer> {
    this.turn += 1;
    const port = this.ports[this.turn % this.ports.length];
    return new Promise((resolve) => {
      const end = (seen: Partial<Answer>) =>
        resolve({ begun: 0, ended: performance.now(), headers: {}, text: '', ...seen });
      const sent = request({ port, host: '127.0.0.1', agent: this.agent, ...shapeOf(ask) }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', () => end({ ended: Infinity }));
        response.on('end', () => {
          end({ status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks).toString() });
        });
      });
      sent.on('error', ({ code }: NodeJS.ErrnoException) =>
        end(code === 'ECONNREFUSED' ? { status: 0 } : { ended: Infinity }),
      );
      if (ask.patience !== undefined) setTimeout(() => sent.destroy(), ask.patience);
      sent.end(ask.body === undefined ? undefined : JSON.stringify(ask.body));
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

const shapeOf = ({ method, path, token, body, headers }: Ask) => ({
  method,
  path: `/api/v1${path}`,
  headers: {
    authorization: `Bearer ${token}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  },
});

/** The request had no effect and can be retried: the replica refuses connections, or is too busy. */
export const isAway = ({ status, text }: Answer): boolean =>
  status === 0 || (status === 503 && !text.includes('"outcome"'));

/** Neither an answer nor its absence says whether the request took effect. */
export const isOpen = ({ status }: Answer): boolean => status === undefined || status === 503;
