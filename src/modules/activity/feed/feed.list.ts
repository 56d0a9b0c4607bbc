import { joinUser, joinUserOf, resourcesOfUsers, teamsOfResource } from '../../../access/visibility/people.view.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { Parameters } from '../../../platform/events/statements.js';
import { bodyAsJson, bindCallerId, type View } from '../../../platform/database/views/view.js';
import { watchedContainersOf } from '../../watches/watch.view.js';
import { isRelationEventShown } from '../../relations/relation.view.js';
import { eventView, type EventField } from '../event.view.js';
import type { EventFilter } from './feed-query.js';
import { readablePlaces } from '../readable-places.view.js';

/** The number of entries that a page scans in total, and the minimum per range. */
const MAX_SCANNED = 4_000;
const MIN_PER_RANGE = 20;

export interface FeedPageRequest extends EventFilter {
  /** The sequence after which the page begins; with `descending`, before which it begins. */
  after: number;
  descending?: boolean;
  limit: number;
  /** The event types to exclude. */
  exceptTypes?: string[];
  /** The representation of each event; the selected properties of the event by default. */
  view?: View;
  fields?: EventField[];
}

/** SQL: all places of the requested containers. */
const placesOf = (containers: string): string => `
  SELECT c.id AS base, c.id || suffix AS place FROM (${containers}) c (id), unnest('{"",":admin",":owner"}'::text[]) suffix`;

/**
 * The separator of the events of a page, which are read as one text: splitting it is far faster than parsing an array of
 * PostgreSQL, and JSON never contains this character.
 */
export const EVENT_SEPARATOR = { sql: 'chr(30)', text: '\x1e' };

/**
 * Builds the statement for a page of the feed. Entries are read from index ranges, one for each container that the caller
 * can read (or for each requested entity, actor or resource), each up to a limit. If a range has more entries, the page
 * ends there, and the next page continues. The cost of a page therefore does not depend on the length of the feed.
 */
export class FeedStatement {
  private readonly p: Parameters;
  private readonly me: string;
  private readonly resource: string;
  /** The condition on `sequence` that selects the entries beyond the begin of the page, and the order of the page. */
  private readonly beyond: (sequence: string) => string;
  private readonly order: 'ASC' | 'DESC';

  constructor(
    private readonly caller: Caller,
    private readonly page: FeedPageRequest,
  ) {
    this.p = new Parameters(caller.userId);
    this.me = '$1::text';
    this.resource = `${this.p.bind(caller.resourceId)}::text`;
    const after = `${this.p.bind(page.after)}::bigint`;
    this.order = page.descending === true ? 'DESC' : 'ASC';
    this.beyond = (sequence) => `${sequence} ${page.descending === true ? '<' : '>'} ${after}`;
  }

  get values(): unknown[] {
    return this.p.values;
  }

  text(): string {
    const { view = eventView, fields, limit } = this.page;
    const selected: View = fields === undefined ? view : { ...view, fields: only(view, fields) };
    const limitParameter = this.p.bind(limit);
    const requested = `SELECT * FROM picked ORDER BY sequence ${this.order} LIMIT ${limitParameter}::integer`;
    const [nearest, furthest, side] = this.order === 'ASC' ? ['min', 'max', '<='] : ['max', 'min', '>='];
    return `WITH places AS MATERIALIZED (${this.places()}),
      size AS MATERIALIZED (SELECT ${this.size(limitParameter)} AS most FROM places),
      scanned AS MATERIALIZED (${this.sources().join('\n UNION ALL ')}),
      edge AS (SELECT ${nearest}(last) AS last FROM (
        SELECT ${furthest}(sequence) AS last, count(*) AS found FROM scanned GROUP BY source) range, size WHERE found >= most),
      picked AS MATERIALIZED (
        SELECT f.* FROM (
          SELECT DISTINCT f.sequence FROM scanned f, edge
          WHERE (edge.last IS NULL OR f.sequence ${side} edge.last) ${this.conditions()}
          ORDER BY f.sequence ${this.order} LIMIT ${limitParameter}::integer + 1) chosen JOIN feed f USING (sequence)),
      shown AS (SELECT f.sequence, ${bodyAsJson(selected)} AS body FROM ${bindCallerId(`(${requested}) f ${view.joins}`)}
        WHERE f.place = feed_place(x, f.type, f.actor_id) ${this.withoutHiddenEntries()})
      SELECT state.head::float8 AS head, state.dropped::float8 AS dropped, (SELECT last::float8 FROM edge) AS edge,
        (SELECT count(*)::integer FROM picked) AS picked,
        (SELECT ${furthest}(sequence)::float8 FROM (${requested}) f) AS last,
        (SELECT string_agg(body::text, ${EVENT_SEPARATOR.sql} ORDER BY sequence ${this.order}) FROM shown) AS items,
        ARRAY(SELECT sequence::float8 FROM shown ORDER BY sequence ${this.order}) AS sequences
      FROM feed_state state WHERE ${this.p.anchor} AND (${this.resource} IS NULL OR true)`;
  }

