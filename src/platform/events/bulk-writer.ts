import { Injectable } from '@nestjs/common';
import { groupBy } from '../../common/group-by.js';
import { newId } from '../../common/ids.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { assignments, columnsOf, changedValues, writtenBy } from '../database/columns/columns.js';
import { Database, type EntityTarget, type ObjectLiteral } from '../database/database.js';
import { eventData, keepsPrevious, peopleOf } from '../database/views/event-view.js';
import { rowsAsJson, wireTime, type View } from '../database/views/view.js';
import { RequestContext } from '../context/request-context.js';
import { actingPerson, type Actor } from '../context/actor.js';
import { Parameters } from './statements.js';

/** The number of rows per statement, which keeps each one far below the statement timeout. */
const BATCH_SIZE = 1000;

interface BulkChange<E> {
  /** SQL over the view's alias; `$1` is the parameter. */
  where: string;
  parameter: unknown;
  /** The new values, all of which differ from the current ones. */
  changes: Partial<E>;
  /** The type of the event of each entity. */
  type: string;
}

/** The parts of the statement that writes a batch. */
interface Batch {
  ids: string[];
  columns: string[];
  /** SQL for the new value of a column, over `before`: the previous row, with the columns of `joins`. */
  value: (column: string, p: Parameters) => string;
  type: string;
  /** Columns with SQL for values that are not a change of the entity to clients. */
  resets?: Record<string, string>;
  /** Joined to `own`, the rows to be changed, as `columns`. */
  joins?: (p: Parameters) => { sql: string; columns: string };
  /** Further steps of the statement, over `before` and `previous`, SQL for the old values as JSON. */
  steps?: (previous: string, p: Parameters) => string[];
}

/** Writes many entities of one kind: one statement per thousand, with a revision and an event for each entity. */
@Injectable()
export class BulkWriter {
  constructor(
    private readonly database: Database,
    private readonly context: RequestContext,
    private readonly audit: AuditTrail,
  ) {}

