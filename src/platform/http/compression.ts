import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { preferredCoding } from './negotiation.js';

type Coding = 'br' | 'gzip';

/** How strongly an answer is compressed: once for all clients, or for one waiting request. */
type Effort = 'once' | 'each';

const CODINGS = ['br', 'gzip'] as const;
const COMPRESSIBLE = /^(?:application\/(?:json|javascript)|text\/|image\/svg)/;
const LEAST_BYTES = 4_096;
const MOST_BYTES = 8 * 1024 * 1024;
/** Of the four threads that hashing, files and name lookups need too. */
const MOST_AT_ONCE = 2;
const MOST_DOCUMENTS = 64;

const brotliOf = promisify(brotliCompress);
const gzipOf = promisify(gzip);
const BROTLI_QUALITY: Record<Effort, number> = { once: 9, each: 4 };
const GZIP_LEVEL: Record<Effort, number> = { once: 9, each: 4 };

/**
 * Compresses documents, assets and long answers to reads on the threads of libuv, if the client accepts it. If these
 * threads are busy, the answer is sent uncompressed.
 */
export function compressAnswers(fastify: FastifyInstance): void {
  const compressor = new Compressor();
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (!isCompressible(request, reply, payload)) return done(null, payload);
    const coding = codingFor(request);
    if (coding === undefined) return done(null, payload);
    const packing = isDocument(request) ? compressor.document(coding, payload) : compressor.answer(coding, payload);
    packing.then((packed) => {
      if (packed !== undefined) announce(reply, coding);
      done(null, packed ?? payload);
    }, done);
  });
}

function isCompressible({ method }: FastifyRequest, reply: FastifyReply, payload: unknown): payload is string | Buffer {
  if (method !== 'GET' || reply.statusCode !== 200) return false;
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return false;
  if (payload.length < LEAST_BYTES || payload.length > MOST_BYTES) return false;
  // Secrets are not compressed together with texts of other users: the length would reveal both.
  if (reply.getHeader('cache-control') === 'no-store') return false;
  return COMPRESSIBLE.test(String(reply.getHeader('content-type') ?? ''));
}

const codingFor = ({ headers }: FastifyRequest): Coding | undefined =>
  preferredCoding(headers['accept-encoding']?.toString(), CODINGS);

/** Documents and assets are the same for all clients; everything else is below /api. */
const isDocument = ({ url }: FastifyRequest): boolean => !url.startsWith('/api/');

function announce(reply: FastifyReply, coding: Coding): void {
  void reply.removeHeader('content-length').header('content-encoding', coding);
  const etag = reply.getHeader('etag');
  // A strong ETag identifies the uncompressed bytes.
  if (typeof etag === 'string' && etag.startsWith('"')) void reply.header('etag', `W/${etag}`);
}

class Compressor {
  private readonly documents = new Map<string, Promise<Buffer>>();
  private latest: Promise<unknown> = Promise.resolve();
  private running = 0;

  /** Undefined if too many answers are being compressed. */
  async answer(coding: Coding, payload: string | Buffer): Promise<Buffer | undefined> {
    if (this.running >= MOST_AT_ONCE) return undefined;
    this.running += 1;
    try {
      return await compress(coding, payload, 'each');
    } finally {
      this.running -= 1;
    }
  }

  /** Compressed once, one after the other, and cached. */
  document(coding: Coding, payload: string | Buffer): Promise<Buffer> {
    const key = `${coding} ${hash('sha1', payload)}`;
    const known = this.documents.get(key);
    if (known !== undefined) return known;
    const packing = this.latest.then(() => compress(coding, payload, 'once'));
    this.latest = packing.catch(() => undefined);
    if (this.documents.size >= MOST_DOCUMENTS) this.documents.clear();
    this.documents.set(key, packing);
    packing.catch(() => this.documents.delete(key));
    return packing;
  }
}

const compress = (coding: Coding, payload: string | Buffer, effort: Effort): Promise<Buffer> =>
  coding === 'br'
    ? brotliOf(payload, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY[effort] } })
    : gzipOf(payload, { level: GZIP_LEVEL[effort] });
