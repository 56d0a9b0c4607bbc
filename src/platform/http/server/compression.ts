import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { preferredCoding } from '../requests/negotiation.js';

type Coding = 'br' | 'gzip';

/** How strongly a response is compressed: `once` for all clients, or `each` time while a request waits. */
type Effort = 'once' | 'each';

const CODINGS = ['br', 'gzip'] as const;
const COMPRESSIBLE = /^(?:application\/(?:json|javascript)|text\/|image\/svg)/;
const MIN_BYTES = 4_096;
const MAX_BYTES = 8 * 1024 * 1024;
/** Half of libuv's four threads; hashing, file access and name lookups need the others. */
const MAX_CONCURRENT = 2;
const MAX_DOCUMENTS = 64;

const brotliOf = promisify(brotliCompress);
const gzipOf = promisify(gzip);
const BROTLI_QUALITY: Record<Effort, number> = { once: 9, each: 4 };
const GZIP_LEVEL: Record<Effort, number> = { once: 9, each: 4 };

/**
 * Compresses documents, assets and long responses to reads on the threads of libuv, if the client accepts it. If these
 * threads are busy, the response is sent uncompressed.
 */
export function compressResponses(fastify: FastifyInstance): void {
  const compressor = new Compressor();
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (!isCompressible(request, reply, payload)) return done(null, payload);
    const coding = codingFor(request);
    if (coding === undefined) return done(null, payload);
    const pending = isDocument(request) ? compressor.document(coding, payload) : compressor.response(coding, payload);
    pending.then((compressed) => {
      if (compressed !== undefined) setHeaders(reply, coding);
      done(null, compressed ?? payload);
    }, done);
  });
}

function isCompressible({ method }: FastifyRequest, reply: FastifyReply, payload: unknown): payload is string | Buffer {
  if (method !== 'GET' || reply.statusCode !== 200) return false;
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return false;
  if (payload.length < MIN_BYTES || payload.length > MAX_BYTES) return false;
  // Compressing a secret together with text of other users would reveal it by the length of the response.
  if (reply.getHeader('cache-control') === 'no-store') return false;
  return COMPRESSIBLE.test(String(reply.getHeader('content-type') ?? ''));
}

const codingFor = ({ headers }: FastifyRequest): Coding | undefined =>
  preferredCoding(headers['accept-encoding']?.toString(), CODINGS);

/** Documents and assets are the same for all clients; everything else is below /api. */
const isDocument = ({ url }: FastifyRequest): boolean => !url.startsWith('/api/');

function setHeaders(reply: FastifyReply, coding: Coding): void {
  void reply.removeHeader('content-length').header('content-encoding', coding);
  const etag = reply.getHeader('etag');
  // A strong ETag identifies the uncompressed bytes.
  if (typeof etag === 'string' && etag.startsWith('"')) void reply.header('etag', `W/${etag}`);
}

class Compressor {
  private readonly documents = new Map<string, Promise<Buffer>>();
  private latest: Promise<unknown> = Promise.resolve();
  private running = 0;

  /** Undefined if too many responses are being compressed. */
  async response(coding: Coding, payload: string | Buffer): Promise<Buffer | undefined> {
    if (this.running >= MAX_CONCURRENT) return undefined;
    this.running += 1;
    try {
      return await compress(coding, payload, 'each');
    } finally {
      this.running -= 1;
    }
  }

  /** Compresses each document once and caches the result; documents are compressed one after the other. */
  document(coding: Coding, payload: string | Buffer): Promise<Buffer> {
    const key = `${coding} ${hash('sha1', payload)}`;
    const cached = this.documents.get(key);
    if (cached !== undefined) return cached;
    const pending = this.latest.then(() => compress(coding, payload, 'once'));
    this.latest = pending.catch(() => undefined);
    if (this.documents.size >= MAX_DOCUMENTS) this.documents.clear();
    this.documents.set(key, pending);
    pending.catch(() => this.documents.delete(key));
    return pending;
  }
}

const compress = (coding: Coding, payload: string | Buffer, effort: Effort): Promise<Buffer> =>
  coding === 'br'
    ? brotliOf(payload, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY[effort] } })
    : gzipOf(payload, { level: GZIP_LEVEL[effort] });
