import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { invalidField } from '../../../common/errors.js';
import { failure } from '../responses/envelope.js';
import { isReceivingUpload } from '../bodies/received-upload.js';
import { TickBatcher } from './tick-batcher.js';
import { SECURITY_HEADERS } from './security-headers.js';

/** Node's error codes for malformed requests; all others are 400. */
const KINDS: Readonly<Record<string, [status: number, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request was not received in time.'],
  HPE_HEADER_OVERFLOW: [431, 'The request headers are too large.'],
};

const CUT_OFF_PER_TURN = 10;

/** The time for which the rest of a broken request is read and discarded. */
const LINGER_MS = 1_000;
const cutOffs = new TickBatcher(CUT_OFF_PER_TURN);
const broken = new WeakSet<Socket>();

/** Answers malformed, oversized and slow requests in the same form as all others. */
export function answerMalformedRequest({ code = '' }: Error & { code?: string }, socket: Socket): void {
  // Node can report further errors of the same connection before it is closed.
  if (code === 'ECONNRESET' || broken.has(socket)) return;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT' && isReceivingUpload(socket)) return;
  broken.add(socket);
  cutOffs.add(() => {
    if (socket.writable) socket.end(responseTo(code));
    // The kernel resets a connection that is closed with bytes unread, and a client that is reset loses the response.
    const deadline = setTimeout(() => socket.destroy(), LINGER_MS).unref();
    socket.once('close', () => clearTimeout(deadline)).resume();
  });
}

function responseTo(code: string): string {
  const [status, message] = KINDS[code] ?? [400, 'The request is not valid HTTP/1.1.'];
  const id = randomUUID();
  const { headers, body } = failure(invalidField('request', 'invalid_format', message), status, { id, path: '' });
  const allHeaders = {
    ...SECURITY_HEADERS,
    ...headers,
    'x-request-id': id,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(allHeaders).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
}
