import { Injectable } from '@nestjs/common';
import { invalidField, notFound } from '../../common/errors.js';
import { rankOf } from '../../common/roles.js';
import { Database } from '../../platform/database/database.js';
import { chainOf, entryView } from '../../platform/database/views/lineage.js';
import { rowsAsJson, schemaOf, type JsonSchema, type View } from '../../platform/database/views/view.js';
import { component, exactly } from '../../platform/http/openapi/schemas.js';
import type { Filter } from '../../platform/listing/definition.js';
import { wordFilter } from '../../platform/listing/filters.js';
import { Access, type AuthorizedResource } from '../access.js';
import { isVisibleTo } from './access-statements.js';
import type { Caller } from '../authentication/caller.js';
import { permissionOf, type OperationId } from '../permissions/permissions.js';

/** The container of a copy, as `access.assertWritable` and `writer.create` need it. */
export type ForkTarget = Pick<AuthorizedResource, 'place' | 'containerStatus' | 'containerKind'>;

/** The container in the body of a fork, if any. */
interface RequestedContainer {
  endeavour_id?: string;
  organization_id?: string;
}

/**
 * Reads the chain of versions of rituals, templates and DoD policies, and determines the container of a fork (spec 07).
 * `platform/database/views/lineage.ts` assigns the version numbers. A fork is
 *
 *     const source = await access.lockForUpdate(me, 'rituals_fork', Ritual, id);
 *     const target = await lineage.target(me, 'rituals_create', source, dto);
 *     access.assertWritable({ ...target, row: source.row });
 *     writer.create(me, view, Ritual, { row: { ..., origin: 'fork', ...nextVersion(source.row) }, place: target.place })
 *
 * The lock keeps the version numbers of the source current. `If-Match` applies to the source, the check for an archived
 * container to the target. The fork operation requires no role (the source only has to be visible); the creation
 * operation determines the role that is required in the target container.
 */
@Injectable()
export class Lineage {
  constructor(
    private readonly access: Access,
    private readonly database: Database,
  ) {}

  /**
   * Returns the earlier versions and the entity itself, oldest first; versions that are not visible have no id. 404 if
   * the entity itself is not visible.
   */
  async chain(me: Caller, view: View, id: string): Promise<unknown[]> {
    if ((await this.access.find(me, id)) === undefined) throw notFound();
    const { select, from } = rowsAsJson(entryView(view));
    const rows = await this.database.query<{ entry: unknown }>(
      `WITH RECURSIVE ${chainOf(view.table)}
       SELECT coalesce(seen.body, json_build_object('id', NULL, 'version', chain.version, 'visible', false)) AS entry
       FROM chain LEFT JOIN LATERAL (
         SELECT ${select} FROM ${from} WHERE ${view.alias}.id = chain.id
           AND EXISTS (SELECT 1 FROM entities x WHERE x.id = chain.id AND ${isVisibleTo(me, view.kind)})) seen ON true
       ORDER BY chain.age DESC`,
      [me.userId, id],
    );
    return rows.map(({ entry }) => entry);
  }

  /**
   * Returns the container for a copy of `source`. A requested container requires the role of the operation `create` there
   * (400 if it is not visible, 403 if the role is too low). By default, the copy is created in the container of the
   * source if the caller can create there; otherwise it is personal. Only administrators create global copies.
   */
  async target(
    me: Caller,
    create: OperationId,
    source: AuthorizedResource,
    requested: RequestedContainer,
    { hasGlobal = false } = {},
  ): Promise<ForkTarget> {
    const { endeavour_id, organization_id } = requested;
    if (endeavour_id !== undefined && organization_id !== undefined) {
      throw invalidField('organization_id', 'invalid_value', 'Set either endeavour_id or organization_id, not both.');
    }
    if (endeavour_id !== undefined)
      return this.access.resolveReference(me, create, 'endeavour_id', endeavour_id, 'endeavour');
    if (organization_id !== undefined) {
      return this.access.resolveReference(me, create, 'organization_id', organization_id, 'organization');
    }
    if (hasGlobal && source.place.isGlobal === true && me.isAdmin) return uncontained({ isGlobal: true });
    return mayCreateBeside(source, create) ? source : uncontained({ ownerUserId: me.userId });
  }
}

const uncontained = (place: ForkTarget['place']): ForkTarget => ({ place, containerStatus: null, containerKind: null });

function mayCreateBeside(source: AuthorizedResource, create: OperationId): boolean {
  const { role } = permissionOf(create);
  const isEnough = role === undefined || source.rank >= rankOf(role);
  const isWritable = source.containerStatus !== 'archived' && source.closedBy === null;
  return source.containerKind !== null && isWritable && isEnough;
}

/** The schema of a lineage in the OpenAPI document. */
export function lineageSchema(view: View): JsonSchema {
  const entry = entryView(view);
  const { id, version, visible, ...optional } = schemaOf(entry).properties as Record<string, JsonSchema>;
  const required = { id: { ...id, type: ['string', 'null'] }, version, visible };
  return { type: 'array', items: component(entry.name, exactly(required, optional)) };
}

/**
 * Filters by language. Built-in entries exist in few languages: `de-CH` falls back to `de`, and a language without
 * built-in entries to `en`.
 */
export function languageFilter(table: string, alias: string): Filter {
  return wordFilter((tags, statement) => {
    const exact = `ANY(${statement.bind(tags)}::text[])`;
    const known = `ANY(${statement.bind(tags.flatMap((tag) => [tag, tag.split('-')[0]]))}::text[])`;
    return `(${alias}.lang = ${exact} OR (${alias}.origin = 'template' AND (${alias}.lang = ${known}
        OR (${alias}.lang = 'en' AND NOT EXISTS (
          SELECT 1 FROM ${table} b WHERE b.origin = 'template' AND b.lang = ${known})))))`;
  }, 'In this language. Built-in entries fall back to the language without its region, then to English.');
}
