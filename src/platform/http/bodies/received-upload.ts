import { Injectable, type PipeTransform } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, invalidField } from '../../../common/errors.js';
import { Database } from '../../database/database.js';
import { limited, piecesOf, type Upload } from './uploads.js';

/** A file may take this time, and longer if it arrives at this rate, on average, or faster. */
const BASE_MS = 30_000;
const BYTES_PER_SECOND = 128 * 1024;
const CHECK_MS = 1_000;
/** The longest time that a file of the maximum size may take, with some to spare. */
const LONGEST_SECONDS = 1_800;

const receiving = new WeakSet<Socket>();

/** Whether a file is arriving on this connection; its time limit is not that of other requests. */
export const isReceivingUpload = (socket: Socket): boolean => receiving.has(socket);

/**
 * Receives the whole file before its handler runs, in a temporary file without a name, which exists until it is closed.
 * Otherwise a slow client would keep a transaction open, and everybody would wait for what comes after it in the feed.
 */
@Injectable()
export class ReceivedUpload implements PipeTransform<Upload<IncomingMessage>, Promise<Upload>> {
  constructor(private readonly database: Database) {}

  async transform({ contentType, file }: Upload<IncomingMessage>): Promise<Upload> {
    // With an Idempotency-Key, the transaction has already begun.
    await this.database.allowPause(LONGEST_SECONDS);
    const stored = await temporaryFile();
    receiving.add(file.socket);
    try {
      await receive(file, stored);
    } catch (error) {
      await stored.close();
      throw error;
    } finally {
      receiving.delete(file.socket);
    }
    return { contentType, file: stored.createReadStream({ start: 0 }) };
  }
}

async function temporaryFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `worksmith-upload-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await rm(path);
  return file;
}

async function receive(source: IncomingMessage, target: FileHandle): Promise<void> {
  const startedAt = performance.now();
  let length = 0;
  const isLate = (): boolean => performance.now() - startedAt > BASE_MS + (length / BYTES_PER_SECOND) * 1_000;
  const cancel = new AbortController();
  const late = untilLate(isLate, cancel.signal);
  const pieces = limited(piecesOf(source));
  try {
    for (;;) {
      const next = await Promise.race([pieces.next(), late]);
      if (next.done === true) return;
      length += next.value.length;
      await target.write(next.value);
    }
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOSPC' ? noSpace() : error;
  } finally {
    cancel.abort();
  }
}

/** Rejects as soon as the file is late; never resolves. */
async function untilLate(isLate: () => boolean, signal: AbortSignal): Promise<never> {
  while (!isLate()) await pause(CHECK_MS, undefined, { signal, ref: false });
  throw invalidField('file', 'invalid_format', 'The file arrived too slowly: it must arrive at 128 KiB/s or faster.');
}

const noSpace = (): ApiError =>
  new ApiError('unavailable', 'The disk of the service has no space for the file; try again later.', undefined, 30);
