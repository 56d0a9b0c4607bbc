import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, isIPv6, type LookupFunction } from 'node:net';
import { Injectable } from '@nestjs/common';
import { releaseVersion } from '../../platform/process/release.js';
import { hostOf, RefusedTarget, WebhookTargets } from './webhook-targets.js';

/** The result of one attempt. */
export interface Attempt {
  /** The status of the answer; null if there was none. */
  status: number | null;
  ms: number;
  /** The beginning of the answer. */
  body: string | null;
  /** The reason of a failure; null after a success. */
  error: string | null;
}

const TIMEOUT_MS = 15_000;
const MOST_READ = 64 * 1_024;
const MOST_KEPT = 1_024;
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
    const began = performance.now();
    const taken = () => Math.round(performance.now() - began);
    try {
      const target = new URL(url);
      const addresses = await this.targets.addressesOf(target);
      const answer = await this.post(target, addresses, payload, headers);
      const body = await beginningOf(answer);
      const { statusCode: status = 0 } = answer;
      const isSuccess = status >= 200 && status < 300;
      return { status, ms: taken(), body, error: isSuccess ? null : `The receiver answered with ${status}.` };
    } catch (error) {
      return { status: null, ms: taken(), body: null, error: sentenceOf(error) };
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

/** Resolves to the addresses that were checked, even if the name has other addresses by now. */
const lookupOf =
  (addresses: string[]): LookupFunction =>
  (_host, { all }, callback) => {
    const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
    if (all === true) callback(null, found);
    else callback(null, found[0].address, found[0].family);
  };

/** Reads up to a limit; an incomplete answer counts by its status. */
async function beginningOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= MOST_READ) break;
    }
  } catch {
    answer.destroy();
  }
  const text = Buffer.concat(chunks).subarray(0, MOST_KEPT).toString('utf8');
  return text.replaceAll('\0', '\uFFFD');
}

const SENTENCES: Readonly<Record<string, string>> = {
  ABORT_ERR: 'The receiver did not answer within 15 seconds.',
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before the receiver answered.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The network cannot be reached.',
  ETIMEDOUT: 'The connection timed out.',
};

/** A failure without addresses, which would reveal the network of the service. */
function sentenceOf(error: unknown): string {
  if (error instanceof RefusedTarget) return error.message;
  const { code = '' } = error as { code?: string };
  return SENTENCES[code] ?? `The request failed${code === '' ? '' : ` (${code})`}.`;
}
