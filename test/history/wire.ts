import { Agent, request, type IncomingHttpHeaders } from 'node:http';

/** One request to a replica. */
export interface ApiRequest {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  token: string;
  body?: object;
  headers?: Record<string, string>;
  /** Milliseconds after which the client closes the connection, even before the response. */
  timeoutMs?: number;
}

/**
 * A response with its times, all by the clock of this process. `status` is 0 if the connection was refused, and
 * undefined if the outcome is unknown.
 */
export interface ApiResponse {
  begun: number;
  ended: number;
  status?: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Sends requests to several replicas in turn. */
export class ReplicaClient {
  private readonly agent = new Agent({ keepAlive: true });
  private turn = 0;

  constructor(private readonly ports: number[]) {}

  /** Never throws: a broken connection is a result, too. If a replica refuses the connection, tries the next one. */
  async send(apiRequest: ApiRequest): Promise<ApiResponse> {
    const begun = performance.now();
    let response = await this.attempt(apiRequest);
    for (let tries = 1; response.status === 0 && tries < this.ports.length; tries += 1)
      response = await this.attempt(apiRequest);
    return { ...response, begun };
  }

  private attempt(apiRequest: ApiRequest): Promise<ApiResponse> {
    this.turn += 1;
    const port = this.ports[this.turn % this.ports.length];
    return new Promise((resolve) => {
      const end = (seen: Partial<ApiResponse>) =>
        resolve({ begun: 0, ended: performance.now(), headers: {}, text: '', ...seen });
      const sent = request({ port, host: '127.0.0.1', agent: this.agent, ...shapeOf(apiRequest) }, (response) => {
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
      if (apiRequest.timeoutMs !== undefined) setTimeout(() => sent.destroy(), apiRequest.timeoutMs);
      sent.end(apiRequest.body === undefined ? undefined : JSON.stringify(apiRequest.body));
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

const shapeOf = ({ method, path, token, body, headers }: ApiRequest) => ({
  method,
  path: `/api/v1${path}`,
  headers: {
    authorization: `Bearer ${token}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  },
});

/** The request had no effect and can be retried: the replica refuses connections, or is too busy. */
export const isUnavailable = ({ status, text }: ApiResponse): boolean =>
  status === 0 || (status === 503 && !text.includes('"outcome"'));

/** It is unknown whether the request took effect: it received no response, or a 503. */
export const isOutcomeUnknown = ({ status }: ApiResponse): boolean => status === undefined || status === 503;
