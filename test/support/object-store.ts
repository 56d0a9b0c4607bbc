import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import accounts from '@20minutes/s3rver/lib/models/account.js';

interface Inner {
  origin: string;
  bucket: string;
  id: string;
  secret: string;
  /** Whether it checks and tells checksums, and heeds `If-None-Match`. */
  isComplete: boolean;
  close(): Promise<void>;
}

const S3RVER = { bucket: 'worksmith-files', id: 'files-of-tests', secret: 'a-secret-for-the-files-of-tests' };
const CHECKSUM = 'x-amz-checksum-sha256';

/**
 * An S3-compatible store that checks signatures, behind a gate that can be closed. By default it is s3rver, which ignores
 * checksums and `If-None-Match`, so that the gate checks them in its place. `TEST_S3_ENDPOINT`, `TEST_S3_BUCKET`,
 * `TEST_S3_ACCESS_KEY_ID` and `TEST_S3_SECRET_ACCESS_KEY` name a complete store, to which the gate adds nothing.
 */
export class ObjectStore {
  /** The length that the gate tells of every object, if it lies. */
  toldLength: number | undefined;
  private gate: Server | undefined;
  private port = 0;
  private readonly checksums = new Map<string, string>();

  private constructor(private readonly inner: Inner) {}

  static async open(): Promise<ObjectStore> {
    const store = new ObjectStore(namedStore() ?? (await openS3rver()));
    await store.start();
    return store;
  }

  async close(): Promise<void> {
    await this.stop();
    await this.inner.close();
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The settings of a service that keeps its files here. */
  get settings(): Record<string, string> {
    return {
      FILES_S3_ENDPOINT: this.origin,
      FILES_S3_BUCKET: this.inner.bucket,
      FILES_S3_ACCESS_KEY_ID: this.inner.id,
      FILES_S3_SECRET_ACCESS_KEY: this.inner.secret,
    };
  }

  /** Opens the gate, at the same port as before. */
  async start(): Promise<void> {
    this.gate = createServer((incoming, outgoing) => {
      this.answer(incoming, outgoing).catch((error: unknown) => outgoing.destroy(error as Error));
    });
    this.gate.listen(this.port, '127.0.0.1');
    await once(this.gate, 'listening');
    this.port = (this.gate.address() as AddressInfo).port;
  }

  /** Closes the gate, as if the store were down. */
  async stop(): Promise<void> {
    const { gate } = this;
    if (gate === undefined) return;
    this.gate = undefined;
    gate.closeAllConnections();
    await new Promise((resolve) => gate.close(resolve));
  }

  private async answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = incoming;
    const [path] = url.split('?');
    const body = await bytesOf(incoming);
    const refusal = this.inner.isComplete ? undefined : this.refusalOf(method, path, headers, body);
    if (refusal !== undefined) return void outgoing.writeHead(refusal).end();
    const passed = request(new URL(url, this.inner.origin), { method, headers, agent: false });
    passed.end(body);
    const [response] = (await once(passed, 'response')) as [IncomingMessage];
    const content = await bytesOf(response);
    const { statusCode: status = 500 } = response;
    if (method === 'PUT' && status === 200) this.checksums.set(path, String(headers[CHECKSUM]));
    if (method === 'DELETE' && status < 300) this.checksums.delete(path);
    const { connection: _connection, ...told } = response.headers;
    if (method === 'HEAD' && status === 200) {
      if (!this.inner.isComplete) told[CHECKSUM] = this.checksums.get(path);
      if (this.toldLength !== undefined) told['content-length'] = String(this.toldLength);
    }
    outgoing.writeHead(status, told).end(content);
  }

  /** The status with which a store refuses what s3rver would take. */
  private refusalOf(
    method: string,
    path: string,
    headers: IncomingMessage['headers'],
    body: Buffer,
  ): number | undefined {
    if (method !== 'PUT') return undefined;
    if (createHash('sha256').update(body).digest('base64') !== headers[CHECKSUM]) return 400;
    return headers['if-none-match'] === '*' && this.checksums.has(path) ? 412 : undefined;
  }
}

function namedStore(): Inner | undefined {
  const { TEST_S3_ENDPOINT: origin, TEST_S3_BUCKET: bucket = '' } = process.env;
  const { TEST_S3_ACCESS_KEY_ID: id = '', TEST_S3_SECRET_ACCESS_KEY: secret = '' } = process.env;
  return origin === undefined
    ? undefined
    : { origin, bucket, id, secret, isComplete: true, close: () => Promise.resolve() };
}

const encode = encodeURIComponent;

/** Encodes as signatures require (RFC 3986); s3rver relies on what JavaScript has, which leaves some characters as they are. */
const encodeCompletely = (text: string): string =>
  encode(text).replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

async function openS3rver(): Promise<Inner> {
  globalThis.encodeURIComponent = encodeCompletely as typeof encodeURIComponent;
  const directory = await mkdtemp(join(tmpdir(), 'objects-'));
  const { bucket, id, secret } = S3RVER;
  accounts.DUMMY_ACCOUNT.createKeyPair(id, secret);
  const configureBuckets = [{ name: bucket }];
  const server = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory, configureBuckets });
  const { port } = await server.run();
  const close = async (): Promise<void> => {
    globalThis.encodeURIComponent = encode;
    await server.close();
    await rm(directory, { recursive: true, force: true });
  };
  return { origin: `http://127.0.0.1:${port}`, ...S3RVER, isComplete: false, close };
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
