import { Injectable } from '@nestjs/common';
import { invalidInput, type FieldError } from '../common/errors.js';
import type { ExternalRef, SentExternalRef } from '../common/external-ref.js';
import type { JsonRecord } from '../common/json.js';
import { Database } from '../platform/database/database.js';
import type { Representation, View } from '../platform/database/view.js';
import type { CreateOrPatch } from '../platform/http/create-or-patch.js';
import { Created } from '../platform/http/created.js';
import { fieldError } from '../platform/http/fields/field.js';
import { RequestContext } from '../platform/http/request-context.js';
import { refersTo } from '../platform/listing/external-filter.js';
import { Access } from './access.js';
import type { Caller } from './caller.js';
import type { ExternalPut } from './external-request.js';
import type { OperationId } from './permissions.js';

/** How entities of one kind are created or patched by their id in another system. */
export interface ExternalKind<C, P> {
  view: View;
  container: 'endeavour' | 'organization';
  /** The operation whose role is required for creation in the container. */
  creation: OperationId;
  /** Properties that only creation sets; later they are accepted if they are unchanged. */
  fixed: readonly string[];
  create(dto: C): Promise<Representation>;
  update(id: string, dto: P): Promise<Representation>;
}

/** Finds, creates and patches entities by their id in another system, which is unique within a container. */
@Injectable()
export class ExternalRefs {
  constructor(
    private readonly access: Access,
    private readonly context: RequestContext,
    private readonly database: Database,
  ) {}

  /** Prevents other transactions from assigning that reference in the container until the end of this one. */
  async hold({ kind }: View, containerId: string | null, ref: ExternalRef | null | undefined): Promise<void> {
    if (ref === undefined || ref === null) return;
    const name = JSON.stringify([kind, containerId, ref.source, ref.id]);
    await this.database.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 13))', [name]);
  }

  /** Patches the entity with that reference, or creates it. */
  async put<C extends object, P extends object>(
    me: Caller,
    { source, externalId, containerId, ...body }: ExternalPut<C, P>,
    kind: ExternalKind<C, P>,
  ): Promise<Representation | Created> {
    const { view, creation, container } = kind;
    await this.access.resolveReference(me, creation, `${container}_id`, containerId, container);
    const ref = { source, id: externalId, url: null };
    await this.hold(view, containerId, ref);
    const id = await this.find(me, view, `${container}_id`, containerId, ref);
    if (id !== undefined) return kind.update(id, await this.patchOf(me, id, body, kind, ref));
    this.context.assertIfMatchAbsent();
    return new Created(await kind.create(creationOf(body.creation, ref, `${container}_id`, containerId)));
  }

  /** The id of the entity with that reference, if it is visible to the caller. */
  private async find(
    me: Caller,
    { table, alias }: View,
    column: string,
    containerId: string,
    ref: ExternalRef,
  ): Promise<string | undefined> {
    const row = await this.database.one<{ id: string }>(
      `SELECT ${alias}.id FROM ${table} ${alias} WHERE ${refersTo(alias, '$1', '$2')} AND ${alias}.${column} = $3`,
      [ref.source, ref.id, containerId],
    );
    return row && (await this.access.find(me, row.id))?.id;
  }

  private async patchOf<C extends object, P extends object>(
    me: Caller,
    id: string,
    { patch }: CreateOrPatch<C, P>,
    { view, fixed }: ExternalKind<C, P>,
    ref: ExternalRef,
  ): Promise<P> {
    if (Array.isArray(patch)) throw invalidInput(patch);
    const dto = { ...patch } as JsonRecord;
    const faults: FieldError[] = [];
    if (dto.external_ref !== undefined) dto.external_ref = withUrl(dto.external_ref, ref, faults);
    const sent = fixed.filter((name) => dto[name] !== undefined);
    if (sent.length > 0) {
      const present = JSON.parse((await this.access.getOr404(me, view, id)).body) as JsonRecord;
      for (const name of sent) {
        if (dto[name] !== present[name]) faults.push(...fieldError(name, 'read_only', 'cannot be changed.'));
        delete dto[name];
      }
    }
    if (faults.length > 0) throw invalidInput(faults);
    return dto as P;
  }
}

/** The body of a creation, with the reference and the container from path and query. */
function creationOf<C extends object>(
  creation: C | FieldError[],
  ref: ExternalRef,
  column: string,
  containerId: string,
): C {
  if (Array.isArray(creation)) throw invalidInput(creation);
  const sent = creation as JsonRecord;
  const faults: FieldError[] = [];
  const external_ref = withUrl(sent.external_ref, ref, faults);
  if (![undefined, containerId].includes(sent[column] as string | undefined)) {
    faults.push(...fieldError(column, 'invalid_value', 'must be the same in the body and in the query.'));
  }
  if (faults.length > 0) throw invalidInput(faults);
  return Object.assign(creation, { external_ref, [column]: containerId });
}

/** The reference in the path, with the URL of the body; the body must have the same source and id. */
function withUrl(sent: unknown, { source, id }: ExternalRef, faults: FieldError[]): SentExternalRef {
  const { source: sentSource = source, id: sentId = id, url } = (sent ?? {}) as SentExternalRef;
  if (sentSource === source && sentId === id) return { source, id, ...(url !== undefined && { url }) };
  faults.push(...fieldError('external_ref', 'invalid_value', 'must be the same in the body and in the path.'));
  return {};
}
