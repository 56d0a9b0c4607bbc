import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor } from './actor.js';
import type { Confinement } from '../database/transactions/confinement.js';

const HEADER = 'x-inner-request';

/** The properties that an inner request inherits from the enclosing one. */
export interface ParentRequest {
  /** The caller, if the inner request runs in the transaction of the enclosing one and cannot look it up. */
  caller?: Actor;
  confinement?: Confinement;
  /** The key under which its response is stored, if it has its own transaction. */
  idempotencyKey?: string;
  isDryRun?: boolean;
  /** It only asks what would happen: all of it is rolled back and nothing is logged, although its response is no dry run. */
  isTrial?: true;
}

/** A request of the service to itself. */
export interface SubRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Includes the query. */
  url: string;
  headers: Record<string, string>;
  clientAddress: string;
  body?: object;
}

export interface SubResponse {
  status: number;
  headers: { etag?: string; location?: string; retryAfter?: number };
  /** JSON. */
  body: string;
}

/** The running inner requests, by a secret header, so that no request from outside can pass as an inner one. */
const running = new Map<string, ParentRequest>();

/** The inner requests by their headers, so that one is still recognized while its response is being sent. */
const known = new WeakMap<object, ParentRequest>();

/** The inherited properties of an inner request; undefined for requests from outside. */
export function parentRequestOf({ headers }: Pick<FastifyRequest, 'headers'>): ParentRequest | undefined {
  const secret = headers[HEADER];
  if (typeof secret !== 'string') return undefined;
  const enclosing = known.get(headers) ?? running.get(secret);
  if (enclosing !== undefined) known.set(headers, enclosing);
  return enclosing;
}

export const isTrial = (request: Pick<FastifyRequest, 'headers'>): boolean =>
  parentRequestOf(request)?.isTrial === true;

/** Whether the request is executed for another one, in a batch. */
export const isInBatch = (request: Pick<FastifyRequest, 'headers'>): boolean =>
  parentRequestOf(request) !== undefined && !isTrial(request);

/** Sends requests to the service itself, through all guards, pipes and checks, as parts of another request. */
@Injectable()
export class SubRequests {
  constructor(private readonly host: HttpAdapterHost) {}

  async send(
    { method, url, headers, clientAddress, body }: SubRequest,
    enclosing: ParentRequest,
  ): Promise<SubResponse> {
    const secret = randomBytes(24).toString('hex');
    running.set(secret, enclosing);
    try {
      const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
      const response = await fastify.inject({
        method,
        url,
        remoteAddress: clientAddress,
        headers: { ...headers, [HEADER]: secret },
        ...(body !== undefined && { payload: body }),
      });
      const { etag, location, 'retry-after': retryAfter } = response.headers;
      return {
        status: response.statusCode,
        headers: { etag, location, ...(retryAfter !== undefined && { retryAfter: Number(retryAfter) }) },
        body: response.body,
      };
    } finally {
      running.delete(secret);
    }
  }
}
