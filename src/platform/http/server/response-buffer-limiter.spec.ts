import { EventEmitter } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestState } from '../requests/request.interceptor.js';
import { ResponseBufferLimiter } from './response-buffer-limiter.js';

const LARGE = 'x'.repeat(9 * 1024 * 1024);
const request = { caller: { userId: 'usr_1' } } as unknown as FastifyRequest & RequestState;

describe('unread responses', () => {
  /** The reply on a connection; the client closes it with `close`. */
  const replyOn = (raw: EventEmitter & { destroyed?: boolean }): FastifyReply => ({ raw }) as unknown as FastifyReply;

  it('of clients that disconnected before their responses were ready are not counted for good', () => {
    const limiter = new ResponseBufferLimiter();
    const gone = Object.assign(new EventEmitter(), { destroyed: true });
    for (let count = 0; count < 20; count += 1) limiter.hold(request, replyOn(gone), LARGE);
    expect(() => limiter.admit('usr_1')).not.toThrow();
  });

  it('are counted until they are sent, or their client disconnects', () => {
    const limiter = new ResponseBufferLimiter();
    const open = Array.from({ length: 6 }, () => new EventEmitter());
    for (const raw of open) limiter.hold(request, replyOn(raw), LARGE);
    expect(() => limiter.admit('usr_1')).toThrow(/bytes of responses/);
    expect(() => limiter.admit('usr_2')).not.toThrow();
    for (const raw of open) raw.emit('close');
    expect(() => limiter.admit('usr_1')).not.toThrow();
  });
});
