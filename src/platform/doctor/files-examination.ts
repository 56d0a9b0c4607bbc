import { createHash, randomBytes } from 'node:crypto';
import type { RunQuery } from '../audit/audit-verification.js';
import type { Settings } from '../config/settings.js';
import type { FileAddress } from '../files/file-addresses.js';
import { FileStore } from '../files/file-store.js';
import { Clock } from '../jobs/clock.js';
import { fault, ok, warning, type DoctorFinding } from './findings.js';

const LATE_MINUTES = 15;
const KEY_BYTES = 24;
const TIMEOUT_MS = 10_000;

interface QueueRow {
  length: number;
  minutes: number;
  problem: string | null;
  files: boolean;
}

/** Checks whether the store removes the files that are no longer needed, and whether there is one for those that are. */
export async function examineFileRemovals(query: RunQuery, settings: Settings): Promise<DoctorFinding[]> {
  const [{ length, minutes, problem, files }] = await query<QueueRow>(
    `SELECT count(*)::integer AS length,
       coalesce(extract(epoch FROM clock_timestamp() - min(since)) / 60, 0)::integer AS minutes,
       (array_agg(last_error ORDER BY since) FILTER (WHERE last_error IS NOT NULL))[1] AS problem,
       EXISTS (SELECT 1 FROM artifacts WHERE file->>'state' = 'stored') AS files
     FROM file_removals WHERE since <= clock_timestamp()`,
  );
  if (settings.FILES_S3_ENDPOINT === undefined) {
    if (!files && length === 0) return [];
    return [
      warning(
        'Artifacts have files, or had some, but FILES_S3_ENDPOINT is not set: they can be neither read nor removed.',
      ),
    ];
  }
  const wait = `${length} files wait for their removal from the store, the oldest for ${minutes} minutes`;
  if (problem !== null) return [warning(`${wait}: ${problem}.`)];
  if (minutes >= LATE_MINUTES) return [warning(`${wait}. Does a replica run background jobs?`)];
  return [ok('The store has removed the files that are no longer needed.')];
}

/** Asks the store of files about an absent file; with `tries`, also uploads a file of a few bytes, and removes it. */
export async function examineFileStore(settings: Settings, { tries }: { tries: boolean }): Promise<DoctorFinding[]> {
  const store = new FileStore(settings, new Clock());
  if (!store.isConfigured) {
    return tries ? [fault('No file was uploaded, because FILES_S3_ENDPOINT is not set.')] : [];
  }
  const key = randomBytes(KEY_BYTES).toString('hex');
  try {
    const found = await store.find(key);
    if (found !== undefined) return [fault('The store of files answers for a file that does not exist.')];
  } catch (error) {
    return [fault(`The store of files refused (${messageOf(error)}). Check FILES_S3_*, and the rights of the key.`)];
  }
  if (!tries) return [ok('The store of files answers. To try an upload, run npm run doctor -- --files.')];
  try {
    return await tryUpload(store, key);
  } catch (error) {
    return [fault(`The store of files refused an upload (${messageOf(error)}). Check FILES_S3_PUBLIC_ENDPOINT, too.`)];
  } finally {
    await store.remove(key).catch(() => undefined);
  }
}

/** Tries what the signatures promise: only the announced bytes, only once, and a checksum that the store tells. */
async function tryUpload(store: FileStore, key: string): Promise<DoctorFinding[]> {
  const content = randomBytes(KEY_BYTES);
  const upload = { key, length: content.length, sha256: createHash('sha256').update(content).digest('hex') };
  const address = await store.uploadAddress(upload);
  const refused = await send(address, randomBytes(content.length));
  if (refused < 400) return [fault('The store of files takes other bytes than were announced: it checks no SHA-256.')];
  const taken = await send(address, content);
  if (taken !== 200) throw new Error(`status ${taken}`);
  if ((await send(address, content)) < 400) {
    return [fault('The store of files overwrites what it has: it ignores If-None-Match.')];
  }
  const found = await store.find(key);
  if (found?.checksum !== address.headers['x-amz-checksum-sha256'] || found.length !== content.length) {
    return [fault('The store of files does not tell the SHA-256 of what it has, so no upload could be completed.')];
  }
  const read = await send(await store.downloadAddress(key, 'doctor'));
  if (read !== 200) return [fault(`The store of files does not give a file out (status ${read}).`)];
  await store.remove(key);
  if ((await store.find(key)) !== undefined) return [fault('The store of files has not removed a file.')];
  return [ok('The store of files takes what was announced, nothing else and nothing twice, and removes it.')];
}

async function send({ url, method, headers }: FileAddress, body?: Buffer): Promise<number> {
  const { 'content-length': _length, ...others } = headers;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { method, headers: others, body, signal, redirect: 'manual' });
  await response.body?.cancel();
  return response.status;
}

function messageOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string }; message: string };
  return cause?.code ?? message;
}
