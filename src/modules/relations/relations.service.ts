import { Injectable } from '@nestjs/common';
import { Access, type AuthorizedResource } from '../../access/access.js';
import type { Caller } from '../../access/authentication/caller.js';
import { fromWire } from '../../common/texts/case.js';
import { forbidden, invalidInput, notFound, referenceNotFound } from '../../common/errors.js';
import { newId } from '../../common/ids.js';
import { ResourceWriter } from '../../platform/events/resource-writer.js';
import type { FieldNames, Representation } from '../../platform/database/views/view.js';
import { rankOf } from '../../common/roles.js';
import { bodyReaderFor } from '../../platform/http/bodies/fields/body-reader.js';
import type { Page } from '../../platform/http/responses/page.js';
import type { RawQuery } from '../../platform/http/requests/query-parameters.js';
import { Listing } from '../../platform/listing/listing.js';
import type { Edge } from '../dependencies/dependency.rules.js';
import { DependenciesService, type CycleSearch } from '../dependencies/dependencies.service.js';
import { ResourcesService } from '../resources/resources.service.js';
import { UnblockedTasks } from '../tasks/completion/unblocked-tasks.service.js';
import { CreateRelationDto } from './relation.dto.js';
import { Relation } from './relation.entity.js';
import { relationList, relationsFor } from './relation.list.js';
import { isForMemberships, membershipsFor } from './membership-relation.list.js';
import { assertNotStructural, shapeOf } from './membership-relation.rules.js';
import { MembershipRelationsService } from './membership-relations.service.js';
import { assertEnds } from './relation.rules.js';
import { relationView } from './relation.view.js';
import { RelationsRepository } from './relations.repository.js';

/** Manages relations between entities. */
@Injectable()
export class RelationsService {
  /** Validates the body as POST does. */
  readonly read = bodyReaderFor(CreateRelationDto, 'create');

  constructor(
    private readonly access: Access,
    private readonly dependencies: DependenciesService,
    private readonly listing: Listing,
    private readonly memberships: MembershipRelationsService,
    private readonly relations: RelationsRepository,
    private readonly resources: ResourcesService,
    private readonly unblocked: UnblockedTasks,
    private readonly writer: ResourceWriter,
  ) {}

  list(me: Caller, query: RawQuery): Promise<Page> {
    const request = this.listing.read(relationList, query);
    const definition = isForMemberships(request) ? membershipsFor(me, request) : relationsFor(request);
    return this.listing.pageOf(me, definition, request);
  }

  async get(me: Caller, id: string, fields?: FieldNames): Promise<Representation> {
    const relation = (await this.relations.read(me, id, fields)) ?? (await this.memberships.get(me, id, fields));
    if (relation === undefined) throw notFound();
    return relation;
  }

  /** Searches once for the cycles that any of these relations between tasks of the endeavour could close. */
  searchCycles(relations: readonly Edge[], endeavourId: string): Promise<CycleSearch> {
    return this.dependencies.searchCycles(relations, endeavourId);
  }

  /** Creates a relation; `search` is the result of a search for cycles that includes it. */
  async create(me: Caller, dto: CreateRelationDto, search?: CycleSearch): Promise<Representation> {
    const membership = shapeOf(dto);
    if (membership === undefined) assertNotStructural(dto);
    assertEnds(dto);
    if (membership !== undefined) return this.memberships.create(me, membership, dto);
    const edge = edgeOf(dto.relationship_type, dto.source_entity_id, dto.target_entity_id);
    await this.dependencies.lockDependent(me, edge);
    await this.dependencies.lockParent(me, edge);
    await this.lockEnds(me, dto);
    const source = await this.source(me, dto.source_entity_id);
    if (source === undefined) throw invalidInput([referenceNotFound('source_entity_id')]);
    const { target_entity_id, target_entity_type } = dto;
    const target = await this.access.resolveReference(
      me,
      'relations_to',
      'target_entity_id',
      target_entity_id,
      target_entity_type,
    );
    this.access.assertWritable(source);
    const places = [source.place.endeavourId ?? null, target.place.endeavourId ?? null] as const;
    await this.dependencies.assertMayAdd(edge, places, search);
    return this.writer.create(me, relationView, Relation, {
      row: {
        id: newId('relation'),
        ...fromWire(dto),
        madeIn: source.place.endeavourId ?? null,
        tiedIn: tiedIn(source, target),
        createdBy: me.resourceId,
      },
      place: source.place,
      title: dto.relationship_type,
      parentId: source.id,
    });
  }

  async remove(me: Caller, id: string): Promise<void> {
    const row = await this.relations.lock(me, id);
    if (row === undefined) {
      if (await this.memberships.remove(me, id)) return;
      throw notFound();
    }
    const dependent = await this.dependencies.lockDependent(
      me,
      edgeOf(row.relationshipType, row.sourceEntityId, row.targetEntityId),
    );
    const source = await this.source(me, row.sourceEntityId);
    if (source === undefined) throw notFound();
    this.access.assertWritable(source);
    const deleted = { deletedAt: new Date(), deletedBy: me.resourceId, deletedByAdmin: source.rank >= rankOf('admin') };
    await this.writer.remove(me, relationView, Relation, row, source.place, deleted);
    if (dependent !== undefined) await this.unblocked.recordFreed(me, dependent);
  }

  /** Locks both ends, so that they cannot be deleted or moved concurrently. */
  private async lockEnds(me: Caller, { source_entity_id, target_entity_id }: CreateRelationDto): Promise<void> {
    for (const id of [source_entity_id, target_entity_id].sort()) await this.access.lock(me, id);
  }

  /** The source; undefined if it is not visible to the caller, 403 if the caller may not relate it (spec 02). */
  private async source(me: Caller, id: string): Promise<AuthorizedResource | undefined> {
    const source = await this.access.find(me, id);
    if (source === undefined) return undefined;
    if (source.containerKind === 'endeavour') return this.access.authorize(me, 'relations_from_endeavour', id);
    if (source.containerKind === 'organization') return this.access.authorize(me, 'relations_from_organization', id);
    const mayRelate = source.kind === 'resource' ? await this.resources.manages(me, id) : source.rank > 0;
    if (!mayRelate) throw forbidden('the right to manage the source of the relation');
    return this.access.authorize(me, 'relations_to', id);
  }
}

/** The endeavour of the task, if the relation ties an artifact to it and the caller is a member there. */
function tiedIn(source: AuthorizedResource, target: AuthorizedResource): string | null {
  const ends = [source, target];
  const task = ends.find(({ kind }) => kind === 'task');
  const isTie = task !== undefined && ends.some(({ kind }) => kind === 'artifact');
  return isTie && task.rank >= rankOf('member') ? (task.place.endeavourId ?? null) : null;
}

const edgeOf = (type: string, source: string, target: string): Edge => ({ type, source, target });
