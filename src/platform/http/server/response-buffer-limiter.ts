import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../../../common/network/network.js';
import { rateLimited } from '../../limits/rate-limited.js';
import type { RequestState } from '../requests/request.interceptor.js';

/** Shorter responses are not counted. */
const LARGE_BYTES = 256 * 1024;
/** Large reads are rejected while a user has more unread bytes. */
const ADMISSION_BYTES = 48 * 1024 * 1024;
/** The maximum of unread bytes per user. */
const MAX_BYTES = 64 * 1024 * 1024;
const UNREAD = {
  name: 'unread_bytes',
  counts: 'bytes of responses that one client has not read',
  most: MAX_BYTES,
  seconds: null,
  setting: null,
};
const RETRY_SECONDS = 5;

/** Limits the memory that large responses use while clients do not read them. */
@Injectable()
export class ResponseBufferLimiter {
  private readonly unreadBytes = new Map<string, number>();

  /** Called before large reads for that user: 429 if too much of their responses is unread. */
  admit(userId: string): void {
    if ((this.unreadBytes.get(userId) ?? 0) > ADMISSION_BYTES) throw rateLimited(UNREAD, RETRY_SECONDS);
  }

  /** Counts the length of the response for its user, or client address, until it is sent; 429 if it is too much. */
  hold(request: FastifyRequest & RequestState, reply: FastifyReply, body: string | Buffer): void {
    const length = Buffer.byteLength(body);
    // The response to a client that has disconnected is never sent, and its end has already been reported.
    if (length < LARGE_BYTES || reply.raw.destroyed) return;
    const reader = request.caller?.userId ?? networkOf(request.ip);
    const unread = this.unreadBytes.get(reader) ?? 0;
    if (unread > 0 && unread + length > MAX_BYTES) throw rateLimited(UNREAD, RETRY_SECONDS);
    this.unreadBytes.set(reader, unread + length);
    reply.raw.once('close', () => this.release(reader, length));
  }

  private release(reader: string, length: number): void {
    const left = (this.unreadBytes.get(reader) ?? 0) - length;
    if (left > 0) this.unreadBytes.set(reader, left);
    else this.unreadBytes.delete(reader);
  }
}
