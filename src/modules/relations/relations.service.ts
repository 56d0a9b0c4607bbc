import { Injectable } from '@nestjs/common';
import { Access, type Found } from '../../access/access.js';
import type { Caller } from '../../access/caller.js';
import { fromWire } from '../../common/case.js';
import { conflict, forbidden, invalidInput, notFound, referenceNotFound } from '../../common/errors.js';
import { newId } from '../../common/ids.js';
import { Writes } from '../../platform/changes/writes.js';
import { fromRow } from '../../platform/database/columns.js';
import { Database } from '../../platform/database/database.js';
import { Representation, oneAsJson, type FieldNames, type Json } from '../../platform/database/view.js';
import type { Page } from '../../platform/http/page.js';
import type { RawQuery } from '../../platform/http/raw-query.js';
import { Listing } from '../../platform/listing/listing.js';
import { ResourcesService } from '../resources/resources.service.js';
import type { CreateRelationDto } from './relation.dto.js';
import { Relation } from './relation.entity.js';
import { isAlive, isSeen, relationList, relationsFor } from './relation.list.js';
import { asksForMemberships, membershipsFor } from './membership-relation.list.js';
import { assertNotStructural, shapeOf } from './membership-relation.rules.js';
import { MembershipRelations } from './membership-relations.service.js';
import { assertEnds, edgeOf, graphOf } from './relation.rules.js';
import { ENDS, relationView } from './relation.view.js';

const seenBy = ({ isAdmin }: Caller): string => (isAdmin ? '$1::text IS NOT NULL' : isSeen());

/** What things have to do with each other. */
@Injectable()
export class RelationsService {
  constructor(
    private readonly access: Access,
    private readonly database: Database,
    private readonly listing: Listing,
    private readonly memberships: MembershipRelations,
    private readonly resources: ResourcesService,
    private readonly writes: Writes,
  ) {}

  list(me: Caller, query: RawQuery): Promise<Page> {
    const request = this.listing.read(relationList, query);
    const definition = asksForMemberships(request) ? membershipsFor(me, request) : relationsFor(request);
    return this.listing.pageOf(me, definition, request);
  }

  async get(me: Caller, id: string, fields?: FieldNames): Promise<Representation> {
    const sql = oneAsJson(relationView, `l.id = $2 AND ${isAlive} AND ${seenBy(me)}`, fields);
    const row = await this.database.one<Json>(sql, [me.userId, id]);
    const found = row === undefined ? await this.memberships.get(me, id, fields) : Representation.of(row);
    if (found === undefined) throw notFound();
    return found;
  }

  async create(me: Caller, dto: CreateRelationDto): Promise<Representation> {
    const membership = shapeOf(dto);
    if (membership === undefined) assertNotStructural(dto);
    assertEnds(dto);
    if (membership !== undefined) return this.memberships.create(me, membership, dto);
    await this.hold(me, dto);
    const source = await this.source(me, dto.source_entity_id);
    if (source === undefined) throw invalidInput([referenceNotFound('source_entity_id')]);
    await this.access.named(me, 'relations_to', 'target_entity_id', dto.target_entity_id, dto.target_entity_type);
    this.access.ready(source);
    await this.assertNoCycle(dto);
    return this.writes.create(me, relationView, Relation, {
      row: {
        id: newId('relation'),
        ...fromWire(dto),
        madeIn: source.place.endeavourId ?? null,
        createdBy: me.resourceId,
      },
      place: source.place,
      title: dto.relationship_type,
      parentId: source.id,
    });
  }

  async remove(me: Caller, id: string): Promise<void> {
    const row = await this.find(me, id);
    if (row === undefined) {
      if (await this.memberships.remove(me, id)) return;
      throw notFound();
    }
    const source = await this.source(me, row.sourceEntityId);
    if (source === undefined) throw notFound();
    this.access.ready(source);
    await this.writes.remove(me, relationView, Relation, row, source.place, { deletedAt: new Date() });
  }

  /** Neither end goes away or moves while they are being related. */
  private async hold(me: Caller, { source_entity_id, target_entity_id }: CreateRelationDto): Promise<void> {
    for (const id of [source_entity_id, target_entity_id].sort()) await this.access.hold(me, id);
  }

  /** Locks the relation. Whoever does not see both ends does not see it. */
  private async find(me: Caller, id: string): Promise<Relation | undefined> {
    const row = await this.database.one(
      `SELECT l.* FROM relations l ${ENDS} WHERE l.id = $2 AND ${isAlive} AND ${seenBy(me)} FOR NO KEY UPDATE OF l`,
      [me.userId, id],
    );
    return row && fromRow(this.database.source, Relation, row);
  }

  /** The source, where the caller sees it; 403 where they may say nothing of it (spec 02). */
  private async source(me: Caller, id: string): Promise<Found | undefined> {
    const found = await this.access.look(me, id);
    if (found === undefined) return undefined;
    if (found.containerKind === 'endeavour') return this.access.at(me, 'relations_from_endeavour', id);
    if (found.containerKind === 'organization') return this.access.at(me, 'relations_from_organization', id);
    const isTheirs = found.kind === 'resource' ? await this.resources.manages(me, id) : found.rank > 0;
    if (!isTheirs) throw forbidden('managing the source of the relation');
    return this.access.at(me, 'relations_to', id);
  }

  /**
   * Refuses the relation that would close a circle. Whoever adds to the same graph waits for the other's commit, and
   * so sees it: two that only together close a circle are not both let through. The lock is for the whole graph,
   * because a circle may go through any number of endeavours.
   */
  private async assertNoCycle(dto: CreateRelationDto): Promise<void> {
    const graph = graphOf(dto.relationship_type);
    if (graph === undefined) return;
    await this.database.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 11))', [graph.name]);
    const { from, to } = edgeOf(dto.relationship_type, dto);
    // A set of ids, not of paths: each thing is visited once, however many ways lead to it.
    const path = await this.database.one(
      `WITH RECURSIVE reached (id) AS (
         SELECT $1::text
         UNION
         SELECT next.id FROM reached JOIN LATERAL (
           SELECT l.target_entity_id AS id FROM relations l
           WHERE l.source_entity_id = reached.id AND l.relationship_type = ANY($3) AND l.deleted_at IS NULL
           UNION ALL
           SELECT l.source_entity_id FROM relations l
           WHERE l.target_entity_id = reached.id AND l.relationship_type = ANY($4) AND l.deleted_at IS NULL
         ) next ON true JOIN entities x ON x.id = next.id AND x.deleted_at IS NULL
       ) SELECT 1 FROM reached WHERE id = $2 LIMIT 1`,
      [to, from, graph.forward, graph.backward],
    );
    if (path !== undefined) throw conflict('cycle', 'It would lead back to where it starts.');
  }
}