  /** SQL: how many entries of each range to read. Without filters, every entry is a result, so the limit suffices. */
  private size(limitParameter: string): string {
    const share = `greatest(${MIN_PER_RANGE}, ${MAX_SCANNED} / greatest(count(*), 1))`;
    return this.isFiltered ? share : `least(${share}, ${limitParameter}::integer + 1)`;
  }

  private get isFiltered(): boolean {
    const { entityIds, actorIds, types, entityTypes, exceptTypes, aboutMe } = this.page;
    return [entityIds, actorIds, types, entityTypes, exceptTypes].some((filter) => filter !== undefined) || aboutMe;
  }

  /** Whether the token is restricted to a container, so that it cannot read personal entries. */
  private get isConfined(): boolean {
    return this.caller.containerId !== undefined;
  }

  /** The columns to read; without filters only the sequence, for which an index-only scan suffices. */
  private get columns(): string {
    return this.isFiltered ? '*' : 'f.sequence';
  }

  private get hasContainers(): boolean {
    return this.page.endeavourIds !== undefined || this.page.organizationIds !== undefined;
  }

  private places(): string {
    if (this.caller.isAdmin)
      return this.hasContainers ? placesOf(this.containers()) : `SELECT NULL AS base, NULL AS place`;
    const all = readablePlaces(this.me, { isConfined: this.isConfined });
    return this.hasContainers ? `SELECT * FROM (${all}) p WHERE p.base IN (${this.containers()})` : all;
  }

  private containers(): string {
    const { endeavourIds, organizationIds } = this.page;
    const endeavours = endeavourIds && `${this.p.bind(endeavourIds)}::text[]`;
    if (organizationIds === undefined) return `SELECT unnest(${endeavours})`;
    const organizations = `${this.p.bind(organizationIds)}::text[]`;
    const within = `SELECT unnest(${organizations}) UNION SELECT l.endeavour_id FROM organization_endeavours l
      WHERE l.is_home AND l.organization_id = ANY(${organizations})`;
    return endeavours === undefined ? within : `(${within}) INTERSECT SELECT unnest(${endeavours})`;
  }

  private sources(): string[] {
    const { entityIds, actorIds, aboutMe } = this.page;
    if (entityIds !== undefined) return [this.ranges(`unnest(${this.p.bind(entityIds)}::text[])`, 'entity_id')];
    if (aboutMe) return [this.audience(this.subjects(), '')];
    if (actorIds !== undefined) return [this.ranges(`unnest(${this.actors(actorIds)})`, 'actor_id')];
    if (this.caller.isAdmin && !this.hasContainers) return [this.everything()];
    const placed = this.ranges('(SELECT place FROM places)', 'place');
    return this.hasContainers || this.caller.isAdmin || this.isConfined
      ? [placed]
      : [placed, this.audience(`(SELECT ${this.resource})`, 'AND a.is_message')];
  }

  private ranges(keys: string, column: string): string {
    return `SELECT key.value AS source, range.* FROM ${keys} AS key (value) CROSS JOIN LATERAL (
        SELECT ${this.columns} FROM feed f WHERE f.${column} = key.value AND ${this.beyond('f.sequence')}
        ORDER BY f.sequence ${this.order} LIMIT (SELECT most FROM size)) range`;
  }

  private everything(): string {
    return `SELECT 'all' AS source, range.* FROM (
        SELECT ${this.columns} FROM feed f WHERE ${this.beyond('f.sequence')} ORDER BY f.sequence ${this.order} LIMIT (SELECT most FROM size)) range`;
  }

  private audience(subjects: string, condition: string): string {
    const entries = this.isFiltered ? 'range JOIN feed f USING (sequence)' : 'f';
    return `SELECT key.value AS source, f.${this.isFiltered ? '*' : 'sequence'} FROM ${subjects} AS key (value) CROSS JOIN LATERAL (
        SELECT a.sequence FROM feed_audience a WHERE a.resource_id = key.value AND ${this.beyond('a.sequence')} ${condition}
        ORDER BY a.sequence ${this.order} LIMIT (SELECT most FROM size)) ${entries}`;
  }

