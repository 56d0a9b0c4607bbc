import {
  Agent as HttpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { ForbiddenTarget, hostOf, lookupOf } from '../../platform/outgoing/targets.js';
import { releaseVersion } from '../../platform/release/checkout.js';
import { traceparentOf } from '../../platform/tracing/traceparent.js';
import { Tracing } from '../../platform/tracing/tracing.js';
import { retryAfterIn } from './webhook.rules.js';
import { WebhookTargets } from './webhook-targets.js';

/** The result of an attempt. */
export interface Attempt {
  /** The status of the response; null if there was none. */
  status: number | null;
  ms: number;
  /** The beginning of the response body. */
  body: string | null;
  /** The reason of a failure; null after a success. */
  error: string | null;
  /** The time for which the receiver asks to wait; null if it does not. */
  retryAfterMs: number | null;
}

const TIMEOUT_MS = 15_000;
const MAX_READ = 64 * 1_024;
const MAX_STORED = 1_024;
const SWITCHING_PROTOCOLS = 101;
const USER_AGENT = `Worksmith/${releaseVersion()}`;

/** Sends one message to one address. Does not follow redirects and ignores the proxy settings of the environment. */
@Injectable()
export class WebhookSender {
  private readonly agents = {
    'http:': new HttpAgent({ keepAlive: false }),
    'https:': new HttpsAgent({ keepAlive: false, rejectUnauthorized: true }),
  };

  private readonly timeoutMs = TIMEOUT_MS;

  constructor(
    private readonly targets: WebhookTargets,
    private readonly tracing: Tracing,
  ) {}

  /** Sends the message. The attempt ends with its deadline, whatever the receiver does. */
  send(url: string, payload: string, headers: Record<string, string>): Promise<Attempt> {
    const attributes = { 'http.request.method': 'POST', 'server.address': new URL(url).hostname };
    return this.tracing.during('webhook POST', 'client', attributes, async (span) => {
      const sent = span === undefined ? headers : { ...headers, traceparent: traceparentOf(span) };
      const attempt = await this.attempt(url, payload, sent);
      const { status, error } = attempt;
      span?.end(status === null ? {} : { 'http.response.status_code': status }, error ?? undefined);
      return attempt;
    });
  }

  private async attempt(url: string, payload: string, headers: Record<string, string>): Promise<Attempt> {
    const start = performance.now();
    const exchange = new Exchange();
    let deadline: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      deadline = setTimeout(() => reject(new DeadlineError()), this.timeoutMs);
    });
    let error: string | null = null;
    try {
      await Promise.race([this.exchange(exchange, url, payload, headers), late]);
    } catch (failure) {
      // An incomplete body has no consequences, because the status determines the result.
      if (exchange.status === null) error = describeError(failure);
    } finally {
      clearTimeout(deadline);
      exchange.end();
    }
    const { status, body } = exchange;
    const isSuccess = status !== null && status >= 200 && status < 300;
    if (status !== null && !isSuccess) error = `The receiver responded with ${status}.`;
    return { status, ms: Math.round(performance.now() - start), body, error, retryAfterMs: exchange.retryAfterMs };
  }

  private async exchange(
    exchange: Exchange,
    url: string,
    payload: string,
    headers: Record<string, string>,
  ): Promise<void> {
    const target = new URL(url);
    const addresses = await this.targets.addressesOf(target);
    if (exchange.isOver) return;
    await exchange.read(await this.post(exchange, target, addresses, payload, headers));
  }

  private post(
    exchange: Exchange,
    target: URL,
    addresses: string[],
    payload: string,
    headers: Record<string, string>,
  ): Promise<IncomingMessage> {
    const { protocol, port, pathname, search } = target;
    const host = hostOf(target);
    const isSecure = protocol === 'https:';
    const options: RequestOptions & { servername?: string } = {
      method: 'POST',
      host,
      port: port === '' ? (isSecure ? 443 : 80) : Number(port),
      path: pathname + search,
      agent: this.agents[isSecure ? 'https:' : 'http:'],
      lookup: lookupOf(addresses),
      headers: {
        ...headers,
        host: target.host,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(payload),
        'user-agent': USER_AGENT,
      },
      ...(isSecure && isIP(host) === 0 && { servername: host }),
    };
    return new Promise((resolve, reject) => {
      const request = (isSecure ? httpsRequest : httpRequest)(options, resolve);
      // After a response with the status 101, Node leaves the connection to the program.
      request.on('upgrade', (response, socket) => {
        socket.on('error', () => undefined).destroy();
        resolve(response);
      });
      request.on('error', reject);
      request.end(payload);
      exchange.begin(request);
    });
  }
}

class DeadlineError extends Error {
  readonly code = 'DEADLINE';
}

/** One request with what has arrived of its response. */
class Exchange {
  isOver = false;
  status: number | null = null;
  retryAfterMs: number | null = null;
  private request: ClientRequest | undefined;
  private readonly chunks: Buffer[] = [];

  begin(request: ClientRequest): void {
    this.request = request;
  }

  /** Reads the status, and the body up to a limit. */
  async read(response: IncomingMessage): Promise<void> {
    this.status = response.statusCode ?? 0;
    this.retryAfterMs = retryAfterIn(this.status, response.headers['retry-after']);
    if (this.status === SWITCHING_PROTOCOLS) return;
    let length = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      this.chunks.push(chunk);
      length += chunk.length;
      if (length >= MAX_READ) break;
    }
  }

  /** The beginning of the body; null without a response. */
  get body(): string | null {
    if (this.status === null) return null;
    const text = Buffer.concat(this.chunks).subarray(0, MAX_STORED).toString('utf8');
    return text.replaceAll('\0', '\uFFFD');
  }

  /** Closes the connection, which a receiver that reads nothing would otherwise keep open. */
  end(): void {
    this.isOver = true;
    this.request?.on('error', () => undefined).destroy();
  }
}

const ERROR_MESSAGES: Readonly<Record<string, string>> = {
  DEADLINE: 'The receiver did not respond within 15 seconds.',
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before the receiver responded.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The network cannot be reached.',
  ETIMEDOUT: 'The connection timed out.',
};

/** The message of an error, without addresses, which would reveal the network of the service. */
function describeError(error: unknown): string {
  if (error instanceof ForbiddenTarget) return error.message;
  const { code = '' } = error as { code?: string };
  return ERROR_MESSAGES[code] ?? `The request failed${code === '' ? '' : ` (${code})`}.`;
}
