import { randomBytes } from 'node:crypto';
import { conflict, invalidField, type ApiError } from '../../common/errors.js';
import { checksumOf } from '../../platform/files/file-addresses.js';
import type { StoredObject } from '../../platform/files/file-store.js';
import type { UploadDto } from './artifact.dto.js';
import type { Artifact, ArtifactFile } from './artifact.entity.js';

const KEY_BYTES = 24;

/** A file that waits for its upload under a key of its own, which no other upload has or will have. */
export const newFile = ({ length, sha256, media_type }: UploadDto, now: Date): ArtifactFile => ({
  state: 'waiting',
  length,
  sha256,
  media_type: media_type ?? null,
  key: randomBytes(KEY_BYTES).toString('hex'),
  begun_at: now.toISOString(),
});

/** 400 if a new artifact of that kind cannot have a file. */
export function assertTakesUpload(kind: Artifact['kind'], upload: UploadDto | undefined): void {
  if (upload === undefined || kind === 'file') return;
  throw invalidField('upload', 'invalid_value', 'upload requires the kind file.');
}

/** 409 if the artifact cannot get a file: another kind, or a file that is stored already, which nothing replaces. */
export function assertMayUpload({ kind, file }: Artifact): void {
  if (kind !== 'file') throw conflict('not_a_file', 'Only artifacts of the kind file have a file.');
  if (file?.state !== 'stored') return;
  throw conflict('file_stored', 'The file is stored, and is never replaced. Create a new artifact instead.');
}

/** 409 if the change would leave a file without its kind. */
export function assertKeepsFileKind({ file }: Artifact, kind: Artifact['kind'] | undefined): void {
  if (file === null || kind === undefined || kind === 'file') return;
  throw conflict('has_file', 'An artifact with a file keeps the kind file.');
}

/** Whether the store has exactly the bytes that were announced, according to its own checksum. */
export const isAnnounced = ({ length, sha256 }: ArtifactFile, found: StoredObject | undefined): boolean =>
  found?.length === length && found.checksum === checksumOf(sha256);

/** 409 unless the store has the announced file. */
export function assertIsUploaded(file: ArtifactFile, found: StoredObject | undefined): void {
  if (isAnnounced(file, found)) return;
  if (found === undefined) throw conflict('not_uploaded', 'The store does not have the file yet. Upload it first.');
  throw conflict(
    'file_differs',
    'The store has other bytes than you announced, or no checksum of them. Ask for a new upload.',
  );
}

export const noFile = (): ApiError => conflict('no_file', 'This artifact has no file.');

export const noUpload = (): ApiError =>
  conflict('no_upload', 'This artifact does not wait for this upload. Ask for a new one.');

export const notUploaded = (): ApiError =>
  conflict('not_uploaded', 'The file has not been uploaded, or the upload has not been completed.');

export const storeUnreachable = (): ApiError =>
  conflict('store_unreachable', 'The store of files does not answer at the moment. Try again later.');

export const noFileStore = (): ApiError =>
  conflict('no_file_store', 'This installation has no store for files; use an artifact with a url instead.');
