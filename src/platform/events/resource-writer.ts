import { Injectable } from '@nestjs/common';
import { snakeCase } from '../../common/texts/case.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { Database, type EntityTarget, type ObjectLiteral } from '../database/database.js';
import { eventData, isKeptWhole, keptPrevious, peopleOf } from '../database/views/event-view.js';
import { moreOf, Representation, oneAsJson, rowsAsJson, type Json, type View } from '../database/views/view.js';
import type { Actor, ResourceScope } from '../context/actor.js';
import type { EventPayload } from './event-payload.js';
import { EventRecorder } from './event-recorder.js';
import { assignments, changedValues, previousOf, writtenBy, type Assignment } from '../database/columns/columns.js';
import { Parameters, insertInto, updateOf } from './statements.js';

interface Created<E> {
  row: Partial<E> & { id: string };
  place: ResourceScope;
  /** The title of the entity in references to it. */
  title: string;
  /** The parent that the entity belongs to and moves with. */
  parentId?: string | null;
  event?: EventPayload;
  /** Whether the request executes no statement after this one. */
  isLast?: boolean;
  /**
   * Rows that belong to the new entity (such as a first member) and appear in its representation, with the affected
   * resources.
   */
  childRows?: () => Promise<Pick<EventPayload, 'audience'> | void>;
}

interface Patched<E> {
  current: E & { id: string };
  changes: Partial<E>;
  place: ResourceScope;
  /** The changes of the entity row: title, container or parent. */
  entityChanges?: {
    title?: string;
    endeavourId?: string;
    organizationId?: string | null;
    ownerUserId?: string | null;
    parentId?: string | null;
  };
  /** Affected resources besides those that the view names. */
  audience?: readonly string[];
  /** Chosen from the effective changes; `<kind>.updated` by default. */
  type?: (changes: Partial<E>) => string | undefined;
  /** Whether the request executes no statement after this one. */
  isLast?: boolean;
}

/**
 * Writes every effective change of an entity: its row, entity row, revision and event in one statement. Returns the new
 * representation.
 */
@Injectable()
export class ResourceWriter {
  constructor(
    private readonly database: Database,
    private readonly events: EventRecorder,
    private readonly audit: AuditTrail,
  ) {}

  /** Inserts the row, its entity row and the event `<kind>.created`. */
  async create<E extends ObjectLiteral>(
    actor: Actor | null,
    view: View,
    entity: EntityTarget<E>,
    created: Created<E>,
  ): Promise<Representation> {
    const p = new Parameters(actor?.userId ?? null);
    const { row, place, title, parentId = null } = created;
    const entityRow: Assignment[] = [
      { column: 'id', value: row.id },
      { column: 'kind', value: view.kind },
      { column: 'endeavour_id', value: place.endeavourId ?? null },
      { column: 'organization_id', value: place.organizationId ?? null },
      { column: 'owner_user_id', value: place.ownerUserId ?? null },
      { column: 'is_global', value: place.isGlobal ?? false },
      { column: 'title', value: title },
      { column: 'parent_id', value: parentId },
    ];
    const steps = [
      `placed AS (${insertInto('entities', entityRow, p)})`,
      `${view.alias} AS (${insertInto(view.table, assignments(this.database.source, entity, row), p)} RETURNING *)`,
    ];
    const payload = { type: `${view.kind}.created`, ...created.event };
    if (created.childRows === undefined) {
      return this.finish(actor, view, steps, row.id, place, payload, p, created.isLast);
    }
    await this.database.query(`WITH ${steps.join(', ')} SELECT ${p.anchor}`, p.values);
    const childPayload = await created.childRows();
    return this.recordChange(actor, view, row.id, place, { ...payload, ...childPayload });
  }

  /**
   * Writes the columns that really change, increments the revision and records an event; does nothing without an
   * effective change.
   */
  async patch<E extends ObjectLiteral>(
    actor: Actor | null,
    view: View,
    entity: EntityTarget<E>,
    patched: Patched<E>,
  ): Promise<Representation> {
    const { current, place } = patched;
    const changes = changedValues<E>(current, patched.changes);
    if (Object.keys(changes).length === 0) return this.read(actor, view, current.id);
    const p = new Parameters(actor?.userId ?? null);
    const set = [
      ...assignments(this.database.source, entity, changes),
      ...writtenBy(this.database.source, entity, actor),
    ];
    const steps = [`${view.alias} AS (${updateOf(view.table, current.id, set, p)} RETURNING *)`];
    const entityChanges = Object.entries(patched.entityChanges ?? {}).filter(([, value]) => value !== undefined);
    if (entityChanges.length > 0) {
      const entitySet = entityChanges.map(([property, value]) => ({ column: snakeCase(property), value }));
      steps.unshift(`pointed AS (${updateOf('entities', current.id, entitySet, p, { counted: false })})`);
    }
    const previous = previousOf(current, changes);
    const payload = {
      type: patched.type?.(changes) ?? `${view.kind}.updated`,
      previous: keptPrevious(view, await this.shown(view, previous)),
      changed: Object.keys(previous),
      audience: patched.audience,
    };
    return this.finish(actor, view, steps, current.id, place, payload, p, patched.isLast);
  }

