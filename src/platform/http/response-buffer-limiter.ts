import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../../common/network.js';
import { rateLimited } from '../limits/limits.js';
import type { RequestState } from './request.interceptor.js';

const LARGE = 256 * 1024;
const MUCH = 24 * 1024 * 1024;
const MOST = 32 * 1024 * 1024;
const RETRY_SECONDS = 5;

/** Limits the memory that large answers use while clients do not read them. */
@Injectable()
export class ResponseBufferLimiter {
  private readonly held = new Map<string, number>();

  /** Called before large reads for that user: 429 if too much of their answers is unread. */
  admit(userId: string): void {
    if ((this.held.get(userId) ?? 0) > MUCH) throw rateLimited(RETRY_SECONDS);
  }

  /** Counts the length of the answer for its user, or client address, until it is sent; 429 if it is too much. */
  hold(request: FastifyRequest & RequestState, reply: FastifyReply, body: string | Buffer): void {
    if (body.length < LARGE) return;
    const reader = request.caller?.userId ?? networkOf(request.ip);
    const others = this.held.get(reader) ?? 0;
    if (others > 0 && others + body.length > MOST) throw rateLimited(RETRY_SECONDS);
    this.held.set(reader, others + body.length);
    reply.raw.once('close', () => this.release(reader, body.length));
  }

  private release(reader: string, length: number): void {
    const left = (this.held.get(reader) ?? 0) - length;
    if (left > 0) this.held.set(reader, left);
    else this.held.delete(reader);
  }
}
