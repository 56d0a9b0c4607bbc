import { Injectable } from '@nestjs/common';
import { endeavoursAtHomeIn } from '../../../access/visibility/containers.view.js';
import { Database } from '../../../platform/database/database.js';

/** The existing entity that a record maps to. */
export interface ExistingEntity {
  id: string;
  endeavourId: string | null;
  /** Whether the entity has been deleted, or moved out of the container into which the document is imported. */
  isGone: boolean;
}

/** An external reference of a record, by which an existing entity is looked up. */
export interface ReferenceLookup {
  record: string;
  container: string;
  source: string;
  id: string;
}

/** SQL by table: the endeavour of a row `t`, and the container in which its external reference is unique. */
const REFERRED = {
  tasks: { endeavour: 't.endeavour_id', container: 't.endeavour_id' },
  demands: { endeavour: 't.endeavour_id', container: 't.endeavour_id' },
  artifacts: { endeavour: 't.endeavour_id', container: 't.endeavour_id' },
  endeavours: { endeavour: 't.id', container: 't.organization_id' },
} as const;
type ReferredTable = keyof typeof REFERRED;

/** SQL: whether the entity `x` is in the container `$1`, an endeavour or an organization with its endeavours. */
const isInside = `x.deleted_at IS NULL AND (x.endeavour_id = $1 OR x.organization_id = $1 OR x.id = $1
  OR x.endeavour_id IN (${endeavoursAtHomeIn('$1')}))`;

/** Reads and writes the mapping from records of an export to entities. */
@Injectable()
export class DocumentLinksRepository {
  constructor(private readonly database: Database) {}

  /**
   * Finds the entities that records map to after earlier batches and imports. With `isOwn`, records are also the entities
   * of the container that have their ids: the export comes back to where it is from.
   */
  async find(
    containerId: string,
    recordIds: readonly string[],
    { isOwn }: { isOwn: boolean },
  ): Promise<Map<string, ExistingEntity>> {
    const rows = await this.database.query<ExistingEntity & { record: string }>(
      `SELECT l.external_id AS record, l.entity_id AS id, x.endeavour_id AS "endeavourId", NOT (${isInside}) AS "isGone"
       FROM imported_entities l JOIN entities x ON x.id = l.entity_id
       WHERE l.container_id = $1 AND l.external_id = ANY($2::text[])
       UNION ALL
       SELECT x.id, x.id, x.endeavour_id, false FROM entities x WHERE $3 AND x.id = ANY($2::text[]) AND ${isInside}
         AND NOT EXISTS (SELECT 1 FROM imported_entities l WHERE l.container_id = $1 AND l.external_id = x.id)`,
      [containerId, recordIds, isOwn],
    );
    return new Map(rows.map(({ record, ...entity }) => [record, entity]));
  }

  /** Finds entities by external reference, which is unique in an endeavour, or for endeavours in their organization. */
  async findByReference(
    table: ReferredTable,
    lookups: readonly ReferenceLookup[],
  ): Promise<Map<string, ExistingEntity>> {
    if (lookups.length === 0) return new Map();
    const { endeavour, container } = REFERRED[table];
    const columns = ['record', 'container', 'source', 'id'] as const;
    const rows = await this.database.query<ExistingEntity & { record: string }>(
      `SELECT s.record, t.id, ${endeavour} AS "endeavourId", false AS "isGone"
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS s (record, container, source, id)
       JOIN ${table} t ON ${container} = s.container AND t.external_ref ->> 'source' = s.source
         AND t.external_ref ->> 'id' = s.id`,
      columns.map((name) => lookups.map((lookup) => lookup[name])),
    );
    return new Map(rows.map(({ record, ...entity }) => [record, entity]));
  }

  async add(containerId: string, links: ReadonlyMap<string, string>): Promise<void> {
    await this.database.query(
      `INSERT INTO imported_entities (container_id, external_id, entity_id)
       SELECT $1, * FROM unnest($2::text[], $3::text[])
       ON CONFLICT (container_id, external_id) DO UPDATE SET entity_id = excluded.entity_id`,
      [containerId, [...links.keys()], [...links.values()]],
    );
  }
}
