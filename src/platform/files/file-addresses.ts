import { AwsV4Signer } from 'aws4fetch';

/** An S3-compatible store, and the access key with which its requests are signed. */
export interface StoreAccess {
  /** The origin of the store. */
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Whether the bucket is in the path of URLs; otherwise it is the first label of the host. */
  isPathStyle: boolean;
}

/** A request that everyone who has the URL can send to the store until it expires, and no other one. */
export interface FileAddress {
  url: string;
  method: 'GET' | 'PUT';
  /** Headers to send as they are, because the signature covers them. */
  headers: Record<string, string>;
  expires_at: string;
}

/** What an upload is bound to. */
export interface BoundUpload {
  key: string;
  /** In bytes. */
  length: number;
  /** 64 lower-case hexadecimal digits. */
  sha256: string;
}

/** For how long an upload can be started with its URL. */
export const UPLOAD_SECONDS = 15 * 60;
/** For how long a file can be read with its URL (spec/14). */
export const DOWNLOAD_SECONDS = 5 * 60;

/** The type with which browsers never show a file as a page, in the store's origin either. */
const OPAQUE_TYPE = 'application/octet-stream';
const MAX_NAME_LENGTH = 100;
/** The SHA-256 of no bytes: requests of the service itself have no body. */
const NO_BODY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** The checksum of a file in the form in which the store takes and tells it. */
export const checksumOf = (sha256: string): string => Buffer.from(sha256, 'hex').toString('base64');

/** The URL of an object, without a signature. */
export function objectUrl({ endpoint, bucket, isPathStyle }: StoreAccess, key: string): URL {
  const url = new URL(endpoint);
  if (!isPathStyle) url.host = `${bucket}.${url.host}`;
  url.pathname = isPathStyle ? `/${bucket}/${key}` : `/${key}`;
  return url;
}

/** The address for an upload, which takes these bytes alone and only while there is no object with the key. */
export function uploadAddress(
  store: StoreAccess,
  { key, length, sha256 }: BoundUpload,
  now: Date,
): Promise<FileAddress> {
  return presign(store, {
    method: 'PUT',
    url: objectUrl(store, key),
    headers: {
      'content-length': String(length),
      'content-type': OPAQUE_TYPE,
      'if-none-match': '*',
      'x-amz-checksum-sha256': checksumOf(sha256),
    },
    seconds: UPLOAD_SECONDS,
    now,
  });
}

/** The address for reading an object, which browsers store as a file of that name. */
export function downloadAddress(store: StoreAccess, key: string, name: string, now: Date): Promise<FileAddress> {
  const url = objectUrl(store, key);
  url.searchParams.set('response-content-disposition', attachmentNamed(name));
  url.searchParams.set('response-content-type', OPAQUE_TYPE);
  return presign(store, { method: 'GET', url, headers: {}, seconds: DOWNLOAD_SECONDS, now });
}

/** Headers that authorize one request of the service itself, at this time. */
export async function signedHeaders(store: StoreAccess, method: string, url: URL, more = {}): Promise<Headers> {
  const headers = { ...more, 'x-amz-content-sha256': NO_BODY };
  const signer = new AwsV4Signer({ ...credentialsOf(store), method, url: url.href, headers, allHeaders: true });
  return (await signer.sign()).headers;
}

/** The value of Content-Disposition for a file of that name (RFC 6266), without what changes how the name reads. */
export function attachmentNamed(name: string): string {
  const safe = Array.from(name.replaceAll(/[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|]/gu, '_'))
    .slice(0, MAX_NAME_LENGTH)
    .join('');
  const ascii = safe.replaceAll(/[^\u0020-\u007e]|[%;]/gu, '_');
  const encoded = encodeURIComponent(safe).replaceAll(/['()!*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

interface Presigned {
  method: FileAddress['method'];
  url: URL;
  headers: Record<string, string>;
  seconds: number;
  now: Date;
}

async function presign(store: StoreAccess, { method, url, headers, seconds, now }: Presigned): Promise<FileAddress> {
  url.searchParams.set('X-Amz-Expires', String(seconds));
  const signer = new AwsV4Signer({
    ...credentialsOf(store),
    method,
    url: url.href,
    headers,
    signQuery: true,
    // By default, the length and the type would not be signed.
    allHeaders: true,
    datetime: now.toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
  });
  const signed = (await signer.sign()).url;
  // Some stores read a plus sign as itself, although forms write spaces so.
  signed.search = signed.search.replaceAll('+', '%20');
  const start = Math.floor(now.getTime() / 1_000) * 1_000;
  return { url: signed.href, method, headers, expires_at: new Date(start + seconds * 1_000).toISOString() };
}

const credentialsOf = ({ accessKeyId, secretAccessKey, region }: StoreAccess) => ({
  accessKeyId,
  secretAccessKey,
  region,
  service: 's3',
});