  /** The values as clients saw them; only the few that are stored in another form cost a statement. */
  private async shown(view: View, values: Record<string, unknown>): Promise<Record<string, unknown>> {
    const result = { ...values };
    for (const name of Object.keys(values)) {
      const sql = view.fields[name]?.shown?.('$1');
      if (sql === undefined) continue;
      const row = await this.database.one<{ value: unknown }>(`SELECT ${sql} AS value`, [values[name]]);
      result[name] = row?.value;
    }
    return result;
  }

  /**
   * Marks the entity as deleted. Its entity row keeps a title for history, by default the current one; the feature
   * decides about its row.
   */
  async remove<E extends ObjectLiteral>(
    actor: Actor | null,
    view: View,
    entity: EntityTarget<E>,
    current: E & { id: string },
    place: ResourceScope,
    changes: Partial<E>,
    title: string | null = null,
  ): Promise<Representation> {
    await this.database.query(
      'UPDATE entities SET deleted_at = clock_timestamp(), title = coalesce($2, title) WHERE id = $1',
      [current.id, title],
    );
    return this.patch(actor, view, entity, { current, changes, place, type: () => `${view.kind}.deleted` });
  }

  /** Records an event of an entity without changing its own row (a member added, a policy assigned). */
  async recordChange(
    actor: Actor | null,
    view: View,
    id: string,
    place: ResourceScope,
    payload: EventPayload & { type: string },
  ): Promise<Representation> {
    const p = new Parameters(actor?.userId ?? null);
    const step = `${view.alias} AS (SELECT * FROM ${view.table} WHERE id = ${p.bind(id)})`;
    return this.finish(actor, view, [step], id, place, payload, p);
  }

  /** Returns the current representation, regardless of its visibility. */
  async read(actor: Actor | null, view: View, id: string): Promise<Representation> {
    const p = new Parameters(actor?.userId ?? null);
    const where = `${view.alias}.id = ${p.bind(id)} AND ${p.anchor}`;
    const row = await this.database.one<Json>(oneAsJson(view, where), p.values);
    return Representation.of(row, view);
  }

  private async finish(
    actor: Actor | null,
    view: View,
    steps: string[],
    id: string,
    place: ResourceScope,
    payload: EventPayload & { type: string },
    p: Parameters,
    isLast = false,
  ): Promise<Representation> {
    const { select, from } = rowsAsJson(view, view.alias);
    const isWhole = isKeptWhole(view);
    const people = peopleOf(view);
    const audience = [...(payload.audience ?? []), ...formerPeople(view, payload.previous)];
    const columns = {
      data: isWhole ? 'seen.body' : 'seen.kept',
      audience: `${p.bind(audience)}::text[]${people === undefined ? '' : ' || seen.people'}`,
    };
    const event = insertInto('events', this.events.rowOf(actor, view.kind, id, place, payload), p, {
      columns,
      from: 'seen',
    });
    const more = moreOf(view);
    const extraColumns = [
      !isWhole && `, ${eventData(view)} AS kept`,
      people !== undefined && `, ${people} AS people`,
      more,
    ];
    const sql = `WITH ${steps.join(', ')},
       seen AS (SELECT ${select}${extraColumns.filter(Boolean).join('')} FROM ${from}),
       ${this.audit.eventSteps(event, [payload], p)}
       SELECT seen.id, seen.revision, seen.body::text AS body${more === '' ? '' : ', seen.more::text AS more'}
       FROM seen WHERE ${p.anchor}`;
    const { database } = this;
    return Representation.of(
      await (isLast ? database.queryAndCommit<Json>(sql, p.values) : database.one<Json>(sql, p.values)),
      view,
    );
  }
}

/** The resources that were affected before the change. */
const formerPeople = ({ people }: View, previous: Record<string, unknown> = {}): string[] =>
  (people?.properties ?? []).map((name) => previous[name]).filter((id) => typeof id === 'string');
