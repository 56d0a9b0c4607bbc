import { Injectable } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import type { Kind } from '../../common/kinds.js';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Assignment } from '../database/columns/columns.js';
import { Database } from '../database/database.js';
import { RequestContext } from '../context/request-context.js';
import { actingPerson, type Actor, type ResourceScope } from '../context/actor.js';
import type { EventPayload, EventRecord } from './event-payload.js';
import { Parameters, insertInto } from './statements.js';

/** SQL for the ids of the resources that every event of the entity affects, such as its owner and its creator. */
const peopleOfEntity = (id: string): string =>
  `ARRAY(SELECT q.resource_id FROM entity_people q WHERE q.entity_id = ${id})`;

/** Records events whose data is not the representation of their entity, such as an added member. */
@Injectable()
export class EventRecorder {
  constructor(
    private readonly database: Database,
    private readonly context: RequestContext,
    private readonly audit: AuditTrail,
  ) {}

  /** Records an event of an entity with `data` instead of its representation; the row of the entity does not change. */
  async record(
    actor: Actor | null,
    kind: Kind,
    id: string,
    place: ResourceScope,
    payload: EventPayload & { type: string; data: Record<string, unknown> },
  ): Promise<void> {
    const p = new Parameters(actor?.userId ?? null);
    const row = [
      ...this.rowOf(actor, kind, id, place, payload),
      { column: 'data', value: JSON.stringify(payload.data) },
    ];
    const audience = `${p.bind(payload.audience ?? [])}::text[] || ${peopleOfEntity(p.bind(id))}`;
    const insert = insertInto('events', row, p, { columns: { audience }, from: '(SELECT) one' });
    const steps = this.audit.eventSteps(insert, [payload], p);
    await this.database.query(`WITH ${steps} SELECT ${p.anchor}`, p.values);
  }

  /** Records many such events in one statement. */
  async recordAll(actor: Actor | null, records: readonly EventRecord[]): Promise<void> {
    if (records.length === 0) return;
    const rows = records.map(({ kind, id, place, ...payload }) => ({
      ...Object.fromEntries(this.rowOf(actor, kind, id, place, payload).map(({ column, value }) => [column, value])),
      audience: payload.audience ?? [],
      previous: payload.previous ?? {},
      data: payload.data,
    }));
    const p = new Parameters(actor?.userId ?? null);
    const events = `INSERT INTO events (id, type, entity_type, entity_id, endeavour_id, organization_id, actor_id,
         token_id, request_id, changed, audience, previous, data)
       SELECT n.id, n.type, n.entity_type, n.entity_id, n.endeavour_id, n.organization_id, n.actor_id, n.token_id,
         n.request_id, ARRAY(SELECT json_array_elements_text(n.changed)),
         ARRAY(SELECT json_array_elements_text(n.audience)) || ${peopleOfEntity('n.entity_id')}, n.previous, n.data
       FROM json_to_recordset(${p.bind(JSON.stringify(rows))}::json) AS n (id text, type text, entity_type text,
         entity_id text, endeavour_id text, organization_id text, actor_id text, token_id text, request_id text,
         changed json, audience json, previous json, data json)
       ORDER BY n.id`;
    await this.database.query(`WITH ${this.audit.eventSteps(events, records, p)} SELECT ${p.anchor}`, p.values);
  }

  /** The columns of an event except those that describe the entity. */
  rowOf(
    actor: Actor | null,
    kind: Kind,
    id: string,
    place: ResourceScope,
    payload: EventPayload & { type: string },
  ): Assignment[] {
    return [
      { column: 'id', value: newId('event') },
      { column: 'type', value: payload.type },
      { column: 'entity_type', value: kind },
      { column: 'entity_id', value: id },
      { column: 'endeavour_id', value: place.endeavourId ?? null },
      { column: 'organization_id', value: place.organizationId ?? null },
      { column: 'actor_id', value: actingPerson(actor) },
      { column: 'token_id', value: actor?.tokenId ?? null },
      { column: 'request_id', value: this.context.requestId ?? null },
      { column: 'changed', value: payload.changed ?? Object.keys(payload.previous ?? {}) },
      { column: 'previous', value: JSON.stringify(payload.previous ?? {}) },
    ];
  }
}
