import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Access } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { Database } from '../../platform/database/database.js';
import type { Representation } from '../../platform/database/views/view.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import type { FileAddress } from '../../platform/files/file-addresses.js';
import { FileStore, StoreError, type StoredObject } from '../../platform/files/file-store.js';
import { Clock } from '../../platform/jobs/clock.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { ArtifactFilesRepository, type OverdueUpload } from './artifact-files.repository.js';
import { artifactFileView } from './artifact-files.view.js';
import * as rules from './artifact-file.rules.js';
import type { CreateArtifactDto, UploadDto } from './artifact.dto.js';
import { Artifact, type ArtifactFile } from './artifact.entity.js';
import { artifactView } from './artifact.view.js';
import { ArtifactsService } from './artifacts.service.js';

const EVERY_MS = 10 * 60_000;
const UPLOAD_MS = 24 * 3_600_000;
const BATCH_SIZE = 100;

/**
 * Manages the files of artifacts, which clients send to the store of the operator and read there. A file is stored once the
 * store itself has confirmed its length and its SHA-256.
 */
@Injectable()
export class ArtifactFiles implements OnModuleInit {
  private readonly log = new Logger('Files');

  constructor(
    private readonly access: Access,
    private readonly artifacts: ArtifactsService,
    private readonly clock: Clock,
    private readonly database: Database,
    private readonly files: ArtifactFilesRepository,
    private readonly jobs: Jobs,
    private readonly store: FileStore,
    private readonly writer: ResourceWriter,
  ) {}

  onModuleInit(): void {
    this.jobs.every('waiting_uploads', EVERY_MS, () => this.endOverdue().catch(whileSilent(this.log)));
  }

  /** Creates an artifact, with the address for its file if it gets one and the request is final. */
  async create(me: Caller, { upload, ...dto }: CreateArtifactDto, isFinal: boolean): Promise<Representation> {
    rules.assertTakesUpload(dto.kind, upload);
    if (upload === undefined) return (await this.artifacts.create(me, dto)).with({ upload: null });
    let file: ArtifactFile | undefined;
    const created = await this.artifacts.create(me, dto, () => (file = this.begin(upload)));
    return this.withAddress(created, file, isFinal);
  }

  /** Begins an upload in place of the one for which the artifact waits, if any. */
  async upload(me: Caller, id: string, dto: UploadDto, isFinal: boolean): Promise<Representation> {
    const { row, place, ...locked } = await this.access.lockForUpdate(me, 'artifacts_upload', Artifact, id);
    this.access.assertWritable({ ...locked, row });
    rules.assertMayUpload(row);
    const file = this.begin(dto);
    const patched = await this.writer.patch(me, artifactView, Artifact, { current: row, changes: { file }, place });
    return this.withAddress(patched, file, isFinal);
  }

  /** Asks the store for the file before the transaction, which would otherwise hold a connection while it waits. */
  async complete(me: Caller, id: string): Promise<Representation> {
    const waiting = await this.database.transaction(async () => (await this.lockWritable(me, id)).row.file);
    if (waiting === null) throw rules.noUpload();
    if (waiting.state === 'waiting') rules.assertIsUploaded(waiting, await this.find(waiting.key));
    return this.database.transaction(async () => {
      const { row: current, place } = await this.lockWritable(me, id);
      const { file } = current;
      if (file?.key !== waiting.key) throw rules.noUpload();
      const changes = { file: { ...file, state: 'stored' } as const };
      return this.writer.patch(me, artifactView, Artifact, { current, changes, place });
    });
  }

  /** The address at which the file can be read. */
  async address(me: Caller, id: string): Promise<FileAddress> {
    const found = await this.access.getOr404(me, artifactFileView, id);
    const { title, file } = found.read(artifactFileView);
    if (file === null) throw rules.noFile();
    if (file.state !== 'stored') throw rules.notUploaded();
    if (!this.store.isConfigured) throw rules.noFileStore();
    return this.store.downloadAddress(file.key, title);
  }

  private begin(upload: UploadDto): ArtifactFile {
    if (!this.store.isConfigured) throw rules.noFileStore();
    return rules.newFile(upload, this.clock.now());
  }

  private async withAddress(
    representation: Representation,
    file: ArtifactFile | undefined,
    isFinal: boolean,
  ): Promise<Representation> {
    const isGiven = isFinal && file !== undefined;
    return representation.with({ upload: isGiven ? await this.store.uploadAddress(file) : null });
  }

  private async lockWritable(me: Caller, id: string) {
    const locked = await this.access.lockForUpdate(me, 'artifacts_upload_complete', Artifact, id);
    this.access.assertWritable(locked);
    return locked;
  }

  private async find(key: string): Promise<StoredObject | undefined> {
    if (!this.store.isConfigured) throw rules.noFileStore();
    try {
      return await this.store.find(key);
    } catch (error) {
      whileSilent(this.log)(error);
      throw rules.storeUnreachable();
    }
  }

  /**
   * Ends uploads that have not been completed within a day. What the store has of them is removed, unless it is the announced
   * file: only the completion is missing then, by an interrupted client or because the database is an older one.
   */
  private async endOverdue(): Promise<void> {
    if (!this.store.isConfigured) return;
    const before = new Date(this.clock.now().getTime() - UPLOAD_MS);
    let overdue: OverdueUpload[];
    do {
      overdue = await this.files.overdue(before, BATCH_SIZE);
      for (const upload of overdue) {
        const found = await this.store.find(upload.file.key);
        await this.database.transaction(() => this.end(upload, found));
      }
    } while (overdue.length === BATCH_SIZE);
  }

  private async end(upload: OverdueUpload, found: StoredObject | undefined): Promise<void> {
    const current = await this.files.lockWaiting(upload);
    if (current === undefined) return;
    const file = rules.isAnnounced(upload.file, found) ? { ...upload.file, state: 'stored' as const } : null;
    const place = { endeavourId: current.endeavourId };
    await this.writer.patch(null, artifactView, Artifact, { current, changes: { file }, place });
  }
}

/** Notes that the store does not answer; throws all other errors. */
const whileSilent =
  (log: Logger) =>
  (error: unknown): void => {
    if (!(error instanceof StoreError)) throw error;
    log.warn(`The store of files does not tell about an object: ${error.message}`);
  };
