import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { Clock } from '../jobs/clock.js';
import {
  downloadAddress,
  objectUrl,
  signedHeaders,
  uploadAddress,
  type BoundUpload,
  type FileAddress,
  type StoreAccess,
} from './file-addresses.js';

const TIMEOUT_MS = 10_000;

/** What the store tells about an object. */
export interface StoredObject {
  /** In bytes. */
  length: number;
  /** The SHA-256 of the whole object in base64; null if the store does not know it. */
  checksum: string | null;
}

/** The store did not answer, or refused a request of the service; the message says why in a few words. */
export class StoreError extends Error {}

/**
 * The S3-compatible store of uploaded files that the settings name. Clients send files to the store and read them there
 * with signed URLs; the service itself only asks for the length and the checksum of an object, and removes it.
 */
@Injectable()
export class FileStore {
  private readonly access: StoreAccess | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {
    this.access = storeAccessOf(settings);
  }

  /** Whether the settings name a store. */
  get isConfigured(): boolean {
    return this.access !== undefined;
  }

  /** The address to which a client sends a new file. */
  uploadAddress(upload: BoundUpload): Promise<FileAddress> {
    return uploadAddress(this.public, upload, this.clock.now());
  }

  /** The address at which a client reads the file. */
  downloadAddress(key: string, name: string): Promise<FileAddress> {
    return downloadAddress(this.public, key, name, this.clock.now());
  }

  /** What the store has under the key; undefined if there is nothing. Throws a {@link StoreError} without an answer. */
  async find(key: string): Promise<StoredObject | undefined> {
    const { status, headers } = await this.send('HEAD', key, { 'x-amz-checksum-mode': 'ENABLED' });
    if (status === 404) return undefined;
    if (status !== 200) throw new StoreError(`status ${status}`);
    return { length: Number(headers.get('content-length')), checksum: headers.get('x-amz-checksum-sha256') };
  }

  /** Removes the object, if it is there. Throws a {@link StoreError} if the store does not confirm it. */
  async remove(key: string): Promise<void> {
    const { status } = await this.send('DELETE', key);
    if (status !== 404 && (status < 200 || status > 299)) throw new StoreError(`status ${status}`);
  }

  private async send(method: string, key: string, more: Record<string, string> = {}): Promise<Response> {
    const url = objectUrl(this.internal, key);
    try {
      const headers = await signedHeaders(this.internal, method, url, more);
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const response = await fetch(url, { method, headers, signal, redirect: 'manual' });
      await response.body?.cancel();
      return response;
    } catch (error) {
      const { cause, name } = error as { cause?: { code?: string }; name?: string };
      throw new StoreError(cause?.code ?? name ?? 'no connection', { cause: error });
    }
  }

  private get internal(): StoreAccess {
    if (this.access === undefined) throw new Error('there is no store of files');
    return this.access;
  }

  /** The store as clients reach it; the host is part of what is signed. */
  private get public(): StoreAccess {
    const { internal, settings } = this;
    return { ...internal, endpoint: settings.FILES_S3_PUBLIC_ENDPOINT ?? internal.endpoint };
  }
}

function storeAccessOf(settings: Settings): StoreAccess | undefined {
  const {
    FILES_S3_ENDPOINT: endpoint,
    FILES_S3_BUCKET: bucket,
    FILES_S3_ACCESS_KEY_ID: accessKeyId,
    FILES_S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = settings;
  if (endpoint === undefined || bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined) {
    return undefined;
  }
  const { FILES_S3_REGION: region, FILES_S3_PATH_STYLE: isPathStyle } = settings;
  return { endpoint, region, bucket, accessKeyId, secretAccessKey, isPathStyle };
}
