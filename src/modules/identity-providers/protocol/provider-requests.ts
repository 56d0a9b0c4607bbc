import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Ambient } from '../../../common/ambient.js';
import type { FieldError } from '../../../common/errors.js';
import { Settings } from '../../../platform/config/settings.js';
import { HostResolver } from '../../../platform/outgoing/host-resolver.js';
import {
  allowedAddresses,
  ForbiddenTarget,
  hostOf,
  isAllowedAddress,
  lookupOf,
  resolveHost,
} from '../../../platform/outgoing/targets.js';
import { releaseVersion } from '../../../platform/release/checkout.js';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1024 * 1024;
const NO_BODY = [204, 205, 304];
const USER_AGENT = `Worksmith/${releaseVersion()}`;
/** The addresses of this machine, which need no certificate: providers that somebody tries out beside the service. */
const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|::1|(?:.+\.)?localhost)$/i;

/** What the library asks for. */
export interface ProviderRequest {
  method: string;
  headers: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal;
  /** The length of the longest response that is read; a megabyte by default. */
  maxBytes?: number;
}

/**
 * Sends requests to identity providers, and for the documents of programs: only to public addresses and to what
 * `IDENTITY_ALLOW` names, with the checked address, without redirects, for at most five seconds and a bounded response.
 */
@Injectable()
export class ProviderRequests {
  /** The issuer that was looked up before the transaction of the current request. */
  private readonly resolved = new Ambient<{ issuer: string; errors: FieldError[] }>();

  constructor(
    private readonly resolver: HostResolver,
    private readonly settings: Settings,
  ) {}

  /** Looks up the issuer before the work that stores it, so that no database connection waits for a name server. */
  async withResolved<T>(issuer: string, work: () => Promise<T>): Promise<T> {
    const errors = await this.errorsOf(issuer);
    return this.resolved.run({ issuer, errors }, work);
  }

  /** The error of an issuer that is about to be stored; accepts a name without an address. */
  async errorsOf(issuer: string): Promise<FieldError[]> {
    const resolved = this.resolved.getStore();
    if (resolved?.issuer === issuer) return resolved.errors;
    const target = new URL(issuer);
    if (!isAllowedScheme(target)) {
      return [{ field: 'issuer', code: 'invalid_value', message: 'issuer must begin with https://.' }];
    }
    const addresses = await resolveHost(this.resolver, target);
    if (addresses.every((address) => isAllowedAddress(address, this.settings.IDENTITY_ALLOW))) return [];
    return [{ field: 'issuer', code: 'invalid_value', message: 'issuer must point to a public address.' }];
  }

  /** Whether the library must accept the address without TLS, because it is one of this machine. */
  readonly isInsecure = (url: string): boolean => new URL(url).protocol === 'http:';

  async fetch(
    url: string,
    { method, headers, body, signal, maxBytes = MAX_BYTES }: ProviderRequest,
  ): Promise<Response> {
    const target = new URL(url);
    if (!isAllowedScheme(target)) throw new ForbiddenTarget('Only https is allowed.');
    const addresses = await allowedAddresses(this.resolver, target, this.settings.IDENTITY_ALLOW);
    const isForm = typeof body === 'string' || body instanceof URLSearchParams;
    const payload = isForm ? Buffer.from(body.toString()) : undefined;
    const deadline = AbortSignal.timeout(TIMEOUT_MS);
    const options: RequestOptions & { servername?: string } = {
      method,
      agent: false,
      lookup: lookupOf(addresses),
      signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
      headers: {
        ...headers,
        'user-agent': USER_AGENT,
        ...(payload !== undefined && { 'content-length': payload.length }),
      },
      ...(isIP(hostOf(target)) === 0 && { servername: hostOf(target) }),
    };
    return toResponse(await send(target, options, payload), maxBytes);
  }
}

function send(target: URL, options: RequestOptions, payload: Buffer | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (target.protocol === 'https:' ? httpsRequest : httpRequest)(target, options, resolve);
    request.on('upgrade', (_response, socket) => socket.on('error', () => undefined).destroy(new Error('upgraded')));
    request.on('error', reject);
    request.end(payload);
  });
}

async function toResponse(message: IncomingMessage, maxBytes: number): Promise<Response> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) {
      message.destroy();
      throw new Error(`the response is longer than ${maxBytes} bytes`);
    }
    chunks.push(chunk);
  }
  const status = message.statusCode ?? 500;
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) {
    if (value !== undefined) headers.set(name, [value].flat().join(', '));
  }
  return new Response(NO_BODY.includes(status) ? null : Buffer.concat(chunks), { status, headers });
}

const isAllowedScheme = (target: URL): boolean =>
  target.protocol === 'https:' || (target.protocol === 'http:' && LOOPBACK.test(hostOf(target)));
