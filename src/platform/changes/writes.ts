import { Injectable } from '@nestjs/common';
import { snakeCase } from '../../common/case.js';
import { newId } from '../../common/ids.js';
import type { Kind } from '../../common/kinds.js';
import { Database, type EntityTarget, type ObjectLiteral } from '../database/database.js';
import { Representation, oneAsJson, rowsAsJson, type Json, type View } from '../database/view.js';
import { RequestFacts } from '../http/request-facts.js';
import type { Actor, Place } from './actor.js';
import { assignments, effective, previousOf, type Assignment } from '../database/columns.js';
import { Parameters, insertInto, updateOf } from './statements.js';

/** What happened, for the change log; where it lies is taken from the thing itself. */
export interface News {
  /** `task.updated`; by default made from the view's kind and the act. */
  type?: string;
  /** What changed, under its wire names, with what it was before. */
  previous?: Record<string, unknown>;
}

interface Created<E> {
  row: Partial<E> & { id: string };
  place: Place;
  /** What the thing is called wherever it is pointed at. */
  title: string;
  /** What it hangs on and moves along with; it lies in the same place. */
  parentId?: string | null;
  news?: News;
  /** Nothing of the request is written after this. */
  isLast?: boolean;
  /** Rows that belong to the new one (a first member, say) and show in its representation. */
  satellites?: () => Promise<void>;
}

interface Patched<E> {
  current: E & { id: string };
  changes: Partial<E>;
  place: Place;
  /** What changes of the thing as it is pointed at: its name, the endeavour it lies in, or what it hangs on. */
  pointer?: { title?: string; endeavourId?: string; parentId?: string | null };
  /** Chosen from the effective changes; `<kind>.updated` by default. */
  type?: (changes: Partial<E>) => string | undefined;
  /** Nothing of the request is written after this. */
  isLast?: boolean;
}

/**
 * The write door: every effective change of a resource goes through here, so that its entity row, its revision and
 * its event are written with it, in one statement. Answers with the new representation.
 */
@Injectable()
export class Writes {
  constructor(
    private readonly database: Database,
    private readonly facts: RequestFacts,
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
    const news = { type: `${view.kind}.created`, ...created.news };
    if (created.satellites === undefined) {
      return this.finish(actor, view, steps, row.id, place, news, p, created.isLast);
    }
    await this.database.query(`WITH ${steps.join(', ')} SELECT ${p.anchor}`, p.values);
    await created.satellites();
    return this.record(actor, view, row.id, place, news);
  }

  /** Writes the columns that really change, raises the revision by one and records it; nothing at all where nothing changes. */
  async patch<E extends ObjectLiteral>(
    actor: Actor | null,
    view: View,
    entity: EntityTarget<E>,
    patched: Patched<E>,
  ): Promise<Representation> {
    const { current, place } = patched;
    const changes = effective<E>(current, patched.changes);
    if (Object.keys(changes).length === 0) return this.read(actor, view, current.id);
    const p = new Parameters(actor?.userId ?? null);
    const set = assignments(this.database.source, entity, changes);
    const steps = [`${view.alias} AS (${updateOf(view.table, current.id, set, p)} RETURNING *)`];
    const pointer = Object.entries(patched.pointer ?? {}).filter(([, value]) => value !== undefined);
    if (pointer.length > 0) {
      const moved = pointer.map(([property, value]) => ({ column: snakeCase(property), value }));
      steps.unshift(`pointed AS (${updateOf('entities', current.id, moved, p, { counted: false })})`);
    }
    const news = {
      type: patched.type?.(changes) ?? `${view.kind}.updated`,
      previous: previousOf(current, changes),
    };
    return this.finish(actor, view, steps, current.id, place, news, p, patched.isLast);
  }

  /** Marks the thing as gone: its entity row keeps its name for history, its own row what the area needs. */
  async remove<E extends ObjectLiteral>(
    actor: Actor | null,
    view: View,
    entity: EntityTarget<E>,
    current: E & { id: string },
    place: Place,
    changes: Partial<E>,
  ): Promise<Representation> {
    await this.database.query('UPDATE entities SET deleted_at = clock_timestamp() WHERE id = $1', [current.id]);
    return this.patch(actor, view, entity, { current, changes, place, type: () => `${view.kind}.deleted` });
  }

  /** Records something that happened to a thing without changing its own row (a member added, a policy assigned). */
  async record(
    actor: Actor | null,
    view: View,
    id: string,
    place: Place,
    news: News & { type: string },
  ): Promise<Representation> {
    const p = new Parameters(actor?.userId ?? null);
    const step = `${view.alias} AS (SELECT * FROM ${view.table} WHERE id = ${p.bind(id)})`;
    return this.finish(actor, view, [step], id, place, news, p);
  }

  /** Records something at a thing whose news is not its own representation but `data` (a member that came or went). */
  async note(
    actor: Actor | null,
    kind: Kind,
    id: string,
    place: Place,
    news: News & { type: string; data: Record<string, unknown> },
  ): Promise<void> {
    const p = new Parameters(actor?.userId ?? null);
    const row = [...this.eventRow(actor, kind, id, place, news), { column: 'data', value: JSON.stringify(news.data) }];
    await this.database.query(`WITH news AS (${insertInto('events', row, p)}) SELECT ${p.anchor}`, p.values);
  }

  private async read(actor: Actor | null, view: View, id: string): Promise<Representation> {
    const p = new Parameters(actor?.userId ?? null);
    const where = `${view.alias}.id = ${p.bind(id)} AND ${p.anchor}`;
    const row = await this.database.one<Json>(oneAsJson(view, where), p.values);
    return Representation.of(row);
  }

  private async finish(
    actor: Actor | null,
    view: View,
    steps: string[],
    id: string,
    place: Place,
    news: News & { type: string },
    p: Parameters,
    isLast = false,
  ): Promise<Representation> {
    const { select, from } = rowsAsJson(view, view.alias);
    const event = insertInto('events', this.eventRow(actor, view.kind, id, place, news), p, {
      data: 'seen.body',
      from: 'seen',
    });
    const sql = `WITH ${steps.join(', ')},
       seen AS (SELECT ${select} FROM ${from}),
       news AS (${event})
       SELECT seen.id, seen.revision, seen.body::text AS body FROM seen WHERE ${p.anchor}`;
    const { database } = this;
    return Representation.of(await (isLast ? database.last<Json>(sql, p.values) : database.one<Json>(sql, p.values)));
  }

  private eventRow(
    actor: Actor | null,
    kind: Kind,
    id: string,
    place: Place,
    news: News & { type: string },
  ): Assignment[] {
    return [
      { column: 'id', value: newId('event') },
      { column: 'type', value: news.type },
      { column: 'entity_type', value: kind },
      { column: 'entity_id', value: id },
      { column: 'endeavour_id', value: place.endeavourId ?? null },
      { column: 'organization_id', value: place.organizationId ?? null },
      { column: 'actor_id', value: actor?.resourceId ?? null },
      { column: 'actor_name', value: actor?.name ?? null },
      { column: 'request_id', value: this.facts.requestId ?? null },
      { column: 'changed', value: Object.keys(news.previous ?? {}) },
      { column: 'previous', value: JSON.stringify(news.previous ?? {}) },
    ];
  }
}
