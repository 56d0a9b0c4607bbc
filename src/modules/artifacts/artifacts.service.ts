import { Injectable } from '@nestjs/common';
import { Access, type AuthorizedResource } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { ExternalRefs } from '../../access/external-refs.js';
import { fromWire } from '../../common/case.js';
import { invalidField, invalidInput, referenceNotFound } from '../../common/errors.js';
import { newId } from '../../common/ids.js';
import { EventEraser } from '../../platform/events/event-eraser.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import type { FieldNames, Representation } from '../../platform/database/view.js';
import { mergeExternalRef } from '../../platform/http/fields.js';
import { mergeMetadata } from '../../platform/http/metadata.js';
import { TextObservers, textsOf } from '../../platform/text-observers/text-observers.js';
import type { Page } from '../../platform/http/page.js';
import type { RawQuery } from '../../platform/http/query-parameters.js';
import { Listing } from '../../platform/listing/listing.js';
import { EndeavoursService } from '../endeavours/endeavours.service.js';
import { TasksRepository } from '../tasks/tasks.repository.js';
import type { CreateArtifactDto, UpdateArtifactDto } from './artifact.dto.js';
import { Artifact } from './artifact.entity.js';
import { assertKeepsEvidence } from './artifact.rules.js';
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

  async create(me: Caller, dto: CreateArtifactDto): Promise<Representation> {
    const home = await this.homeFor(me, dto);
    this.access.assertWritable(home);
    this.endeavours.assertTakesWork(home);
    const id = newId('artifact');
    const { external_ref, ...sent } = dto;
    const externalRef = mergeExternalRef(null, external_ref);
    await this.externalRefs.hold(artifactView, home.place.endeavourId ?? null, externalRef);
    const created = await this.writer.create(me, artifactView, Artifact, {
      row: {
        ...fromWire(sent),
        id,
        externalRef,
        endeavourId: home.place.endeavourId ?? undefined,
        createdBy: me.resourceId,
      },
      place: home.place,
      title: dto.title,
      parentId: dto.task_id,
    });
    await this.announce(me, id, home, [dto.title, dto.summary]);
    return created;
  }

  async update(me: Caller, id: string, dto: UpdateArtifactDto): Promise<Representation> {
    const { tags, task_id, external_ref, metadata, ...sent } = dto;
    // Before the artifact: a task that moves locks its artifacts in the same order.
    if (typeof task_id === 'string') await this.access.lock(me, task_id);
    const opened = await this.access.lockForUpdate(me, 'artifacts_update', Artifact, id);
    if (typeof task_id === 'string') await this.assertTask(task_id, opened.row.endeavourId);
    this.access.assertWritable(opened);
    const externalRef = mergeExternalRef(opened.row.externalRef ?? null, external_ref);
    await this.externalRefs.hold(artifactView, opened.row.endeavourId, externalRef);
    const changes = {
      ...fromWire({ ...sent, task_id }),
      externalRef,
      ...(tags !== undefined && { tags: tags ?? [] }),
      metadata: mergeMetadata(opened.row.metadata, metadata),
    } as Partial<Artifact>;
    assertKeepsEvidence(opened.row, changes);
    const patched = await this.writer.patch(me, artifactView, Artifact, {
      current: opened.row,
      changes,
      place: opened.place,
      entityChanges: { title: dto.title, parentId: task_id },
    });
    await this.announce(me, id, opened, textsOf(opened.row, changes, ['title', 'summary']));
    return patched;
  }

  async remove(me: Caller, id: string): Promise<void> {
    const opened = await this.access.lockForUpdate(me, 'artifacts_delete', Artifact, id);
    this.access.assertWritable(opened);
    const { row, place } = opened;
    const title = 'Deleted artifact';
    const nothing = { url: null, summary: null, tags: [], externalRef: null, metadata: {} };
    const gone = { ...nothing, deletedAt: new Date(), title };
    await this.writer.remove(me, artifactView, Artifact, row, place, gone, title);
    await this.eventEraser.unlocked(async () => {
      await this.eventEraser.blankEvents([id], ['title', 'url', 'summary', 'tags', 'external_ref', 'metadata']);
      await this.textObservers.eraseCopies(id, [row.title, row.summary]);
    });
  }

  /** The endeavour, or the task in it that the artifact belongs to and moves with. */
  private async homeFor(me: Caller, { endeavour_id, task_id }: CreateArtifactDto): Promise<AuthorizedResource> {
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

  private announce(
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
