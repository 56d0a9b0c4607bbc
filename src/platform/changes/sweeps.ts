import { Injectable } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import { assignments } from '../database/columns.js';
import { Database, type EntityTarget, type ObjectLiteral } from '../database/database.js';
import { rowsAsJson, type View } from '../database/view.js';
import { RequestFacts } from '../http/request-facts.js';
import type { Actor } from './actor.js';
import { Parameters } from './statements.js';

/** So many at once: each statement stays far below the statement timeout, however many there are in all. */
const BATCH = 1000;

interface Swept<E> {
  /** SQL over the view's alias; `$1` is the parameter. */
  where: string;
  parameter: unknown;
  /** All of these differ from what the rows have. */
  changes: Partial<E>;
  /** The type of the event that each of them gets. */
  type: string;
}

/** The write door for many things of one kind at once: one statement per thousand, a revision and an event for each. */
@Injectable()
export class Sweeps {
  constructor(
    private readonly database: Database,
    private readonly facts: RequestFacts,
  ) {}

  /** Changes every row that the condition names, in the order of their ids; answers with how many there were. */
  async patchAll<E extends ObjectLiteral>(
    actor: Actor | null,
    view: View,
    entity: EntityTarget<E>,
    { where, parameter, changes, type }: Swept<E>,
  ): Promise<number> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT ${view.alias}.id FROM ${view.table} ${view.alias} WHERE ${where} ORDER BY id FOR NO KEY UPDATE`,
      [parameter],
    );
    for (let at = 0; at < rows.length; at += BATCH) {
      const ids = rows.slice(at, at + BATCH).map(({ id }) => id);
      await this.patchBatch(actor, view, entity, ids, changes, type);
    }
    return rows.length;
  }

  private async patchBatch<E extends ObjectLiteral>(
    actor: Actor | null,
    view: View,
    entity: EntityTarget<E>,
    ids: string[],
    changes: Partial<E>,
    type: string,
  ): Promise<void> {
    const p = new Parameters(actor?.userId ?? null);
    const set = assignments(this.database.source, entity, changes);
    const columns = set.map(({ column }) => column);
    const values = set.map(({ column, value }) => `"${column}" = ${p.bind(value)}`).join(', ');
    const before = columns.map((column) => `'${column}', before."${column}"`).join(', ');
    const { select, from } = rowsAsJson(view, view.alias);
    const batch = `unnest(${p.bind(ids)}::text[], ${p.bind(ids.map(() => newId('event')))}::text[]) AS batch (id, event_id)`;
    await this.database.query(
      `WITH before AS (SELECT own.*, batch.event_id FROM ${view.table} own JOIN ${batch} USING (id)),
       ${view.alias} AS (UPDATE ${view.table} own SET ${values}, revision = own.revision + 1, updated_at = clock_timestamp()
         FROM before WHERE own.id = before.id RETURNING own.*),
       seen AS (SELECT ${select} FROM ${from})
       INSERT INTO events (id, type, entity_type, entity_id, endeavour_id, organization_id, actor_id, actor_name,
         request_id, changed, previous, data)
       SELECT before.event_id, ${p.bind(type)}, ${p.bind(view.kind)}, x.id, x.endeavour_id, x.organization_id,
         ${p.bind(actor?.resourceId ?? null)}, ${p.bind(actor?.name ?? null)}, ${p.bind(this.facts.requestId ?? null)},
         ${p.bind(columns)}::text[], json_build_object(${before}), seen.body
       FROM seen JOIN before USING (id) JOIN entities x USING (id)
       WHERE ${p.anchor} ORDER BY before.event_id`,
      p.values,
    );
  }
}
