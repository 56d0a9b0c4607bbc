import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor } from '../events/actor.js';
import type { Confinement } from '../database/confinement.js';

const HEADER = 'x-inner-request';

/** What a request that is part of another one takes over from it. */
export interface Enclosing {
  /** Whose request it is, where it runs in the transaction of the other one and cannot look that up beside it. */
  caller?: Actor;
  confinement?: Confinement;
  /** Under which its answer is kept, where it has a transaction of its own. */
  idempotencyKey?: string;
  isDryRun: boolean;
}

/** A request that the service makes to itself. */
export interface InnerRequest {
  method: 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** With its query. */
  url: string;
  headers: Record<string, string>;
  clientAddress: string;
  body?: object;
}

export interface InnerAnswer {
  status: number;
  headers: { etag?: string; location?: string; retryAfter?: number };
  /** JSON. */
  body: string;
}

/** By the secret that the requests under way carry, so that no request from outside can pass for one of them. */
const underWay = new Map<string, Enclosing>();

/** Of those whose answer is on its way, too. */
const known = new WeakMap<object, Enclosing>();

/** What the request takes over from the one that it is part of; undefined for every request from outside. */
export function enclosingOf({ headers }: Pick<FastifyRequest, 'headers'>): Enclosing | undefined {
  const secret = headers[HEADER];
  if (typeof secret !== 'string') return undefined;
  const enclosing = known.get(headers) ?? underWay.get(secret);
  if (enclosing !== undefined) known.set(headers, enclosing);
  return enclosing;
}

/** Makes requests to the service itself, through all of its guards, pipes and checks, as parts of another request. */
@Injectable()
export class InnerRequests {
  constructor(private readonly host: HttpAdapterHost) {}

  async send({ method, url, headers, clientAddress, body }: InnerRequest, enclosing: Enclosing): Promise<InnerAnswer> {
    const secret = randomBytes(24).toString('hex');
    underWay.set(secret, enclosing);
    try {
      const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
      const answer = await fastify.inject({
        method,
        url,
        remoteAddress: clientAddress,
        headers: { ...headers, [HEADER]: secret },
        ...(body !== undefined && { payload: body }),
      });
      const { etag, location, 'retry-after': retryAfter } = answer.headers;
      return {
        status: answer.statusCode,
        headers: { etag, location, ...(retryAfter !== undefined && { retryAfter: Number(retryAfter) }) },
        body: answer.body,
      };
    } finally {
      underWay.delete(secret);
    }
  }
}
