import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../common/start-error.js';

/** The properties of a response that the demo reads. */
export interface ApiRecord {
  id: string;
  [property: string]: unknown;
}

/** A refusal of the service. */
export class Refused extends StartError {
  constructor(
    call: string,
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(`${call} returned ${status} ${code}: ${message}`);
  }
}

interface HttpResponse {
  data: unknown;
  error?: { code: string; message: string };
}

const LONGEST_WAIT_SECONDS = 60;

/**
 * One person's session. Writes carry an Idempotency-Key that depends only on the person and the order of calls, so that
 * an interrupted demo continues where it stopped when it is run again.
 */
export class Client {
  private writes = 0;

  private constructor(
    private readonly url: string,
    private readonly email?: string,
    private readonly token?: string,
  ) {}

  static async signIn(url: string, email: string, password: string): Promise<Client> {
    const { token } = await new Client(url).send<{ token: string }>('POST', '/auth/login', { email, password });
    return new Client(url, email, token);
  }

  get<T = ApiRecord>(path: string): Promise<T> {
    return this.send('GET', path);
  }

  post<T = ApiRecord>(path: string, body: object = {}): Promise<T> {
    return this.send('POST', path, body);
  }

  patch<T = ApiRecord>(path: string, body: object): Promise<T> {
    return this.send('PATCH', path, body);
  }

  /** Sends a PUT, which is idempotent by itself. */
  put<T = ApiRecord>(path: string, body: object): Promise<T> {
    return this.send('PUT', path, body);
  }

  private async send<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await this.request(method, path, body);
    const wait = Number(response.headers.get('retry-after') ?? LONGEST_WAIT_SECONDS + 1);
    if (response.status === 429 && wait <= LONGEST_WAIT_SECONDS) {
      await sleep(wait * 1_000);
      return this.send(method, path, body);
    }
    const { data, error } = (await response.json()) as HttpResponse;
    if (error === undefined) return data as T;
    throw new Refused(`${method} ${path}`, response.status, error.code, error.message);
  }

  private async request(method: string, path: string, body?: object): Promise<Response> {
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    if (this.token !== undefined) headers.authorization = `Bearer ${this.token}`;
    if (this.email !== undefined && (method === 'POST' || method === 'PATCH')) {
      this.writes += 1;
      headers['idempotency-key'] = `demo-${this.email}-${this.writes}`;
    }
    try {
      return await fetch(`${this.url}/api/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
    } catch {
      throw new StartError(
        `No service responds at ${this.url}. Start the service first (npm start), or set its URL with --url.`,
      );
    }
  }
}