  /** Changes every row that the condition selects, in the order of their ids; returns the number of rows. */
  async patchAll<E extends ObjectLiteral>(
    actor: Actor | null,
    view: View,
    entity: EntityTarget<E>,
    { where, parameter, changes, type }: BulkChange<E>,
  ): Promise<number> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT ${view.alias}.id FROM ${view.table} ${view.alias} WHERE ${where} ORDER BY id FOR NO KEY UPDATE`,
      [parameter],
    );
    for (let at = 0; at < rows.length; at += BATCH_SIZE) {
      const ids = rows.slice(at, at + BATCH_SIZE).map(({ id }) => id);
      await this.patchBatch(actor, view, { ids, ...this.constants(entity, changes), type });
    }
    return rows.length;
  }

  /**
   * Changes each of these rows, at most a thousand, individually; rows without an effective change stay as they are.
   * Returns the number of changed rows. `typeOf` chooses the event type from the effective changes.
   */
  async patchEach<E extends ObjectLiteral>(
    actor: Actor | null,
    view: View,
    entity: EntityTarget<E>,
    rows: readonly { current: E & { id: string }; changes: Partial<E> }[],
    typeOf: (changes: Partial<E>) => string,
  ): Promise<number> {
    const differing = rows
      .map(({ current, changes }) => ({ id: current.id, changes: changedValues<E>(current, changes) }))
      .filter(({ changes }) => Object.keys(changes).length > 0);
    for (const group of groupBy(differing, ({ changes }) => Object.keys(changes).sort().join()).values()) {
      const values = new Map(group.map(({ id, changes }) => [id, columnsOf(this.database.source, entity, changes)]));
      await this.patchBatch(actor, view, {
        ids: group.map(({ id }) => id).sort(),
        columns: Object.keys(columnsOf(this.database.source, entity, group[0].changes)),
        joins: (p) => ({
          sql: `JOIN jsonb_each(${p.bind(JSON.stringify(Object.fromEntries(values)))}::jsonb) AS sent (id, row) ON sent.id = own.id`,
          columns: 'sent.row AS sent',
        }),
        value: (column) => `(jsonb_populate_record(NULL::${view.table}, before.sent))."${column}"`,
        type: typeOf(group[0].changes),
      });
    }
    return differing.length;
  }

  /** Records an event for each of at most a thousand entities without changing their own rows. */
  async recordAll(actor: Actor | null, view: View, ids: string[], type: string): Promise<void> {
    if (ids.length === 0) return;
    const p = new Parameters(actor?.userId ?? null);
    const { from } = rowsAsJson(view);
    const sorted = ids.toSorted();
    const batch = `unnest(${p.bind(sorted)}::text[], ${p.bind(sorted.map(() => newId('event')))}::text[]) AS batch (id, event_id)`;
    const events = `INSERT INTO events (id, type, entity_type, entity_id, endeavour_id, organization_id, actor_id, token_id, request_id,
         audience, data)
       SELECT batch.event_id, ${p.bind(type)}, ${p.bind(view.kind)}, x.id, x.endeavour_id, x.organization_id,
         ${this.actorValues(actor, p)}, seen.people, seen.data
       FROM seen JOIN ${batch} USING (id) JOIN entities x USING (id)
       ORDER BY batch.event_id`;
    await this.database.query(
      `WITH seen AS (SELECT ${view.alias}.id, ${eventData(view)} AS data, ${peopleOf(view) ?? `'{}'::text[]`} AS people
                     FROM ${from} WHERE ${view.alias}.id = ANY(${p.bind(sorted)}::text[])),
       ${this.audit.eventSteps(events, [{ type }], p)} SELECT ${p.anchor}`,
      p.values,
    );
  }

  /** The actor, the token and the request of an event. */
  private actorValues(actor: Actor | null, p: Parameters): string {
    const { requestId = null } = this.context;
    return [actingPerson(actor), actor?.tokenId ?? null, requestId].map((value) => p.bind(value)).join(', ');
  }

  /** The changed columns, each with one value for all rows. */
  constants<E extends ObjectLiteral>(
    entity: EntityTarget<E>,
    changes: Partial<E>,
  ): Pick<Batch, 'columns'> & { value: (column: string, p: Parameters) => string } {
    const set = new Map(assignments(this.database.source, entity, changes).map(({ column, value }) => [column, value]));
    return { columns: [...set.keys()], value: (column, p) => p.bind(set.get(column)) };
  }

  /** Changes at most a thousand rows in one statement; each gets a revision and an event. */
  async patchBatch(
    actor: Actor | null,
    view: View,
    { ids, columns, value, type, resets = {}, joins, steps }: Batch,
  ): Promise<void> {
    const p = new Parameters(actor?.userId ?? null);
    const author = writtenBy(this.database.source, view.table, actor).map((set) => [set.column, p.bind(set.value)]);
    const set = columns.map((column) => [column, value(column, p)]).concat(Object.entries(resets), author);
    const values = set.map(([column, sql]) => `"${column}" = ${sql}`).join(', ');
    const stored = columns.filter((column) => keepsPrevious(view, column));
    const { from } = rowsAsJson(view, view.alias);
    const batch = `unnest(${p.bind(ids)}::text[], ${p.bind(ids.map(() => newId('event')))}::text[]) AS batch (id, event_id)`;
    const joined = joins?.(p);
    const rows = `SELECT own.*, batch.event_id${joined === undefined ? '' : `, ${joined.columns}`}
         FROM ${view.table} own JOIN ${batch} ON batch.id = own.id ${joined?.sql ?? ''}`;
    const events = `INSERT INTO events (id, type, entity_type, entity_id, endeavour_id, organization_id, actor_id, token_id, request_id,
         changed, audience, previous, data)
       SELECT before.event_id, ${p.bind(type)}, ${p.bind(view.kind)}, x.id, x.endeavour_id, x.organization_id,
         ${this.actorValues(actor, p)},
         ${p.bind(columns)}::text[], seen.people || ${formerPeople(view, stored)}, ${previousOf(view, stored)}, seen.data
       FROM seen JOIN before USING (id) JOIN entities x USING (id)
       ORDER BY before.event_id`;
    await this.database.query(
      `WITH before AS (${rows}),
       ${view.alias} AS (UPDATE ${view.table} own SET ${values}, revision = own.revision + 1, updated_at = clock_timestamp()
         FROM before WHERE own.id = before.id RETURNING own.*),
       ${(steps?.(before(columns), p) ?? []).map((step) => `${step},`).join('\n       ')}
       seen AS (SELECT ${view.alias}.id, ${eventData(view)} AS data, ${peopleOf(view) ?? `'{}'::text[]`} AS people
         FROM ${from}),
       ${this.audit.eventSteps(events, [{ type, changed: columns }], p)} SELECT ${p.anchor}`,
      p.values,
    );
  }
}

/** SQL for those columns of `before` as JSON, in the form in which clients see them. */
const previousOf = ({ fields }: View, columns: string[]): string => {
  const values = columns.map((column) => {
    const stored = `before."${column}"`;
    const isTime = fields[column]?.schema.format === 'date-time';
    return `'${column}', ${isTime ? wireTime(stored) : (fields[column]?.shown?.(stored) ?? stored)}`;
  });
  return `json_build_object(${values.join(', ')})`;
};

/** SQL for those columns of `before` as JSON, as they are stored. */
const before = (columns: string[]): string =>
  `json_build_object(${columns.map((column) => `'${column}', before."${column}"`).join(', ')})`;

/** SQL for the resources that were affected before the change. */
const formerPeople = ({ people }: View, columns: string[]): string => {
  const own = columns.filter((column) => people?.properties.includes(column));
  return `array_remove(ARRAY[${own.map((column) => `before."${column}"`).join(', ')}]::text[], NULL)`;
};
