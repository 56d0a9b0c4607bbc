import { Injectable } from '@nestjs/common';
import { ApiError, invalidInput, type FieldError } from '../../common/errors.js';
import type { ExternalRef, SentExternalRef } from '../../common/external-ref.js';
import type { JsonRecord } from '../../common/texts/json.js';
import { Database } from '../../platform/database/database.js';
import type { Representation, View } from '../../platform/database/views/view.js';
import type { CreateOrPatch } from '../../platform/http/bodies/create-or-patch.js';
import { Created } from '../../platform/http/responses/created.js';
import { fieldError } from '../../platform/http/bodies/fields/field.js';
import { RequestContext } from '../../platform/context/request-context.js';
import { refersTo } from '../../platform/listing/external-filter.js';
import { Access } from '../access.js';
import type { Caller } from '../authentication/caller.js';
import type { ExternalPut } from './external-request.js';
import type { OperationId } from '../permissions/permissions.js';

/** What identifies the entities of one kind by their id in another system. */
export interface ExternalKind {
  view: View;
  container: 'endeavour' | 'organization';
  /** The operation that determines the role required to create in the container. */
  creation: OperationId;
  /** Properties that only a creation sets; a patch can repeat them with the same value. */
  fixed: readonly string[];
}

/** How the caller creates or patches an entity. */
interface ExternalWrites<C, P> {
  create(dto: C): Promise<Representation>;
  update(id: string, dto: P): Promise<Representation>;
}

const MAX_CANDIDATES = 50;

/** Finds, creates and patches entities by their id in another system, which is unique within a container. */
@Injectable()
export class ExternalRefs {
  constructor(
    private readonly access: Access,
    private readonly context: RequestContext,
    private readonly database: Database,
  ) {}

  /** Locks a reference so that no other transaction assigns it in the container until this one ends. */
  async lock({ kind }: View, containerId: string | null, ref: ExternalRef | null | undefined): Promise<void> {
    if (ref === undefined || ref === null) return;
    const name = JSON.stringify([kind, containerId, ref.source, ref.id]);
    await this.database.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 13))', [name]);
  }

  /** Patches the entity with that reference, or creates it. */
  async put<C extends object, P extends object>(
    me: Caller,
    { source, externalId, containerId, ...body }: ExternalPut<C, P>,
    kind: ExternalKind,
    writes: ExternalWrites<C, P>,
  ): Promise<Representation | Created> {
    const { view, creation, container } = kind;
    await this.access.resolveReference(me, creation, `${container}_id`, containerId, container);
    const ref = { source, id: externalId, url: null };
    await this.lock(view, containerId, ref);
    const find = () => this.find(me, view, `${container}_id`, containerId, ref);
    for (let id = await find(), next; id !== undefined; id = next) {
      try {
        return await writes.update(id, await this.patchOf(me, id, body, kind, ref));
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'not_found')) throw error;
        // It was deleted or moved meanwhile; deletions do not lock the reference.
        next = await find();
        if (next === id) throw error;
      }
    }
    this.context.assertIfMatchAbsent();
    return new Created(await writes.create(creationOf(body.creation, ref, `${container}_id`, containerId)));
  }

  /**
   * Returns the id of the oldest entity with that reference that is visible to the caller. A private endeavour does not
   * reserve its reference, which would tell others that it exists.
   */
  private async find(
    me: Caller,
    { table, alias }: View,
    column: string,
    containerId: string,
    ref: ExternalRef,
  ): Promise<string | undefined> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT ${alias}.id FROM ${table} ${alias} WHERE ${refersTo(alias, '$1', '$2')} AND ${alias}.${column} = $3
       ORDER BY ${alias}.id LIMIT ${MAX_CANDIDATES}`,
      [ref.source, ref.id, containerId],
    );
    for (const { id } of rows) if ((await this.access.find(me, id)) !== undefined) return id;
    return undefined;
  }

  private async patchOf<C extends object, P extends object>(
    me: Caller,
    id: string,
    { patch }: CreateOrPatch<C, P>,
    { view, fixed }: ExternalKind,
    ref: ExternalRef,
  ): Promise<P> {
    if (Array.isArray(patch)) throw invalidInput(patch);
    const dto = { ...patch } as JsonRecord;
    const errors: FieldError[] = [];
    if (dto.external_ref !== undefined) dto.external_ref = withUrl(dto.external_ref, ref, errors);
    const submitted = fixed.filter((name) => dto[name] !== undefined);
    if (submitted.length > 0) {
      const current = JSON.parse((await this.access.getOr404(me, view, id)).body) as JsonRecord;
      for (const name of submitted) {
        if (dto[name] !== current[name]) errors.push(...fieldError(name, 'read_only', 'cannot be changed.'));
        delete dto[name];
      }
    }
    if (errors.length > 0) throw invalidInput(errors);
    return dto as P;
  }
}

/** Adds the reference from the path and the container from the query to the body of a creation. */
function creationOf<C extends object>(
  creation: C | FieldError[],
  ref: ExternalRef,
  column: string,
  containerId: string,
): C {
  if (Array.isArray(creation)) throw invalidInput(creation);
  const sent = creation as JsonRecord;
  const errors: FieldError[] = [];
  const external_ref = withUrl(sent.external_ref, ref, errors);
  if (![undefined, containerId].includes(sent[column] as string | undefined)) {
    errors.push(...fieldError(column, 'invalid_value', 'must be the same in the body and in the query.'));
  }
  if (errors.length > 0) throw invalidInput(errors);
  return Object.assign(creation, { external_ref, [column]: containerId });
}

/** Returns the reference in the path with the URL in the body, whose source and id must be the same. */
function withUrl(sent: unknown, { source, id }: ExternalRef, errors: FieldError[]): SentExternalRef {
  const { source: sentSource = source, id: sentId = id, url } = (sent ?? {}) as SentExternalRef;
  if (sentSource === source && sentId === id) return { source, id, ...(url !== undefined && { url }) };
  errors.push(...fieldError('external_ref', 'invalid_value', 'must be the same in the body and in the path.'));
  return {};
}
