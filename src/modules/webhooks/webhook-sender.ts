import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, isIPv6, type LookupFunction } from 'node:net';
import { Injectable } from '@nestjs/common';
import { releaseVersion } from '../../platform/process/release.js';
import { hostOf, ForbiddenTarget, WebhookTargets } from './webhook-targets.js';

/** The result of an attempt. */
export interface Attempt {
  /** The status of the response; null if there was none. */
  status: number | null;
  ms: number;
  /** The beginning of the response body. */
  body: string | null;
  /** The reason of a failure; null after a success. */
  error: string | null;
}

const TIMEOUT_MS = 15_000;
const MAX_READ = 64 * 1_024;
const MAX_STORED = 1_024;
const USER_AGENT = `Worksmith/${releaseVersion()}`;

/** Sends one message to one address. Does not follow redirects and ignores the proxy settings of the environment. */
@Injectable()
export class WebhookSender {
  private readonly agents = {
    'http:': new HttpAgent({ keepAlive: false }),
    'https:': new HttpsAgent({ keepAlive: false, rejectUnauthorized: true }),
  };

  constructor(private readonly targets: WebhookTargets) {}

  async send(url: string, payload: string, headers: Record<string, string>): Promise<Attempt> {
    const start = performance.now();
    const elapsed = () => Math.round(performance.now() - start);
    try {
      const target = new URL(url);
      const addresses = await this.targets.addressesOf(target);
      const response = await this.post(target, addresses, payload, headers);
      const body = await beginningOf(response);
      const { statusCode: status = 0 } = response;
      const isSuccess = status >= 200 && status < 300;
      return { status, ms: elapsed(), body, error: isSuccess ? null : `The receiver responded with ${status}.` };
    } catch (error) {
      return { status: null, ms: elapsed(), body: null, error: describeError(error) };
    }
  }

  private post(
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
      signal: AbortSignal.timeout(TIMEOUT_MS),
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
      request.on('error', reject);
      request.end(payload);
    });
  }
}

/** A lookup that returns the checked addresses, even if the name has other addresses by now. */
const lookupOf =
  (addresses: string[]): LookupFunction =>
  (_host, { all }, callback) => {
    const results = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
    if (all === true) callback(null, results);
    else callback(null, results[0].address, results[0].family);
  };

/** Reads the body up to a limit. Errors while reading are ignored, because the status determines the result. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= MAX_READ) break;
    }
  } catch {
    response.destroy();
  }
  const text = Buffer.concat(chunks).subarray(0, MAX_STORED).toString('utf8');
  return text.replaceAll('\0', '\uFFFD');
}

const ERROR_MESSAGES: Readonly<Record<string, string>> = {
  ABORT_ERR: 'The receiver did not respond within 15 seconds.',
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
