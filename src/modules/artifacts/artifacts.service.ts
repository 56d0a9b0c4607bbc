import { Injectable } from '@nestjs/common';
import { Access, type AuthorizedResource } from '../../access/access.js';
import { assertByManager } from '../../access/memberships/agents.js';
import type { Caller } from '../../access/authentication/caller.js';
import { ExternalRefs } from '../../access/references/external-refs.js';
import { fromWire } from '../../common/texts/case.js';
import { invalidField, invalidInput, referenceNotFound } from '../../common/errors.js';
import { newId } from '../../common/ids.js';
import { EventEraser } from '../../platform/events/event-eraser.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import { mergeExternalRef } from '../../platform/http/bodies/fields.js';
import { mergedChanges } from '../../platform/http/bodies/metadata.js';
import { TextObservers, watchedTexts } from '../../platform/text-observers/text-observers.js';
import type { Page } from '../../platform/http/responses/page.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import { Listing } from '../../platform/listing/listing.js';
import { EndeavoursService } from '../endeavours/endeavours.service.js';
import { TasksRepository } from '../tasks/tasks.repository.js';
import type { NewArtifactDto, UpdateArtifactDto } from './artifact.dto.js';
import { Artifact, type ArtifactFile } from './artifact.entity.js';
import { assertKeepsFileKind } from './artifact-file.rules.js';
import { assertKeepsEvidence, reportsResult } from './artifact.rules.js';
import { artifactList } from './artifact.list.js';
import { artifactView } from './artifact.view.js';

/** Manages documents, links and deliverables of endeavours and their tasks. */
@Injectable()
export class ArtifactsService {
  constructor(
    private readonly access: Access,
    private readonly endeavours: EndeavoursService,
    private readonly eventEraser: EventEraser,
    private readonly externalRefs: ExternalRefs,
    private readonly listing: Listing,
    private readonly tasks: TasksRepository,
    private readonly textObservers: TextObservers,
    private readonly writer: ResourceWriter,
  ) {}

  list(me: Caller, query: RawQuery): Promise<Page> {
    return this.listing.page(me, artifactList, query);
  }

  get(me: Caller, id: string, fields?: FieldNames): Promise<Representation> {
    return this.access.getOr404(me, artifactView, id, { fields });
  }

  /** Creates an artifact; `fileOf` returns its file, and is called once the caller is known to have the right. */
  async create(me: Caller, dto: NewArtifactDto, fileOf?: () => ArtifactFile): Promise<Representation> {
    const parent = await this.parentOf(me, dto);
    if (reportsResult(dto.metadata)) assertByManager(me);
    this.access.assertWritable(parent);
    this.endeavours.assertTakesWork(parent);
    const file = fileOf?.() ?? null;
    const id = newId('artifact');
    const { external_ref, ...fields } = dto;
    const externalRef = mergeExternalRef(null, external_ref);
    await this.externalRefs.lock(artifactView, parent.place.endeavourId ?? null, externalRef);
    const created = await this.writer.create(me, artifactView, Artifact, {
      row: {
        ...fromWire(fields),
        id,
        externalRef,
        file,
        endeavourId: parent.place.endeavourId ?? undefined,
        createdBy: me.resourceId,
      },
      place: parent.place,
      title: dto.title,
      parentId: dto.task_id,
    });
    await this.notifyObservers(me, id, parent, watchedTexts(artifactView, dto));
    return created;
  }

  async update(me: Caller, id: string, dto: UpdateArtifactDto): Promise<Representation> {
    const { tags, external_ref, ...fields } = dto;
    const { task_id, metadata } = dto;
    // The task is locked before the artifact, in the same order as when a task moves with its artifacts.
    if (typeof task_id === 'string') await this.access.lock(me, task_id);
    const locked = await this.access.lockForUpdate(me, 'artifacts_update', Artifact, id);
    if (typeof task_id === 'string') await this.assertTask(task_id, locked.row.endeavourId);
    if (reportsResult(metadata)) assertByManager(me);
    this.access.assertWritable(locked);
    assertKeepsFileKind(locked.row, dto.kind);
    const externalRef = mergeExternalRef(locked.row.externalRef ?? null, external_ref);
    await this.externalRefs.lock(artifactView, locked.row.endeavourId, externalRef);
    const changes = {
      ...mergedChanges(locked.row, fields),
      externalRef,
      ...(tags !== undefined && { tags: tags ?? [] }),
    } as Partial<Artifact>;
    assertKeepsEvidence(locked.row, changes);
    const patched = await this.writer.patch(me, artifactView, Artifact, {
      current: locked.row,
      changes,
      place: locked.place,
      entityChanges: { title: dto.title, parentId: task_id },
    });
    await this.notifyObservers(me, id, locked, watchedTexts(artifactView, changes, locked.row));
    return patched;
  }

  async remove(me: Caller, id: string): Promise<void> {
    const locked = await this.access.lockForUpdate(me, 'artifacts_delete', Artifact, id);
    this.access.assertWritable(locked);
    const { row, place } = locked;
    const title = 'Deleted artifact';
    const cleared = { url: null, file: null, summary: null, tags: [], externalRef: null, metadata: {} };
    const deleted = { ...cleared, deletedAt: new Date(), title };
    await this.writer.remove(me, artifactView, Artifact, row, place, deleted, title);
    await this.eventEraser.blankTexts(artifactView, id);
    await this.eventEraser.unlocked(() => this.textObservers.eraseCopies(id, [row.title, row.summary]));
  }

  /** Resolves the parent of a new artifact: the task that it belongs to and moves with, or else the endeavour. */
  private async parentOf(me: Caller, { endeavour_id, task_id }: NewArtifactDto): Promise<AuthorizedResource> {
    if (task_id !== undefined) {
      const task = await this.access.lockReference(me, 'artifacts_create', 'task_id', task_id, { kind: 'task' });
      const isElsewhere = endeavour_id !== undefined && endeavour_id !== task.place.endeavourId;
      if (isElsewhere) throw invalidInput([referenceNotFound('task_id')]);
      return task;
    }
    if (endeavour_id === undefined)
      throw invalidField('endeavour_id', 'required', 'endeavour_id or task_id is required.');
    return this.access.resolveReference(me, 'artifacts_create', 'endeavour_id', endeavour_id, 'endeavour');
  }

  private notifyObservers(
    me: Caller,
    entityId: string,
    { place }: AuthorizedResource,
    texts: (string | undefined)[],
  ): Promise<void> {
    return this.textObservers.onTextWritten(me, { kind: 'artifact', entityId, endeavourId: place.endeavourId, texts });
  }

  private async assertTask(taskId: string, endeavourId: string): Promise<void> {
    if (await this.tasks.isInEndeavour(taskId, endeavourId)) return;
    throw invalidInput([referenceNotFound('task_id')]);
  }
}
