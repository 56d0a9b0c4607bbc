import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/authentication/caller.js';
import { Database } from '../../platform/database/database.js';
import { Parameters } from '../../platform/events/statements.js';
import { readablePlaces } from './readable-places.view.js';

/** The number of events of a type in a day or an hour. */
export interface ActivityCountRow {
  at: string;
  type: string;
  count: number;
}

/** The number of events about a kind of entity in an hour of the day. */
export interface HourOfDayRow {
  hour: number;
  entity_type: string;
  count: number;
}

/** The number of events that one summary of the activity counts. */
export const MAX_SUMMARIZED = 50_000;

/** The requested containers; by default all that are visible to the caller. */
export interface ActivityContainers {
  endeavourIds?: string[];
  organizationIds?: string[];
}

/** Counts the events that the caller can read. */
@Injectable()
export class ActivityCountsRepository {
  constructor(private readonly database: Database) {}

  /** Counts the newest events of a period by the kind of entity and the hour of the day, in UTC. */
  byHourOfDay(me: Caller, from: Date, to: Date, within: ActivityContainers): Promise<HourOfDayRow[]> {
    const p = new Parameters(me.userId);
    const [first, end] = [p.bind(from), p.bind(to)];
    return this.database.query<HourOfDayRow>(
      `SELECT extract(hour FROM newest.occurred_at AT TIME ZONE 'UTC')::integer AS hour, newest.entity_type,
         count(*)::float8 AS count
       FROM (SELECT f.occurred_at, f.entity_type FROM feed f
         WHERE f.sequence > (SELECT feed_sequence_before(${first}::timestamptz - interval '1 hour'))
           AND f.occurred_at >= ${first}::timestamptz AND f.occurred_at < ${end}::timestamptz
           AND ${isReadable('f.place', me, within, p)}
         ORDER BY f.sequence DESC LIMIT ${MAX_SUMMARIZED}) newest
       GROUP BY 1, 2`,
      p.values,
    );
  }

  byDay(me: Caller, from: Date, to: Date, within: ActivityContainers): Promise<ActivityCountRow[]> {
    const p = new Parameters(me.userId);
    const [first, end] = [p.bind(from), p.bind(to)];
    return this.database.query<ActivityCountRow>(
      `SELECT to_char(c.day, 'YYYY-MM-DD') AS at, c.type, sum(c.count)::float8 AS count FROM activity_counts c
       WHERE c.day >= (${first}::timestamptz AT TIME ZONE 'UTC')::date AND c.day < ${end}::timestamptz AT TIME ZONE 'UTC'
         AND ${isReadable('c.place', me, within, p)}
       GROUP BY c.day, c.type ORDER BY c.day, c.type`,
      p.values,
    );
  }

  /** Counts the entries of the feed, which are available for EVENTS_DAYS. */
  byHour(me: Caller, from: Date, to: Date, within: ActivityContainers): Promise<ActivityCountRow[]> {
    const p = new Parameters(me.userId);
    const [first, end] = [p.bind(from), p.bind(to)];
    return this.database.query<ActivityCountRow>(
      `SELECT to_char(date_trunc('hour', f.occurred_at AT TIME ZONE 'UTC'), 'YYYY-MM-DD"T"HH24:00:00"Z"') AS at, f.type,
         count(*)::float8 AS count
       FROM feed f WHERE f.sequence > (SELECT feed_sequence_before(${first}::timestamptz - interval '1 hour'))
         AND f.occurred_at >= ${first}::timestamptz AND f.occurred_at < ${end}::timestamptz
         AND ${isReadable('f.place', me, within, p)}
       GROUP BY 1, 2 ORDER BY 1, 2`,
      p.values,
    );
  }
}

function isReadable(place: string, me: Caller, within: ActivityContainers, p: Parameters): string {
  const isRestricted = within.endeavourIds !== undefined || within.organizationIds !== undefined;
  const places = readablePlaces('$1', { isConfined: me.containerId !== undefined });
  const conditions = [
    isRestricted ? `${place} = ANY(ARRAY(${requestedPlaces(within, p)}))` : `${place} <> 'administrators'`,
    !me.isAdmin && `${place} = ANY(ARRAY(SELECT r.base FROM (${places}) r))`,
    p.anchor,
  ];
  return conditions.filter((condition) => condition !== false).join(' AND ');
}

function requestedPlaces({ endeavourIds = [], organizationIds = [] }: ActivityContainers, p: Parameters): string {
  const [endeavours, organizations] = [p.bind(endeavourIds), p.bind(organizationIds)];
  return `SELECT unnest(${endeavours}::text[]) UNION SELECT unnest(${organizations}::text[])
    UNION SELECT l.endeavour_id FROM organization_endeavours l
      WHERE l.is_home AND l.organization_id = ANY(${organizations}::text[])`;
}