  /** SQL: the resources of the caller and the caller's teams, and the endeavours that the caller watches. */
  private subjects(): string {
    return `(SELECT ${this.resource} UNION ${teamsOfResource(this.resource)}
      UNION ${watchedContainersOf(this.resource)})`;
  }

  private actors(ids: string[]): string {
    const resolved = ids.map((id) => (id === 'me' ? this.caller.resourceId : id));
    const requested = `${this.p.bind(resolved)}::text[]`;
    return `ARRAY(SELECT unnest(${requested}) UNION ${resourcesOfUsers(requested)})`;
  }

  /** SQL: the conditions that the ranges do not cover. */
  private conditions(): string {
    const { entityIds, actorIds, types, entityTypes, exceptTypes, aboutMe } = this.page;
    const isFoundByPlace = entityIds === undefined && actorIds === undefined && !aboutMe;
    const isEverywhere = this.caller.isAdmin && !this.hasContainers;
    const conditions = [
      !isFoundByPlace && !isEverywhere && this.isReadable(),
      actorIds !== undefined && `f.actor_id = ANY(${this.actors(actorIds)})`,
      aboutMe && `f.actor_id IS DISTINCT FROM ${this.resource}`,
      aboutMe && entityIds !== undefined && this.isAboutMe(),
      types !== undefined && `f.type LIKE ANY(${this.p.bind(types)}::text[])`,
      exceptTypes !== undefined && `f.type <> ALL(${this.p.bind(exceptTypes)}::text[])`,
      entityTypes !== undefined && `f.entity_type = ANY(${this.p.bind(entityTypes)}::text[])`,
    ];
    return conditions.flatMap((condition) => (condition === false ? [] : [`AND ${condition}`])).join(' ');
  }

  private isReadable(): string {
    const placed = 'f.place IN (SELECT place FROM places)';
    if (this.hasContainers) return placed;
    return `(${placed} OR (f.type = 'message.sent' AND EXISTS (
      SELECT 1 FROM feed_audience a WHERE a.resource_id = ${this.resource} AND a.sequence = f.sequence)))`;
  }

  /** SQL: the conditions that the place of an entry does not cover. Administrators see no messages of other people. */
  private withoutHiddenEntries(): string {
    return this.caller.isAdmin
      ? `AND (f.entity_type <> 'message' OR f.place = ${this.me} OR EXISTS (
          SELECT 1 FROM feed_audience a WHERE a.resource_id = ${this.resource} AND a.sequence = f.sequence))`
      : `AND (f.entity_type <> 'relation' OR ${isRelationEventShown('f.entity_id', this.me)})`;
  }

  private isAboutMe(): string {
    return `EXISTS (SELECT 1 FROM feed_audience a WHERE a.sequence = f.sequence AND a.resource_id IN ${this.subjects()})`;
  }
}

const only = (view: View, fields: EventField[]): View['fields'] =>
  Object.fromEntries(Object.entries(view.fields).filter(([name]) => fields.includes(name as EventField)));

/**
 * A statement that selects from the users `$3` the ones who may be affected by entries after sequence `$1` up to `$2`. The
 * result decides only whose feed is queried again; it is not a permission check.
 */
export const AFFECTED_USERS = `
  WITH place AS MATERIALIZED (
    SELECT DISTINCT split_part(f.place, ':', 1) AS id FROM feed f WHERE f.sequence > $1 AND f.sequence <= $2)
  SELECT g.user_id AS id FROM place JOIN endeavour_grants g ON g.endeavour_id = place.id WHERE g.user_id = ANY($3)
  UNION SELECT m.user_id FROM place JOIN organization_resources m ON m.organization_id = place.id
    WHERE m.user_id = ANY($3)
  UNION SELECT id FROM place WHERE id = ANY($3)
  UNION SELECT u.id FROM feed_audience a ${joinUserOf('u', 'a.resource_id')}
    WHERE a.sequence > $1 AND a.sequence <= $2 AND a.is_message AND u.id = ANY($3)
  UNION SELECT u.id FROM unnest($3::text[]) AS asked (id) ${joinUser('u', 'asked.id')}
    WHERE (u.is_admin OR EXISTS (SELECT 1 FROM place WHERE id = 'everyone'))`;
